import type { Address } from './address.js'

/** What a payment is. Source: protocols/payments.md, "Terms". */

/** Where a payment may happen. A cluster is known by its genesis hash, never by its name or its URL. */
export type Cluster = 'solana:devnet' | 'solana:localnet'

/** Everything that an approval binds and a verifier checks. */
export interface PaymentTerms {
  readonly cluster: Cluster
  /** The hirer's wallet, named in its signed `job.pay`. */
  readonly payer: Address
  /** `payTo` of the agreed plan. */
  readonly recipient: Address
  /** Decimal digits, 1 to 2^63 - 1. */
  readonly lamports: string
  /** Fresh for each attempt: it finds the payment, and proves nothing. */
  readonly reference: Address
  /** What `memoOf` gives. */
  readonly memo: string
}

/** A signed transaction that may be sent again and again: the chain takes the same bytes once. */
export interface SignedPayment {
  /** The payer's signature, which names the transaction. */
  readonly signature: string
  readonly bytes: Uint8Array
  /** A finalized slot from before it was signed: no block up to it holds it. */
  readonly slot: number
  /** Above this finalized block height the chain never takes it any more. */
  readonly lastValidBlockHeight: number
}
