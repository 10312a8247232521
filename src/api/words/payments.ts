import type { PaymentFault } from '../../payments/finding.js'
import { codeWords } from './known.js'

/** What payments came to, in an owner's words. Source of the codes: protocols/payments.md, "Finding"; protocols/jobs.md. */

/** What became of money that came. */
export function receivedWords(code: string): string {
  return codeWords(RECEIVED, code)
}

/** Why a payment of ours ended without paying. */
export function deadWords(code: string): string {
  return codeWords(DEAD, code)
}

/** Whether money that came did not pay for the job. */
export function isOdd({ code }: { readonly code: string }): boolean {
  return code !== 'paid'
}

/** What an owner is told of odd money. */
export const KEPT_WORDS =
  'Money that does not pay for the job is in your wallet all the same. Your node sends nothing back: that is for you.'

const RECEIVED: Readonly<Record<PaymentFault | 'paid' | 'double' | 'already_spent', string>> = {
  paid: 'It pays for the job',
  double: 'It came after the job was paid already',
  already_spent: 'It pays for another job already',
  late: 'It came after the agreement had ended',
  short: 'It is less than the price',
  over: 'It is more than the price',
  wrong_payer: 'It came from another address than the one that promised to pay',
  wrong_recipient: 'It went to another address than yours',
  wrong_memo: 'Its memo names another task or plan',
  no_memo: 'No memo of it names the task',
  two_memos: 'It has more than one memo',
  no_reference: 'It does not name the reference of the promise',
  no_transfer: 'No plain transfer moved it',
  two_transfers: 'One transaction pays you more than once',
  inner_transfer: 'A program moved it, and the payer did not sign the transfer itself',
  other_balance: 'Your balance changed by another sum than the transfer says',
  self_payment: 'Payer and recipient are one',
  before_quote: 'It is older than your quote',
  undated: 'The time of its block is not known',
  failed: 'The chain took it, and it failed',
  wrong_cluster: 'It is from another chain',
  not_finalized: 'It is not final',
  unreadable: 'It has a form that no payment has',
  other_transaction: 'It is another transaction than the one that was asked for',
  bad_signature: 'A signature of it does not hold'
}

const DEAD: Readonly<Record<string, string>> = {
  insufficient_funds: 'The wallet held too little for price and fee',
  payment_too_late: 'Too little time was left before the agreement ended',
  paid_before: 'An earlier payment for this job has landed after all',
  not_landed: 'It was in none of the blocks that could hold it',
  failed: 'The chain took it, and it failed',
  refused: 'The other node refused the promise'
}
