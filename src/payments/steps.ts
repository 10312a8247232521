import type { Address } from './address.js'
import type { CompiledInstruction, FetchedTransaction } from './fetched.js'
import { MEMO_PROGRAMS, SYSTEM_PROGRAM } from './programs.js'
import type { SignedTransaction } from './transaction.js'
import { TRANSFER, TRANSFER_BYTES } from './transfer.js'

/** The instructions of a transaction with names for numbers. Source: protocols/payments.md, "Finding". */

/** An account that came from a lookup table has no name here: the payer did not sign it. */
type Name = Address | undefined

export interface Step {
  readonly program: Name
  readonly accounts: readonly Name[]
  readonly data: Uint8Array
  /** Called by a program: the RPC node's word, not the payer's. */
  readonly inner: boolean
}

export interface Transfer {
  readonly from: Name
  readonly to: Name
  /** What else the instruction names. */
  readonly others: readonly Name[]
  readonly lamports: bigint
  readonly inner: boolean
}

/** Everything that was done: what was signed first, then what programs called. */
export function stepsOf(signed: SignedTransaction, inner: FetchedTransaction['inner']): readonly Step[] {
  const named = ({ program, accounts, data }: CompiledInstruction): Omit<Step, 'inner'> => ({
    program: signed.accounts[program],
    accounts: accounts.map((number) => signed.accounts[number]),
    data
  })
  return [
    ...signed.instructions.map((one) => ({ ...named(one), inner: false })),
    ...inner.map((one) => ({ ...named(one), inner: true }))
  ]
}

/** The steps that are transfers of the System program. */
export function transfersIn(steps: readonly Step[]): readonly Transfer[] {
  return steps.flatMap(({ program, accounts, data, inner }) => {
    if (program !== SYSTEM_PROGRAM || data.length !== TRANSFER_BYTES || accounts.length < 2) return []
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    if (view.getUint32(0, true) !== TRANSFER) return []
    const [from, to, ...others] = accounts
    return [{ from, to, others, lamports: view.getBigUint64(4, true), inner }]
  })
}

/** The steps that are memos. */
export function memosIn(steps: readonly Step[]): readonly Step[] {
  return steps.filter(({ program }) => program !== undefined && MEMO_PROGRAMS.has(program))
}
