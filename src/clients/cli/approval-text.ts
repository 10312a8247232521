import type { AnswerOf } from '../../api/contract.js'
import { changesBetween, linesOf } from '../../api/plan-lines.js'
import { worded } from '../../api/words/labels.js'
import { isJob } from '../../types/job-type.js'
import type { Run } from './context.js'
import { shortened } from './fit.js'
import { facts, table } from './table.js'
import { shortTime } from './times.js'
import { inspectionText, typeName } from './type-text.js'
import { leftText } from './wallet-text.js'

type Approval = AnswerOf<'owner.approvals.read'>['approval']
type Rows = ReadonlyArray<readonly [string, string]>
type OfKind<K extends Approval['kind']> = Extract<Approval, { readonly kind: K }>

/**
 * What the owner decides on. `capabilities` says for each top-level field what it is disclosed under; a field that it
 * doesn't know is shown with `?`, never left out.
 */
export function approvalText(
  approval: Approval,
  capabilities: ReadonlyMap<string, string>,
  hints: Pick<Run, 'command'>
): string {
  return [...partsOf(approval, capabilities), ...answers(approval, hints)].join('\n\n')
}

function partsOf(approval: Approval, capabilities: ReadonlyMap<string, string>): string[] {
  switch (approval.kind) {
    case 'envelope':
      return delegatedParts(approval)
    case 'type':
      return typeQuestionParts(approval)
    case 'payment':
      return paymentParts(approval)
    case 'delivery':
      return deliveryParts(approval)
    case 'action':
      return [planOpening(approval), ...actionParts(approval)]
    case 'disclosure':
      return [planOpening(approval), ...disclosureParts(approval, capabilities)]
  }
}

/** What every question of an agent begins with: who asks, and what its yes does. */
function opening(approval: Exclude<Approval, { readonly kind: 'type' }>, does: string, more: Rows): string {
  return facts([
    ['approval', approval.approvalId],
    ['status', `${approval.status}, until ${shortTime(approval.expiresAt)}`],
    ['from', approval.agent],
    ['to', `${approval.participantHandle} ${approval.participant}`],
    ...(approval.title === undefined ? [] : [['about', shortened(approval.title, ABOUT_COLUMNS)] as const]),
    ['does', does],
    ...more,
    ['needs your yes', approval.capabilities]
  ])
}

function planOpening(approval: OfKind<'disclosure'> | OfKind<'action'>): string {
  const { type } = approval
  return opening(approval, deedOf(approval), [
    ['type', `${type.name}@${type.version} ${type.hash}`],
    ['task', approval.taskUid ?? 'none']
  ])
}

/** Text that would leave in a delegated task, whole. */
function delegatedParts(approval: OfKind<'envelope'>): string[] {
  const under = approval.capabilities.join(', ')
  const rows = linesOf(approval.content).map((line) => [...worded(line), under])
  const leaves = table(['this leaves', 'value', 'under'], rows)
  return [opening(approval, `sends ${approval.action}`, [['task', approval.taskId]]), leaves]
}

/** A payment: every parameter that a yes binds, and the plan that it pays for. */
function paymentParts(approval: OfKind<'payment'>): string[] {
  const { terms, proposal, limits } = approval
  const head = opening(approval, `PAYS ${String(proposal['price'])} SOL. There are no refunds.`, [
    ['task', approval.taskUid ?? 'none'],
    ...(limits === undefined ? [] : [['limits', leftText(limits, String(terms['lamports']))] as const])
  ])
  const bound = [...linesOf(terms).map(worded), ['plan', approval.proposalId], ['attempt', String(approval.attempt)]]
  const plan = linesOf(proposal).map(worded)
  return [head, table(['exactly this payment', ''], bound), table(['for this plan', ''], plan)]
}

/** What would be handed over for a job, whole. */
function deliveryParts(approval: OfKind<'delivery'>): string[] {
  const rows = linesOf(approval.content).map(worded)
  const head = opening(approval, 'delivers a job', [['task', approval.taskUid ?? 'none']])
  return [head, table(['this leaves', 'value'], rows)]
}

/** An invite that brought a type: who sent it, and what the type asks for. */
function typeQuestionParts(approval: OfKind<'type'>): string[] {
  const tasks = approval.held === 1 ? '1 task waits' : `${approval.held} tasks wait`
  const head = facts([
    ['approval', approval.approvalId],
    ['status', `${approval.status}, until ${shortTime(approval.expiresAt)}`],
    ['sent by', `${approval.participantHandle} ${approval.participant}`],
    ['to', approval.agent],
    ['asks', `to install ${typeName(approval.type)}; ${tasks} for your answer`]
  ])
  return [head, inspectionText(approval.inspection)]
}

function deedOf(approval: OfKind<'disclosure'> | OfKind<'action'>): string {
  if (approval.kind === 'disclosure')
    return approval.action === 'create' ? 'creates a task with this proposal' : 'sends this proposal'
  return `records ${approval.action} (${approval.label}) and tells the other side; nothing is done in the outside world`
}

function disclosureParts(approval: OfKind<'disclosure'>, capabilities: ReadonlyMap<string, string>): string[] {
  const rows = linesOf(approval.proposal).map((line) => [
    ...(isJob(approval.type) ? worded(line) : [line.path, line.value]),
    capabilities.get(line.field) ?? '?'
  ])
  return [table(['this leaves', 'value', 'under'], rows), replacedText(approval)]
}

/** The exact params, and of each whether it leaves: only what the agreed plan says already does. */
function actionParts(approval: OfKind<'action'>): string[] {
  const leaving = new Set(linesOf(approval.leaves).map((line) => line.path))
  const rows = linesOf(approval.params).map((line) => [
    line.path,
    line.value,
    leaving.has(line.path) ? 'leaves, the plan says it' : 'stays in the record'
  ])
  const plan = linesOf(approval.proposal).map((line) => [line.path, line.value])
  return [table(['these params', 'value', ''], rows), table(['on the agreed plan', ''], plan)]
}

function replacedText(approval: OfKind<'disclosure'>): string {
  if (approval.replaces === undefined) return 'It replaces no earlier plan.'
  const changes = changesBetween(approval.replaces, approval.proposal)
  if (changes.length === 0) return 'It is the same as the plan that it replaces.'
  const rows = changes.map((change) => [`${change.sign} ${change.path}`, change.value])
  return table(['against the last plan', ''], rows)
}

/** Characters of a title that stand for all of it. */
const ABOUT_COLUMNS = 80

/** How far a yes reaches that is more than one. */
const REACHES = {
  once: 'this once',
  contact: 'also from now on, with this contact',
  always: 'also from now on, with all'
}

function answers(approval: Approval, hints: Pick<Run, 'command'>): string[] {
  if (approval.status !== 'pending') return []
  const { approvalId, scopes } = approval
  const yes = hints.command(`approval approve ${approvalId}`)
  const further = scopes
    .filter((scope) => scope !== 'once')
    .map((scope) => `\n         or: ${yes} --scope ${scope}  (${REACHES[scope]})`)
  return [`Answer with: ${yes}${further.join('')}\n         or: ${hints.command(`approval deny ${approvalId}`)}`]
}
