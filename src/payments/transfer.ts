import { concat, toUtf8 } from '../base/bytes.js'
import { fromBase58 } from '../wire/base58.js'
import { PUBLIC_KEY_BYTES } from '../wire/ed25519.js'
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from './programs.js'
import type { PaymentTerms } from './terms.js'

/** The one form of transaction that this node makes. Source: protocols/payments.md, "The transaction". */

/** Number of the System program's Transfer. */
export const TRANSFER = 2
export const TRANSFER_BYTES = 12

/** One signer, who may be written to; of the other four accounts the last three are only read. */
const HEADER = Uint8Array.of(1, 0, 3)
const [PAYER, RECIPIENT, REFERENCE, SYSTEM, MEMO] = [0, 1, 2, 3, 4]

/**
 * The message that the payer signs, on a recent blockhash (base58 of 32 bytes). Undefined when two of its accounts are the
 * same, as in a payment to oneself: there is no such payment.
 */
export function transferMessage(terms: PaymentTerms, blockhash: string): Uint8Array | undefined {
  const names = [terms.payer, terms.recipient, terms.reference, SYSTEM_PROGRAM, MEMO_PROGRAM]
  if (new Set(names).size < names.length) return undefined
  const memo = toUtf8(terms.memo)
  return concat(
    HEADER,
    compact(names.length),
    ...names.map(keyOf),
    keyOf(blockhash),
    compact(2),
    instruction(MEMO, [], memo),
    instruction(SYSTEM, [PAYER, RECIPIENT, REFERENCE], transferOf(BigInt(terms.lamports)))
  )
}

/** A transaction with its one signature. */
export function withSignature(signature: Uint8Array, message: Uint8Array): Uint8Array {
  return concat(compact(1), signature, message)
}

function keyOf(name: string): Uint8Array {
  const key = fromBase58(name, PUBLIC_KEY_BYTES)
  if (key === undefined) throw new RangeError('not base58 of 32 bytes')
  return key
}

function transferOf(lamports: bigint): Uint8Array {
  const data = new Uint8Array(TRANSFER_BYTES)
  const view = new DataView(data.buffer)
  view.setUint32(0, TRANSFER, true)
  view.setBigUint64(4, lamports, true)
  return data
}

function instruction(program: number, accounts: readonly number[], data: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(program), compact(accounts.length), Uint8Array.from(accounts), compact(data.length), data)
}

/** A length below 16384, which is more than a transaction holds. */
function compact(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
}
