import type { AnswerOf } from '../../api/contract.js'
import { linesOf } from '../../api/plan-lines.js'
import { worded } from '../../api/words/labels.js'
import { workWords } from '../../api/words/reasons.js'
import type { Run } from './context.js'
import type { NameOf } from './names.js'
import { facts } from './table.js'
import { shortTime } from './times.js'

/** Delegated tasks on the screen. Their texts are another agent's: `table` and `facts` make them visible. */

export type Envelope = AnswerOf<'envelopes.read'>['envelope']
type Written = AnswerOf<'envelopes.claim'>
type Hints = Pick<Run, 'command'>

export function envelopeList(
  page: AnswerOf<'envelopes.list'>,
  nameOf: NameOf,
  run: Pick<Run, 'command' | 'table'>
): string {
  if (page.items.length === 0) return 'No delegated tasks.'
  const rows = page.items.map((one) => [
    one.taskId,
    one.role === 'sender' ? 'to' : 'from',
    nameOf(one.participant),
    [stateText(one), ...waitText(one), ...conflictText(one)].join(', '),
    one.proof,
    shortTime(one.expiresAt)
  ])
  const more = page.next === undefined ? '' : `\n\nMore: ${run.command(`envelope list --after ${page.next}`)}`
  return run.table(['task', '', 'agent', 'state', 'proof', 'until'], rows) + more
}

export function envelopeText(one: Envelope, nameOf: NameOf, hints: Hints): string {
  const opening = facts([
    ['task', one.taskId],
    [one.role === 'sender' ? 'to' : 'from', `${nameOf(one.participant)} ${one.participant}`],
    ['state', stateText(one)],
    ...whyRows(one),
    ...conflictRow(one),
    ...dependencyRow(one),
    ['proof', proofText(one, hints)],
    ...(one.toolsGranted === undefined ? [] : [['tools granted', toolsText(one.toolsGranted)] as const]),
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
export function writtenText(answer: Written, hints: Hints): string {
  if (answer.status === 'pending_approval') {
    return `It waits for your yes: ${hints.command(`approval show ${answer.approvalId}`)}`
  }
  const { envelope, status } = answer
  const proof = envelope.proof === 'none' ? '' : `, proof ${envelope.proof}`
  const text = `${envelope.taskId} is ${stateText(envelope)}${proof}.`
  return status === 'unchanged' ? `${text} It was so before: nothing was written.` : text
}

/** What a claim gave, and what it did not. */
export function claimedText(answer: Written, hints: Hints): string {
  const text = writtenText(answer, hints)
  if (answer.status === 'pending_approval') return text
  const { toolsGranted = [] } = answer.envelope
  return `${text}\nTools granted: ${toolsText(toolsGranted)}. \`${hints.command('ledger list')}\` shows what your agent has.`
}

function toolsText(tools: readonly string[]): string {
  return tools.length === 0 ? 'none' : tools.join(', ')
}

function lines(part: Envelope['contract']): string {
  return facts(
    linesOf(part)
      .map(worded)
      .map(([label, value]) => [`  ${label}`, value])
  )
}

/** `other` says nothing that the state does not. */
function stateText(one: Envelope): string {
  const why = one.code === undefined || one.code === 'other' ? '' : ` (${one.code})`
  const cancel = one.cancelRequested === true ? ', cancel requested' : ''
  return `${one.state}${why}${cancel}`
}

/** Why it stopped or ended, and what its writer said about that. */
function whyRows({ code, reason }: Envelope): Array<readonly [string, string]> {
  return [
    ...(code === undefined ? [] : [['why', workWords(code)] as const]),
    ...(reason === undefined ? [] : [['in its words', reason] as const])
  ]
}

/** What a task that nobody claimed yet waits for; the rest is in `envelope show`. */
function waitText(one: Envelope): string[] {
  const open = one.dependencies.filter(({ outcome }) => outcome !== 'completed')
  if (one.state !== 'submitted' || open.length === 0) return []
  const more = open.length === 1 ? '' : ` and ${open.length - 1} more`
  return [`waits for ${open[0]?.taskId}${more}`]
}

function conflictText({ conflictsWith, conflictingFiles = [] }: Envelope): string[] {
  if (conflictsWith === undefined) return []
  return [`with ${conflictsWith}`, ...(conflictingFiles.length === 0 ? [] : [`over ${conflictingFiles.join(', ')}`])]
}

function conflictRow(one: Envelope): Array<readonly [string, readonly string[]]> {
  const { conflictsWith, conflictingFiles = [] } = one
  if (conflictsWith !== undefined) return [['conflicts with', [`task ${conflictsWith}`, ...conflictingFiles]]]
  if (one.code !== 'ownership_conflict') return []
  return [['conflicts with', [`a task of another sender at ${one.role === 'sender' ? 'the recipient' : 'this node'}`]]]
}

function dependencyRow({ dependencies }: Envelope): Array<readonly [string, readonly string[]]> {
  if (dependencies.length === 0) return []
  return [['depends on', dependencies.map(({ taskId, outcome = 'still open' }) => `${taskId} (${outcome})`)]]
}

function proofText({ proof, role, taskId }: Envelope, hints: Hints): string {
  if (proof !== 'claimed') return PROOFS[proof]
  const own = `see for yourself with: ${hints.command(`envelope verify ${taskId}`)}`
  return role === 'sender' ? `${PROOFS.claimed}; ${own}` : PROOFS.claimed
}

const PROOFS: Readonly<Record<Envelope['proof'], string>> = {
  none: 'none yet',
  claimed: 'claimed by the recipient',
  verified: 'verified: the sender ran the check itself, and it passed',
  disputed: 'disputed: the sender ran the check itself, and it did not pass'
}
