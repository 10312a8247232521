import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import type { PaymentFault } from '../../payments/finding.js'
import type { Run } from './context.js'
import { statusText } from './job-words.js'
import { explorerLink, sol } from './money-text.js'
import type { NameOf } from './names.js'
import { facts, table } from './table.js'
import { shortTime } from './times.js'

/** The money of jobs, for the owner: what was sent, what came, and what was odd about it. */

type Page = AnswerOf<'owner.payments.list'>
type Hints = Pick<Run, 'command'>
export type Money = Page['items'][number]
type Sent = Money['paid'][number]
type Received = Money['received'][number]

export function paymentList(page: Page, nameOf: NameOf, hints: Hints): string {
  if (page.items.length === 0) return 'No payments.'
  const rows = page.items.map((money) => [
    money.taskUid,
    money.role === 'hirer' ? 'to' : 'from',
    nameOf(money.participant),
    `${money.price} SOL`,
    statusText(money.status, money.detail),
    [...money.paid.map(({ state }) => state), ...money.received.map(({ code }) => code)].join(', ') || 'nothing yet'
  ])
  const odd = page.items.filter((money) => money.received.some(isOdd))
  const looks = odd.map((money) => `Odd money: ${hints.command(`payment show ${money.taskUid}`)}`)
  return [table(['task', '', 'agent', 'price', 'job', 'money'], rows), ...looks].join('\n\n')
}

export function paymentText(money: Money, nameOf: NameOf): string {
  const opening = facts([
    ['task', money.taskUid],
    [money.role === 'hirer' ? 'to' : 'from', `${nameOf(money.participant)} ${money.participant}`],
    ['price', `${money.price} SOL on ${money.cluster}`],
    ['job', statusText(money.status, money.detail)]
  ])
  const sent = money.paid.map((one) => sentText(one, money.cluster))
  const received = money.received.map((one) => receivedText(one, money.cluster))
  const hint = money.received.some(isOdd) ? [KEPT] : []
  return [opening, ...sent, ...received, ...hint].join('\n\n')
}

function sentText({ attempt, state, terms, at, signature, code }: Sent, cluster: string): string {
  const heading = `Attempt ${attempt}, promised ${shortTime(at)}: ${SENT[state]}`
  const why = code === undefined ? [] : [['why', codeText(UNPAID, code)] as const]
  const rows = [
    ['amount', sol(terms.lamports)],
    ['from', terms.payer],
    ['to', terms.recipient],
    ['reference', terms.reference],
    ['memo', terms.memo],
    ...signed(signature, cluster),
    ...why
  ] as const
  return `${heading}\n${indented(rows)}`
}

function receivedText({ signature, attempt, code, lamports, at }: Received, cluster: string): string {
  const heading = `Seen ${shortTime(at)}: ${codeText(RECEIVED, code)}`
  const rows = [['amount', sol(lamports)], ['for', `attempt ${attempt}`], ...signed(signature, cluster)] as const
  return `${heading}\n${indented(rows)}`
}

function signed(signature: string | undefined, cluster: string): ReadonlyArray<readonly [string, string]> {
  if (signature === undefined) return []
  const link = explorerLink(cluster, signature)
  return [['signature', signature], ...(link === undefined ? [] : [['look', link] as const])]
}

function indented(rows: ReadonlyArray<readonly [string, string]>): string {
  return facts(rows.map(([name, value]) => [`  ${name}`, value]))
}

function isOdd({ code }: Received): boolean {
  return code !== 'paid'
}

const KEPT =
  'Money that does not pay for the job is in your wallet all the same. Your node sends nothing back: that is for you.'

const SENT: Readonly<Record<Sent['state'], string>> = {
  sealed: 'promised, not signed yet',
  signed: 'signed and sent; not seen finalized yet',
  landed: 'landed: finalized on the chain',
  dead: 'dead: it can never land, and nothing was paid',
  lost: 'this home was restored and forgot it; it is looked for on the chain, and never signed again'
}

/** Why an attempt of ours ended without paying. */
const UNPAID: Readonly<Record<string, string>> = {
  insufficient_funds: 'the wallet holds too little for price and fee; ask for play money with agentlink wallet airdrop',
  payment_too_late: 'too little time was left before the agreement ends',
  paid_before: 'an earlier payment for this job has landed after all',
  not_landed: 'the chain took it in none of the blocks in which it could land',
  failed: 'the chain took it and it failed',
  refused: 'the other node refused the promise'
}

/** What became of money that came. */
const RECEIVED: Readonly<Record<PaymentFault | 'paid' | 'double' | 'already_spent', string>> = {
  paid: 'it pays for the job',
  double: 'it came after the job was paid already',
  already_spent: 'it pays for another job already',
  late: 'it came after the agreement had ended',
  short: 'it is less than the price',
  over: 'it is more than the price',
  wrong_payer: 'it came from another address than the one that promised to pay',
  wrong_recipient: 'it went to another address than yours',
  wrong_memo: 'its memo names another task or plan',
  no_memo: 'no memo of it names the task',
  two_memos: 'it has more than one memo',
  no_reference: 'the transfer does not name the reference of the promise',
  no_transfer: 'the money was not moved by a plain transfer',
  two_transfers: 'it pays you more than once in one transaction',
  inner_transfer: 'a program moved the money: the payer did not sign the transfer itself',
  other_balance: 'your balance changed by another sum than the transfer says',
  self_payment: 'payer and recipient are one',
  before_quote: 'it is older than your quote',
  undated: 'the time of its block is unknown',
  failed: 'the chain took it and it failed',
  wrong_cluster: 'it is from another chain',
  not_finalized: 'it is not finalized',
  unreadable: 'it has a form that no payment has',
  other_transaction: 'it is another transaction than the one that was asked for',
  bad_signature: 'it has a signature that does not hold'
}

/** What a code means, and the code for looking it up; one of a newer node stands alone. */
function codeText(table: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(table, code) ? `${table[code]} (${code})` : visible(code)
}
