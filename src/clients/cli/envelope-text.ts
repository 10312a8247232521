import type { AnswerOf } from '../../api/contract.js'
import { linesOf } from '../../api/plan-lines.js'
import type { NameOf } from './names.js'
import { facts, table } from './table.js'
import { shortTime } from './times.js'

/** Delegated tasks on the screen. Their texts are another agent's: `table` and `facts` make them visible. */

export type Envelope = AnswerOf<'envelopes.read'>['envelope']
type Written = AnswerOf<'envelopes.claim'>

export function envelopeList(page: AnswerOf<'envelopes.list'>, nameOf: NameOf): string {
  if (page.items.length === 0) return 'No delegated tasks.'
  const rows = page.items.map((one) => [
    one.taskId,
    one.role === 'sender' ? 'to' : 'from',
    nameOf(one.participant),
    stateText(one),
    one.proof,
    shortTime(one.expiresAt)
  ])
  const more = page.next === undefined ? '' : `\n\nMore: agentlink envelope list --after ${page.next}`
  return table(['task', '', 'agent', 'state', 'proof', 'until'], rows) + more
}

export function envelopeText(one: Envelope, nameOf: NameOf): string {
  const opening = facts([
    ['task', one.taskId],
    [one.role === 'sender' ? 'to' : 'from', `${nameOf(one.participant)} ${one.participant}`],
    ['state', stateText(one)],
    ['proof', PROOFS[one.proof]],
    ...(one.toolsGranted === undefined ? [] : [['tools granted', one.toolsGranted.join(', ') || 'none'] as const]),
    ['until', shortTime(one.expiresAt)]
  ])
  const parts = [
    ['contract', one.contract],
    ['staged', one.staged],
    ['result', one.result]
  ] as const
  const shown = parts.flatMap(([name, part]) => (part === undefined ? [] : [`${name}\n${lines(part)}`]))
  const verdicts = one.verdicts.map((verdict) => `verdict\n${lines(verdict)}`)
  return [opening, ...shown, ...verdicts].join('\n\n')
}

/** What a write did, in a sentence. */
export function writtenText(answer: Written): string {
  if (answer.status === 'pending_approval') {
    return `It waits for your yes: agentlink approval show ${answer.approvalId}`
  }
  const { envelope, status } = answer
  const proof = envelope.proof === 'none' ? '' : `, proof ${envelope.proof}`
  const text = `${envelope.taskId} is ${stateText(envelope)}${proof}.`
  return status === 'unchanged' ? `${text} It was so before: nothing was written.` : text
}

function lines(part: Envelope['contract']): string {
  return facts(linesOf(part).map((line) => [`  ${line.path}`, line.value]))
}

function stateText(one: Envelope): string {
  const why = one.code === undefined ? '' : ` (${one.code})`
  const cancel = one.cancelRequested === true ? ', cancel requested' : ''
  return `${one.state}${why}${cancel}`
}

const PROOFS: Readonly<Record<Envelope['proof'], string>> = {
  none: 'none yet',
  claimed: 'claimed by the recipient; run `agentlink envelope verify` to see for yourself',
  verified: 'verified: the sender ran the check itself, and it passed',
  disputed: 'disputed: the sender ran the check itself, and it did not pass'
}
