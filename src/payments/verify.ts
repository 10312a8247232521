import { equalBytes, toUtf8 } from '../base/bytes.js'
import { fromBase58, toBase58 } from '../wire/base58.js'
import { PUBLIC_KEY_BYTES, verifyStrict } from '../wire/ed25519.js'
import type { FetchedTransaction } from './fetched.js'
import type { PaymentFault, PaymentFinding, QuotedTime } from './finding.js'
import { type Step, memosIn, stepsOf, transfersIn } from './steps.js'
import type { PaymentTerms } from './terms.js'
import { type SignedTransaction, decodeTransaction, lookedUp } from './transaction.js'

/**
 * Whether a transaction is the payment of these terms: the rules of protocols/payments.md, "Finding", in their order. That
 * a signature pays only once is kept where signatures are stored.
 */

/** What the rules look at. */
interface Judged {
  readonly terms: PaymentTerms
  readonly quote: QuotedTime
  readonly tx: FetchedTransaction
  readonly signed: SignedTransaction
  readonly steps: readonly Step[]
}

const RULES: ReadonlyArray<(judged: Judged) => PaymentFault | undefined> = [
  signatureFault,
  outcomeFault,
  timeFault,
  transferFault,
  payerFault,
  referenceFault,
  amountFault,
  balanceFault,
  memoFault
]

/** The finding about one transaction. */
export function verifyPayment(terms: PaymentTerms, quote: QuotedTime, tx: FetchedTransaction): PaymentFinding {
  const unread = (fault: PaymentFault): PaymentFinding => ({ paid: false, fault, received: 0n })
  if (tx.cluster !== terms.cluster) return unread('wrong_cluster')
  if (!tx.finalized) return unread('not_finalized')
  const signed = decodeTransaction(tx.bytes)
  if (signed === undefined) return unread('unreadable')
  const judged = { terms, quote, tx, signed, steps: stepsOf(signed, tx.inner) }
  for (const rule of RULES) {
    const fault = rule(judged)
    if (fault !== undefined) return { paid: false, fault, received: receivedIn(judged) }
  }
  return { paid: true, signature: tx.signature, slot: tx.slot }
}

function signatureFault({ tx, signed }: Judged): PaymentFault | undefined {
  if (toBase58(signed.signatures[0] as Uint8Array) !== tx.signature) return 'other_transaction'
  const holds = signed.signatures.every((signature, i) => {
    const key = fromBase58(signed.accounts[i] as string, PUBLIC_KEY_BYTES)
    return key !== undefined && verifyStrict(key, signed.message, signature)
  })
  return holds ? undefined : 'bad_signature'
}

function outcomeFault({ tx }: Judged): PaymentFault | undefined {
  return tx.failed ? 'failed' : undefined
}

function timeFault({ tx, quote }: Judged): PaymentFault | undefined {
  if (tx.slot < quote.issuedSlot) return 'before_quote'
  if (tx.blockTime === null) return 'undated'
  return tx.blockTime > quote.expiresAt ? 'late' : undefined
}

function transferFault({ terms, steps }: Judged): PaymentFault | undefined {
  const transfers = transfersIn(steps)
  const [ours, second] = transfers.filter(({ to }) => to === terms.recipient)
  if (second !== undefined) return 'two_transfers'
  if (ours !== undefined) return ours.inner ? 'inner_transfer' : undefined
  return transfers.some(({ others }) => others.includes(terms.reference)) ? 'wrong_recipient' : 'no_transfer'
}

function payerFault(judged: Judged): PaymentFault | undefined {
  const { payer, recipient } = judged.terms
  if (payer === recipient) return 'self_payment'
  const [feePayer] = judged.signed.accounts
  return ourTransfer(judged)?.from === payer && feePayer === payer ? undefined : 'wrong_payer'
}

function referenceFault(judged: Judged): PaymentFault | undefined {
  return ourTransfer(judged)?.others.includes(judged.terms.reference) === true ? undefined : 'no_reference'
}

function amountFault(judged: Judged): PaymentFault | undefined {
  const [moved, owed] = [ourTransfer(judged)?.lamports ?? 0n, BigInt(judged.terms.lamports)]
  if (moved === owed) return undefined
  return moved < owed ? 'short' : 'over'
}

function balanceFault(judged: Judged): PaymentFault | undefined {
  const fits = balancesFit(judged) && loadedFit(judged)
  return fits && riseIn(judged) === BigInt(judged.terms.lamports) ? undefined : 'other_balance'
}

function memoFault({ terms, steps }: Judged): PaymentFault | undefined {
  const [memo, second] = memosIn(steps)
  if (memo === undefined || (memo.inner && second === undefined)) return 'no_memo'
  if (second !== undefined) return 'two_memos'
  return equalBytes(memo.data, toUtf8(terms.memo)) ? undefined : 'wrong_memo'
}

/** The transfer to the recipient: the only one, once `transferFault` found nothing. */
function ourTransfer({ terms, steps }: Judged): ReturnType<typeof transfersIn>[number] | undefined {
  return transfersIn(steps).find(({ to }) => to === terms.recipient)
}

function balancesFit({ tx, signed }: Judged): boolean {
  const loaded = lookedUp(signed.lookups)
  const accounts = signed.accounts.length + loaded.writable + loaded.readonly
  return tx.preBalances.length === accounts && tx.postBalances.length === accounts
}

function loadedFit({ tx, signed }: Judged): boolean {
  const { writable, readonly } = lookedUp(signed.lookups)
  return tx.loaded.writable.length === writable && tx.loaded.readonly.length === readonly
}

/** By how much the recipient's balance changed; undefined when the transaction does not name the recipient. */
function riseIn({ terms, tx, signed }: Judged): bigint | undefined {
  const at = [...signed.accounts, ...tx.loaded.writable, ...tx.loaded.readonly].indexOf(terms.recipient)
  const [before, after] = [tx.preBalances[at], tx.postBalances[at]]
  return before === undefined || after === undefined ? undefined : after - before
}

function receivedIn(judged: Judged): bigint {
  const rise = judged.tx.failed ? 0n : (riseIn(judged) ?? 0n)
  return rise > 0n ? rise : 0n
}
