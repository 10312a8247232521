import { visible } from '../../base/visible.js'
import type { Approval } from './approvals.js'
import type { Task } from './timeline.js'

/** Paid jobs in the words of an owner. */

export const JOB_TYPE = 'job.request'

type Detail = NonNullable<NonNullable<Task['job']>['detail']>

const DETAILS: Readonly<Record<Detail, string>> = {
  payment_due: 'The hirer has to pay.',
  on_its_way: 'The payment is on its way.',
  not_landed: 'The payment has not landed for more than 10 minutes. It is sent on and looked for.',
  landed: 'The payment has landed; the provider’s receipt is awaited.',
  delivery_due: 'The provider has to deliver.',
  delivery_overdue: 'The deadline has passed without a delivery.',
  completion_due: 'The hirer has to look at the work and take it.',
  completion_overdue: 'The work was delivered more than 7 days ago, and the hirer has not taken it.'
}

const LATE: ReadonlySet<string> = new Set(['not_landed', 'delivery_overdue', 'completion_overdue'])

/** What is waited for; nothing where nothing is. */
export function detailWords(detail: string | undefined): string | undefined {
  if (detail === undefined) return undefined
  return Object.hasOwn(DETAILS, detail) ? DETAILS[detail as Detail] : visible(detail)
}

export function isLate(detail: string | undefined): boolean {
  return detail !== undefined && LATE.has(detail)
}

/** What it is about: the own label, or the brief of the newest plan, which may be the other side's words. */
export function jobTitle({ title, proposals }: Pick<Task, 'title' | 'proposals'>): string {
  const brief = proposals.at(-1)?.proposal['brief']
  return visible(title ?? (typeof brief === 'string' && brief !== '' ? brief : 'A job'))
}

/** `You hire @bob`, `@bob hires you`. */
export function hiringWords({ role, participantHandle }: Pick<Task, 'role' | 'participantHandle'>): string {
  const other = visible(participantHandle) || 'a contact that is gone'
  return role === 'inviter' ? `You hire ${other}` : `${other} hires you`
}

/** What the newest plan says it costs; nothing while no plan says it. */
export function jobPrice({ proposals }: Pick<Task, 'proposals'>): string | undefined {
  const price = proposals.at(-1)?.proposal['price']
  return typeof price === 'string' ? `${visible(price)} SOL` : undefined
}

/** The question about this job that waits for the owner. */
export function questionOf(
  task: Pick<Task, 'agent' | 'taskUid'>,
  approvals: readonly Approval[]
): Approval | undefined {
  return approvals.find(
    ({ agent, taskUid, status }) => status === 'pending' && agent === task.agent && taskUid === task.taskUid
  )
}
