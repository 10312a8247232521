/** What the cases of payments are made of. */
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import type { MessageId, TaskUid } from '../../../src/base/ids.js'
import type { FetchedTransaction } from '../../../src/payments/fetched.js'
import type { PaymentFault, QuotedTime } from '../../../src/payments/finding.js'
import { memoOf } from '../../../src/payments/memo.js'
import { MEMO_PROGRAM } from '../../../src/payments/programs.js'
import type { PaymentTerms } from '../../../src/payments/terms.js'
import { PaymentChain, keypair } from './payment-chain.js'
import { SOME_ID, SOME_UID } from './people.js'

export interface Case {
  readonly name: string
  readonly fault: PaymentFault | undefined
  readonly terms: PaymentTerms
  readonly quote: QuotedTime
  readonly tx: FetchedTransaction
}

export const OLD_MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'
export const hirer = keypair(0x51)
export const provider = keypair(0x52)
export const reference = keypair(0x53).publicKey
export const other = keypair(0x54)
export const third = keypair(0x55)
export const MEMO = memoOf(SOME_UID as TaskUid, SOME_ID as MessageId)
export const LAMPORTS = 250_000_000
const HOUR = 3_600_000

export const TERMS: PaymentTerms = {
  cluster: 'solana:localnet',
  payer: hirer.publicKey.toBase58(),
  recipient: provider.publicKey.toBase58(),
  lamports: String(LAMPORTS),
  reference: reference.toBase58(),
  memo: MEMO
}

/** One chain for all cases: everybody who pays has money on it. */
export const chain = new PaymentChain(hirer)
for (const wallet of [hirer, provider, other, third]) chain.fund(wallet.publicKey)
export const QUOTE: QuotedTime = { issuedSlot: chain.slot, expiresAt: chain.now + 6 * HOUR }

interface TransferOf {
  readonly from?: PublicKey
  readonly to?: PublicKey
  readonly lamports?: number | bigint
  /** Further accounts, read-only. Default: the reference. */
  readonly others?: readonly PublicKey[]
}

export function transfer({
  from = hirer.publicKey,
  to = provider.publicKey,
  lamports = LAMPORTS,
  others = [reference]
}: TransferOf = {}): TransactionInstruction {
  const one = SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })
  for (const pubkey of others) one.keys.push({ pubkey, isSigner: false, isWritable: false })
  return one
}

export function memo(text: string | Uint8Array = MEMO, program = MEMO_PROGRAM): TransactionInstruction {
  return new TransactionInstruction({ keys: [], programId: new PublicKey(program), data: Buffer.from(text) })
}

type Over = Partial<Pick<Case, 'terms' | 'quote'>>

export function paid(name: string, tx: FetchedTransaction, over: Over = {}): Case {
  return { name, fault: undefined, terms: TERMS, quote: QUOTE, tx, ...over }
}

export function refused(fault: PaymentFault, name: string, tx: FetchedTransaction, over: Over = {}): Case {
  return { name: `${fault}: ${name}`, fault, terms: TERMS, quote: QUOTE, tx, ...over }
}
