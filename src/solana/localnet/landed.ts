import type { TransactionMetadata } from 'litesvm'
import type { Address, Signature } from '../../payments/address.js'
import type { SignedTransaction } from '../../payments/transaction.js'
import type { RpcJson } from './rpc-json.js'

/** What the ledger knows of transactions and accounts. */

/** A transaction that the chain took, whether it succeeded or not. */
export interface Landed {
  readonly signature: Signature
  readonly slot: number
  /** Seconds since the Unix epoch. */
  readonly blockTime: number
  readonly error: RpcJson
  readonly bytes: Uint8Array
  readonly signed: SignedTransaction
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
  readonly fee: number
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly meta: TransactionMetadata
}

/** Why the chain did not take it, as an RPC node says it. */
export interface NotTaken {
  readonly error: RpcJson
  readonly logs: readonly string[]
}

/** An account as RPC nodes show it. */
export interface Account {
  readonly lamports: bigint
  readonly owner: Address
  readonly executable: boolean
  readonly bytes: Uint8Array
}

/** In the order of their numbers. */
export function accountsOf(signed: SignedTransaction, loaded: Landed['loaded']): readonly Address[] {
  return [...signed.accounts, ...loaded.writable, ...loaded.readonly]
}
