import type { Instant } from '../base/time.js'
import type { Signature } from './address.js'

/** What a verifier finds. Source: protocols/payments.md, "Finding". */

/** Every fault, in the order of the rules. */
export const PAYMENT_FAULTS = [
  'wrong_cluster',
  'not_finalized',
  'unreadable',
  'other_transaction',
  'bad_signature',
  'failed',
  'before_quote',
  'undated',
  'late',
  'two_transfers',
  'inner_transfer',
  'wrong_recipient',
  'no_transfer',
  'self_payment',
  'wrong_payer',
  'no_reference',
  'short',
  'over',
  'other_balance',
  'no_memo',
  'two_memos',
  'wrong_memo'
] as const
export type PaymentFault = (typeof PAYMENT_FAULTS)[number]

export type PaymentFinding =
  | { readonly paid: true; readonly signature: Signature; readonly slot: number }
  | {
      readonly paid: false
      readonly fault: PaymentFault
      /** Lamports by which the recipient's balance rose, as the RPC node tells it; 0 when it did not rise. */
      readonly received: bigint
    }

/** When a payment may happen. */
export interface QuotedTime {
  /** The finalized slot at which the quote was issued. */
  readonly issuedSlot: number
  /** The end of the agreement. */
  readonly expiresAt: Instant
}
