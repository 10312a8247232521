import type { Address } from '../../payments/address.js'
import { SYSTEM_PROGRAM } from '../../payments/programs.js'
import type { SignedTransaction } from '../../payments/transaction.js'
import { toBase58 } from '../../wire/base58.js'
import type { Account } from './landed.js'

/** Number of the System program's AdvanceNonceAccount, which such a transaction begins with. */
const ADVANCE = 4
/** A nonce account: version, state, authority (32 bytes), the nonce (32 bytes), fee. */
const NONCE_BYTES = 80
const NONCE_AT = 40

/** Whether a transaction lives by the present value of a durable nonce instead of a blockhash. */
export function isLiveNonce(signed: SignedTransaction, account: (address: Address) => Account | undefined): boolean {
  const [first] = signed.instructions
  if (first === undefined || signed.accounts[first.program] !== SYSTEM_PROGRAM || first.data[0] !== ADVANCE)
    return false
  const stored = account(signed.accounts[first.accounts[0] ?? -1] ?? SYSTEM_PROGRAM)
  if (stored?.owner !== SYSTEM_PROGRAM || stored.bytes.length !== NONCE_BYTES) return false
  return toBase58(stored.bytes.subarray(NONCE_AT, NONCE_AT + 32)) === signed.lifetime
}
