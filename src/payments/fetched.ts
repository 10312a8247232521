import type { Instant } from '../base/time.js'
import type { Address, Signature } from './address.js'
import type { Cluster } from './terms.js'

/**
 * A transaction as an RPC node tells it. The message and its signatures are bytes, so that what the payer signed can be
 * checked here; slot, time, outcome, balances and inner instructions are the RPC node's word.
 */
export interface FetchedTransaction {
  readonly cluster: Cluster
  /** The one that was asked for. */
  readonly signature: Signature
  readonly finalized: boolean
  readonly slot: number
  /** Time of its block; null when the RPC node does not know it. */
  readonly blockTime: Instant | null
  /** The chain took it and it failed: nothing moved but the fee. */
  readonly failed: boolean
  /** Signatures and message as they were sent; empty when the RPC node can't show this version of a transaction. */
  readonly bytes: Uint8Array
  /** Instructions that programs called. Numbers point into the account keys of the message, then into `loaded`. */
  readonly inner: readonly CompiledInstruction[]
  /** Lamports of each account, in the order of the account keys, before and after. */
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  /** Accounts that came from lookup tables. */
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
}

/** An instruction whose accounts are numbers in the list of the transaction's accounts. */
export interface CompiledInstruction {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}
