import type { Address } from '../../payments/address.js'
import type { SignedTransaction } from '../../payments/transaction.js'
import { toBase58 } from '../../wire/base58.js'
import type { Account, Landed } from './landed.js'

/** What stands before the addresses in the account of a lookup table. */
const HEADER_BYTES = 56
const KEY_BYTES = 32

/** The accounts that a transaction takes from lookup tables: first all that may be written to, then the others. */
export function loadedAccounts(
  signed: SignedTransaction,
  account: (address: Address) => Account | undefined
): Landed['loaded'] {
  const from = (table: Address, numbers: readonly number[]): readonly Address[] => {
    const bytes = account(table)?.bytes ?? new Uint8Array(0)
    return numbers.map((number) => {
      const start = HEADER_BYTES + number * KEY_BYTES
      return toBase58(bytes.subarray(start, start + KEY_BYTES))
    })
  }
  return {
    writable: signed.lookups.flatMap(({ table, writable }) => from(table, writable)),
    readonly: signed.lookups.flatMap(({ table, readonly }) => from(table, readonly))
  }
}
