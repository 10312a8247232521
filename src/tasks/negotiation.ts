import type { MessageId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import type { Instant } from '../base/time.js'
import type { Writable } from '../base/writable.js'
import type { Effect, Effects } from './effects.js'
import { type JobEntry, type JobState, type JobStatus, NO_STEPS, jobStep } from './job/steps.js'
import type { RefuseCode, Side, TaskEntry } from './log.js'

/** The rules of the negotiation, entry by entry in merged order (`fold.ts`). Source: protocols/tasks.md, "Fold". */

export type ReducedStatus = 'open' | 'negotiating' | 'agreed' | 'confirmed' | 'cancelled' | 'expired' | JobStatus
type ProposalStatus = 'pending' | 'accepted' | 'rejected' | 'superseded'

export interface ReducedProposal {
  readonly proposalId: MessageId
  /** 1, 2, 3 … in merged order: a crossing may renumber it. */
  readonly version: number
  readonly side: Side
  readonly status: ProposalStatus
  readonly proposal: JsonObject
  readonly at: string
}

/** A message that made something true, and where it stands in its chain. */
interface Mark {
  readonly side: Side
  readonly id: MessageId
  readonly n: number
}

interface Confirm extends Mark {
  readonly action: string
  readonly recordId: string
}

interface Cancel extends Mark {
  /** The status that the cancel ended. */
  readonly from: 'open' | 'negotiating' | 'agreed'
}

/** What a log says at a time. */
export interface Reduced {
  readonly status: ReducedStatus
  /** Code of the cancel, or of the refusal of the invite. */
  readonly statusReason?: string
  /** In merged order; what was refused or had no effect is not among them. */
  readonly proposals: readonly ReducedProposal[]
  /** Only while the task is open or negotiating. */
  readonly pendingProposalId?: MessageId
  readonly agreedProposalId?: MessageId
  readonly acceptance?: Mark
  readonly confirms: readonly Confirm[]
  /** The cancel that has effect. */
  readonly cancel?: Cancel
  /** Of a paid job alone. */
  readonly job?: JobState
  /** Every message of the log. */
  readonly effects: Effects
  readonly expiresAt: Instant
}

/** A negotiation on its way through the log. */
export interface Draft {
  status: ReducedStatus
  statusReason?: string
  proposals: ReducedProposal[]
  pending: ReducedProposal | undefined
  /** `n` of the pending proposal. */
  pendingN: number
  acceptance?: Mark
  agreed?: MessageId
  confirms: Confirm[]
  cancel?: Cancel
  /** Set in a paid job, from the start. */
  job?: JobState
}
type Of<K extends TaskEntry['kind']> = Extract<TaskEntry, { kind: K }>

/** The negotiation before any entry. `ended`: the code by which the invite was refused, if it was. */
export function begin(ended: RefuseCode | undefined, subject: 'job' | 'plan'): Draft {
  const start: Draft = { status: 'open', proposals: [], pending: undefined, pendingN: 0, confirms: [] }
  const draft: Draft = subject === 'job' ? { ...start, job: NO_STEPS } : start
  if (ended === undefined) return draft
  return { ...draft, status: ended === 'task_expired' ? 'expired' : 'cancelled', statusReason: ended }
}

/** The same negotiation, to go on from without touching what stands. */
export function copyOf(draft: Draft): Draft {
  const copy = { ...draft }
  copy.proposals = [...draft.proposals]
  copy.confirms = [...draft.confirms]
  return copy
}

/** Applies the next entry in merged order. What is in the lists is replaced, never changed: others may hold it. */
export function apply(draft: Draft, side: Side, entry: TaskEntry): Effect {
  switch (entry.kind) {
    case 'task.invite':
      // The invite opens the log, so only the first one finds no proposal before it.
      return entry.n === 1 && side === 'inviter' ? propose(draft, side, entry) : 'illegal_transition'
    case 'task.propose':
      return propose(draft, side, entry)
    case 'task.respond':
      return respond(draft, side, entry)
    case 'task.confirm':
      return confirm(draft, side, entry)
    case 'task.cancel':
      return cancel(draft, side, entry)
    case 'job.pay':
    case 'job.unpaid':
    case 'job.paid':
    case 'job.deliver':
    case 'job.complete':
      return proceed(draft, side, entry)
    case 'task.refuse':
    case 'opaque':
      throw new Error(`${entry.kind} is left out of the merge`)
  }
}

function propose(draft: Draft, side: Side, entry: Of<'task.invite'> | Of<'task.propose'>): Effect {
  if (!isNegotiable(draft.status)) return 'illegal_transition'
  settle(draft, 'superseded')
  const { id, at } = entry
  const version = draft.proposals.length + 1
  draft.pending = { proposalId: id, version, side, status: 'pending', proposal: entry.body.proposal, at }
  draft.pendingN = entry.n
  draft.proposals.push(draft.pending)
  if (version > 1) draft.status = 'negotiating'
  return 'applied'
}

function respond(draft: Draft, side: Side, entry: Of<'task.respond'>): Effect {
  if (isEnded(draft.status)) return 'illegal_transition'
  const pending = draft.pending
  if (pending === undefined || pending.proposalId !== entry.body.proposalId) return 'version_conflict'
  // Nobody answers themselves, nor what they do not count as seen.
  if (pending.side === side || entry.seen < draft.pendingN) return 'version_conflict'
  if (entry.body.decision === 'reject') {
    settle(draft, 'rejected')
    draft.status = 'negotiating'
    return 'applied'
  }
  settle(draft, 'accepted')
  draft.status = 'agreed'
  draft.agreed = pending.proposalId
  draft.acceptance = { side, id: entry.id, n: entry.n }
  return 'applied'
}

/** What becomes of the pending proposal, if there is one. */
function settle(draft: Draft, status: ProposalStatus): void {
  if (draft.pending === undefined) return
  const settled: Writable<ReducedProposal> = { ...draft.pending }
  settled.status = status
  draft.proposals[settled.version - 1] = settled
  draft.pending = undefined
}

/** A step of a paid job; in any other task it has no effect. */
function proceed(draft: Draft, side: Side, entry: JobEntry): Effect {
  const { status, agreed, job } = draft
  if (job === undefined) return 'illegal_transition'
  const step = jobStep({ status, agreed, job }, side, entry)
  if (typeof step === 'string') return step
  draft.status = step.status
  draft.job = step.job
  return 'applied'
}

function confirm(draft: Draft, side: Side, entry: Of<'task.confirm'>): Effect {
  // A job ends by being paid, delivered and completed, and by nothing else.
  if (draft.job !== undefined) return 'illegal_transition'
  if (draft.status !== 'agreed' && draft.status !== 'confirmed') return 'illegal_transition'
  const { proposalId, action, recordId } = entry.body
  if (proposalId !== draft.agreed) return 'version_conflict'
  if (draft.confirms.some((done) => done.side === side && done.recordId === recordId)) return 'illegal_transition'
  draft.confirms.push({ side, id: entry.id, n: entry.n, action, recordId })
  draft.status = 'confirmed'
  return 'applied'
}

function cancel(draft: Draft, side: Side, entry: Of<'task.cancel'>): Effect {
  const from = draft.status
  if (!isNegotiable(from) && from !== 'agreed') return 'illegal_transition'
  draft.status = 'cancelled'
  draft.cancel = { side, id: entry.id, n: entry.n, from }
  if (entry.body.reason !== undefined) draft.statusReason = entry.body.reason
  return 'applied'
}

/** What the log says, when all of its entries were applied. */
export function reducedOf(draft: Draft, effects: Effects, expiresAt: Instant): Reduced {
  const { status, statusReason, pending, agreed, acceptance, confirms, cancel: ended, job } = draft
  // Made for each message: a literal and what there is beside it, not a row of spreads.
  const reduced: Writable<Reduced> = { status, proposals: draft.proposals, confirms, effects, expiresAt }
  if (statusReason !== undefined) reduced.statusReason = statusReason
  if (pending !== undefined && isNegotiable(status)) reduced.pendingProposalId = pending.proposalId
  if (agreed !== undefined) reduced.agreedProposalId = agreed
  if (acceptance !== undefined) reduced.acceptance = acceptance
  if (ended !== undefined) reduced.cancel = ended
  if (job !== undefined) reduced.job = job
  return reduced
}

/** Whether a plan can still be proposed and answered. */
export function isNegotiable(status: ReducedStatus | 'awaiting_approval'): status is 'open' | 'negotiating' {
  return status === 'open' || status === 'negotiating'
}

/** Whether time alone can end it: a plan that is not agreed, and a job that is not paid for. */
export function isPerishable({ status, job }: Pick<Reduced, 'status' | 'job'>): boolean {
  return isNegotiable(status) || (status === 'agreed' && job !== undefined)
}

/** Whether a response comes too late. */
function isEnded(status: ReducedStatus): boolean {
  return !isNegotiable(status) && status !== 'agreed'
}
