import type { MessageId } from '../../base/ids.js'
import type { BodyOf } from '../../wire/kinds.js'
import type { Side, TaskEntry } from '../log.js'

/**
 * The steps of a paid job after its plan was agreed, entry by entry in merged order. The hirer is the inviter, the
 * provider the invitee. Source: protocols/jobs.md, "Fold".
 */

export type JobStatus = 'paying' | 'paid' | 'delivered' | 'completed'

type JobKind = 'job.pay' | 'job.unpaid' | 'job.paid' | 'job.deliver' | 'job.complete'
export type JobEntry = Extract<TaskEntry, { kind: JobKind }>
type Of<K extends JobKind> = Extract<TaskEntry, { kind: K }>

/** One try to pay, as its `job.pay` named it. */
export interface Attempt {
  /** 1, 2, 3 … */
  readonly attempt: number
  readonly reference: string
  readonly payer: string
  /** Its `job.pay`, and where that stands in the hirer's chain. */
  readonly id: MessageId
  readonly n: number
  readonly at: string
  /** `open` until one side has said how it ended. */
  readonly state: 'open' | 'unpaid' | 'paid'
}

/** The provider's word that it has the money. */
interface Receipt {
  readonly attempt: number
  readonly signature: string
  readonly slot: number
  readonly at: string
}

interface Delivery {
  readonly id: MessageId
  readonly n: number
  readonly at: string
  readonly body: BodyOf<'job.deliver'>
}

/** What the steps of a job have made true. */
export interface JobState {
  readonly attempts: readonly Attempt[]
  readonly receipt?: Receipt
  readonly delivery?: Delivery
  readonly completedAt?: string
}

/** What a step does: the next status and state, or why it has no effect. */
type Step =
  { readonly status: JobStatus | 'agreed'; readonly job: JobState } | 'illegal_transition' | 'version_conflict'

/** Where a job stands before a step. */
export interface JobDraft {
  readonly status: string
  readonly agreed: MessageId | undefined
  readonly job: JobState
}

export const NO_STEPS: JobState = { attempts: [] }

/** Whether an entry is a step of a job. */
export function isJobEntry(entry: TaskEntry): entry is JobEntry {
  return entry.kind.startsWith('job.')
}

/** What the next step in merged order does to a job that stands so. */
export function jobStep(draft: JobDraft, side: Side, entry: JobEntry): Step {
  switch (entry.kind) {
    case 'job.pay':
      return side === 'inviter' ? pay(draft, entry) : 'illegal_transition'
    case 'job.unpaid':
      return side === 'inviter' ? unpaid(draft, entry) : 'illegal_transition'
    case 'job.paid':
      return side === 'invitee' ? paid(draft, entry) : 'illegal_transition'
    case 'job.deliver':
      return side === 'invitee' ? deliver(draft, entry) : 'illegal_transition'
    case 'job.complete':
      return side === 'inviter' ? complete(draft, entry) : 'illegal_transition'
  }
}

function pay({ status, agreed, job }: JobDraft, { id, n, at, body }: Of<'job.pay'>): Step {
  const { attempt, reference, payer, proposalId } = body
  if (status !== 'agreed' || attempt !== job.attempts.length + 1) return 'illegal_transition'
  if (proposalId !== agreed) return 'version_conflict'
  // A payment is found by its reference: one that was used before could be taken for the new one.
  if (job.attempts.some((earlier) => earlier.reference === reference)) return 'illegal_transition'
  const made: Attempt = { attempt, reference, payer, id, n, at, state: 'open' }
  return { status: 'paying', job: { ...job, attempts: [...job.attempts, made] } }
}

function unpaid({ status, job }: JobDraft, { body }: Of<'job.unpaid'>): Step {
  if (status !== 'paying' || body.attempt !== job.attempts.length) return 'illegal_transition'
  return { status: 'agreed', job: withState(job, body.attempt, 'unpaid') }
}

/** Money that came is paid, whatever its sender believed: an earlier attempt counts while no other was paid. */
function paid({ status, job }: JobDraft, { at, body }: Of<'job.paid'>): Step {
  const { attempt, signature, slot } = body
  if (status !== 'paying' && status !== 'agreed') return 'illegal_transition'
  if (attempt > job.attempts.length) return 'version_conflict'
  const receipt: Receipt = { attempt, signature, slot, at }
  return { status: 'paid', job: { ...withState(job, attempt, 'paid'), receipt } }
}

function deliver({ status, job }: JobDraft, { id, n, at, body }: Of<'job.deliver'>): Step {
  if (status !== 'paid') return 'illegal_transition'
  return { status: 'delivered', job: { ...job, delivery: { id, n, at, body } } }
}

function complete({ status, job }: JobDraft, { at }: Of<'job.complete'>): Step {
  if (status !== 'delivered') return 'illegal_transition'
  return { status: 'completed', job: { ...job, completedAt: at } }
}

function withState(job: JobState, attempt: number, state: Attempt['state']): JobState {
  return { ...job, attempts: job.attempts.map((one) => (one.attempt === attempt ? { ...one, state } : one)) }
}
