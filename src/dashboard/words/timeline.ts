import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { isJob } from '../../types/job-type.js'
import { jobTitle } from './job-plans.js'
import { whyWords } from '../../api/words/reasons.js'

/** What happened in a task, oldest first: both sides' plans, what was recorded, and the steps of a paid job. */

export type Task = AnswerOf<'owner.tasks.read'>['task']
type Proposal = Task['proposals'][number]
type Job = NonNullable<Task['job']>

export type Moment =
  | {
      readonly kind: 'proposal'
      readonly at: string
      readonly proposal: Proposal
      readonly before: Proposal | undefined
    }
  | { readonly kind: 'confirm'; readonly at: string; readonly confirm: NonNullable<Task['confirms']>[number] }
  | { readonly kind: 'attempt'; readonly at: string; readonly attempt: Job['attempts'][number] }
  | { readonly kind: 'receipt'; readonly at: string; readonly receipt: NonNullable<Job['receipt']> }
  | { readonly kind: 'delivery'; readonly at: string; readonly delivery: NonNullable<Job['delivery']> }
  | { readonly kind: 'completed'; readonly at: string }

/** The label that its agent gave it, or else what it is about. */
export function titleOf(task: Pick<Task, 'title' | 'typeTitle' | 'type' | 'proposals'>): string {
  return isJob(task.type) ? jobTitle(task) : visible(task.title ?? task.typeTitle ?? task.type.name)
}

/** Moments of one time keep the order in which the task has them. */
export function timelineOf(task: Task): Moment[] {
  const proposals = task.proposals.map((proposal, at): Moment => ({
    kind: 'proposal',
    at: proposal.at,
    proposal,
    before: task.proposals[at - 1]
  }))
  const confirms = (task.confirms ?? []).map((confirm): Moment => ({ kind: 'confirm', at: confirm.at, confirm }))
  const all = [...proposals, ...confirms, ...(task.job === undefined ? [] : momentsOf(task.job))]
  return all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function momentsOf({ attempts, receipt, delivery, completedAt }: Job): Moment[] {
  return [
    ...attempts.map((attempt): Moment => ({ kind: 'attempt', at: attempt.at, attempt })),
    ...(receipt === undefined ? [] : [{ kind: 'receipt', at: receipt.at, receipt } as const]),
    ...(delivery === undefined ? [] : [{ kind: 'delivery', at: delivery.at, delivery } as const]),
    ...(completedAt === undefined ? [] : [{ kind: 'completed', at: completedAt } as const])
  ]
}

const UNSETTLED: ReadonlySet<string> = new Set(['open', 'negotiating'])
const AGREED: ReadonlySet<string> = new Set(['agreed', 'awaiting_approval'])

/** Whether one side may still call it off: never after a payment, nor after an action was recorded. */
export function canCancel({ status, cancelRequested }: Pick<Task, 'status' | 'cancelRequested'>): boolean {
  return cancelRequested !== true && (UNSETTLED.has(status) || AGREED.has(status))
}

/** Whether time alone can end it: a plan that is not agreed, and a job that is not paid for. */
export function endsByTime(task: Pick<Task, 'status' | 'cancelRequested' | 'type'>): boolean {
  return canCancel(task) && (UNSETTLED.has(task.status) || isJob(task.type))
}

/** Whether a plan of it can be a calendar file: an action on it was recorded. */
export function hasCalendar(task: Task): boolean {
  return (task.confirms ?? []).length > 0
}

/** How far what we sent has come, as a sentence. */
export function deliveryWords({ state, pending, reason }: Task['delivery']): string {
  if (state === 'delivered') return 'Everything that we sent lies on the other node.'
  if (state === 'refused')
    return `The other node refused what we sent${reason === undefined ? '' : `: ${whyWords(reason)}`}.`
  const many = pending === 1 ? 'One message is' : `${pending} messages are`
  return `${many} on the way${reason === undefined ? '' : `: ${whyWords(reason)}`}.`
}
