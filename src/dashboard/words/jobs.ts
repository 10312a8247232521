import { DETAILS } from '../../api/words/jobs.js'
import { rowIn } from '../../api/words/known.js'
import { visible } from '../../base/visible.js'
import { isJob } from '../../types/job-type.js'
import type { Approval } from './approvals.js'
import { handleWords } from './contacts.js'
import { priceIn } from './job-plans.js'
import type { Task } from './timeline.js'

/** Paid jobs in the words of an owner. */

const LATE: ReadonlySet<string> = new Set(['not_landed', 'delivery_overdue', 'completion_overdue'])

/** What is waited for; nothing where nothing is. */
export function detailWords(detail: string | undefined): string | undefined {
  if (detail === undefined) return undefined
  const words = rowIn(DETAILS, detail)
  return words === undefined ? visible(detail) : `${words}.`
}

export function isLate(detail: string | undefined): boolean {
  return detail !== undefined && LATE.has(detail)
}

/** `You hire @bob`, `@bob hires you`. */
export function hiringWords({ role, participantHandle }: Pick<Task, 'role' | 'participantHandle'>): string {
  const other = handleWords(participantHandle)
  return role === 'inviter' ? `You hire ${other}` : `${other} hires you`
}

/** What an agreed plan says about the money. */
export interface Agreed {
  /** With its unit. */
  readonly price: string | undefined
  readonly payTo: string | undefined
  /** Empty where no plan says it. */
  readonly cluster: string
}

export function agreedIn({ proposals, agreedProposalId }: Pick<Task, 'proposals' | 'agreedProposalId'>): Agreed {
  const plan = proposals.find((one) => one.proposalId === agreedProposalId)?.proposal
  const { payTo, cluster } = plan ?? {}
  return {
    price: priceIn(plan),
    payTo: typeof payTo === 'string' ? payTo : undefined,
    cluster: typeof cluster === 'string' ? cluster : ''
  }
}

/** Who says that the money has come. */
export function receiptWords({ role }: Pick<Task, 'role'>, { price }: Pick<Agreed, 'price'>): string {
  const money = price ?? 'the money'
  return role === 'inviter' ? `The provider says that it has ${money}` : `Your node has found ${money} on the chain`
}

type JobKey = Pick<Task, 'agent' | 'taskUid'>

/** The question about this job that waits for the owner. */
export function questionOf(task: JobKey, approvals: readonly Approval[]): Approval | undefined {
  return approvals.find((approval) => approval.status === 'pending' && isAbout(task, approval))
}

/** Questions about jobs that stand on no card of these: first of all those whose yes only makes the job. */
export function questionsBeside(tasks: readonly JobKey[], approvals: readonly Approval[]): Approval[] {
  return approvals.filter(
    (approval) =>
      approval.status === 'pending' && isJobQuestion(approval) && !tasks.some((task) => isAbout(task, approval))
  )
}

function isAbout(task: JobKey, { agent, taskUid }: Approval): boolean {
  return agent === task.agent && taskUid === task.taskUid
}

function isJobQuestion(approval: Approval): boolean {
  if (approval.kind === 'disclosure') return isJob(approval.type)
  return approval.kind === 'payment' || approval.kind === 'delivery'
}
