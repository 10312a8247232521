import type { AnswerOf } from '../../api/contract.js'
import { explorerOf, solOf } from '../../api/words/money.js'
import { KEPT_WORDS, deadWords, isOdd, receivedWords } from '../../api/words/payments.js'
import type { Run } from './context.js'
import { statusText } from './job-text.js'
import type { NameOf } from './names.js'
import { facts } from './table.js'
import { shortTime } from './times.js'

/** The money of jobs, for the owner: what was sent, what came, and what was odd about it. */

type Page = AnswerOf<'owner.payments.list'>
type Hints = Pick<Run, 'command'>
export type Money = Page['items'][number]
type Sent = Money['paid'][number]
type Received = Money['received'][number]

export function paymentList(page: Page, nameOf: NameOf, run: Pick<Run, 'command' | 'table'>): string {
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
  const looks = odd.map((money) => `Odd money: ${run.command(`payment show ${money.taskUid}`)}`)
  return [run.table(['task', '', 'agent', 'price', 'job', 'money'], rows), ...looks].join('\n\n')
}

export function paymentText(money: Money, nameOf: NameOf, hints: Hints): string {
  const opening = facts([
    ['task', money.taskUid],
    [money.role === 'hirer' ? 'to' : 'from', `${nameOf(money.participant)} ${money.participant}`],
    ['price', `${money.price} SOL on ${money.cluster}`],
    ['job', statusText(money.status, money.detail)]
  ])
  const sent = money.paid.map((one) => sentText(one, money.cluster))
  const received = money.received.map((one) => receivedText(one, money.cluster))
  const kept = money.received.some(isOdd) ? [KEPT_WORDS] : []
  return [opening, ...sent, ...received, ...kept, ...moreMoney(money, hints)].join('\n\n')
}

/** How to get play money, while the job can still be paid and the wallet held too little for it. */
function moreMoney({ status, paid }: Money, hints: Hints): string[] {
  if (status !== 'agreed' || paid.at(-1)?.code !== 'insufficient_funds') return []
  return [`More play money: ${hints.command('wallet airdrop')}`]
}

function sentText({ attempt, state, terms, at, signature, code }: Sent, cluster: string): string {
  const heading = `Attempt ${attempt}, promised ${shortTime(at)}: ${SENT[state]}`
  const why = code === undefined ? [] : [['why', deadWords(code)] as const]
  const rows = [
    ['amount', solOf(terms.lamports)],
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
  const heading = `Seen ${shortTime(at)}: ${receivedWords(code)}`
  const rows = [['amount', solOf(lamports)], ['for', `attempt ${attempt}`], ...signed(signature, cluster)] as const
  return `${heading}\n${indented(rows)}`
}

function signed(signature: string | undefined, cluster: string): ReadonlyArray<readonly [string, string]> {
  if (signature === undefined) return []
  const link = explorerOf(cluster, signature)
  return [['signature', signature], ...(link === undefined ? [] : [['look', link] as const])]
}

function indented(rows: ReadonlyArray<readonly [string, string]>): string {
  return facts(rows.map(([name, value]) => [`  ${name}`, value]))
}

const SENT: Readonly<Record<Sent['state'], string>> = {
  sealed: 'promised, not signed yet',
  signed: 'signed and sent; not seen finalized yet',
  landed: 'landed: finalized on the chain',
  dead: 'dead: it can never land, and nothing was paid',
  lost: 'this home was restored and forgot it; it is looked for on the chain, and never signed again'
}
