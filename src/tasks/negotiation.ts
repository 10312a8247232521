import type { MessageId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import type { Instant } from '../base/time.js'
import { type RefuseCode, type Side, type TaskEntry, type TaskLog, expiryOf, inviteOf } from './log.js'
import { merge } from './merge.js'
import { type Refusals, refusalsIn } from './refusals.js'

/** The negotiation as a pure function of its log and a time. Source: protocols/tasks.md, "Fold". */

export type ReducedStatus = 'open' | 'negotiating' | 'agreed' | 'confirmed' | 'cancelled' | 'expired'
type ProposalStatus = 'pending' | 'accepted' | 'rejected' | 'superseded'

/** What became of a message: `applied`, or why it has no effect. */
type Effect = 'applied' | 'opaque' | 'version_conflict' | 'illegal_transition' | 'late_refuse' | `refused:${RefuseCode}`

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
  /** Every message of the log. */
  readonly effects: ReadonlyMap<MessageId, Effect>
  readonly expiresAt: Instant
}

interface Draft {
  status: ReducedStatus
  statusReason?: string
  proposals: DraftProposal[]
  pending: DraftProposal | undefined
  /** `n` of the pending proposal. */
  pendingN: number
  acceptance?: Mark
  agreed?: MessageId
  confirms: Confirm[]
  cancel?: Cancel
}
type DraftProposal = { -readonly [K in keyof ReducedProposal]: ReducedProposal[K] }
type Of<K extends TaskEntry['kind']> = Extract<TaskEntry, { kind: K }>

/** Logs are immutable and time only ends a task, so what a log says is worked out once. */
const reductions = new WeakMap<TaskLog, Reduced>()

/** Reduces a log at `now`. The log opens with its invite; every entry has its place (`checkPlace`). */
export function fold(log: TaskLog, now: Instant): Reduced {
  let reduced = reductions.get(log)
  if (reduced === undefined) {
    reduced = reduceAll(log)
    reductions.set(log, reduced)
  }
  return isNegotiable(reduced.status) && now > reduced.expiresAt ? expired(reduced) : reduced
}

function expired({ pendingProposalId: _, ...rest }: Reduced): Reduced {
  return { ...rest, status: 'expired' }
}

function reduceAll(log: TaskLog): Reduced {
  const invite = inviteOf(log)
  const refusals = refusalsIn(log)
  const effects = effectsBeforeMerge(log, refusals)
  const draft: Draft = { status: 'open', proposals: [], pending: undefined, pendingN: 0, confirms: [] }
  const ended = refusals.refused.get(invite.id)
  if (ended !== undefined) {
    draft.status = ended === 'task_expired' ? 'expired' : 'cancelled'
    draft.statusReason = ended
  }
  for (const { side, entry } of merge(log, refusals.refused)) effects.set(entry.id, apply(draft, side, entry))
  return reducedOf(draft, effects, expiryOf(invite))
}

function effectsBeforeMerge(log: TaskLog, { refused, verdicts }: Refusals): Map<MessageId, Effect> {
  const effects = new Map<MessageId, Effect>()
  for (const [id, verdict] of verdicts) effects.set(id, verdict)
  for (const [id, code] of refused) effects.set(id, `refused:${code}`)
  for (const chain of [log.inviter, log.invitee]) {
    for (const entry of chain) if (entry.kind === 'opaque' && !refused.has(entry.id)) effects.set(entry.id, 'opaque')
  }
  return effects
}

function apply(draft: Draft, side: Side, entry: TaskEntry): Effect {
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
    case 'task.refuse':
    case 'opaque':
      throw new Error(`${entry.kind} is left out of the merge`)
  }
}

function propose(draft: Draft, side: Side, entry: Of<'task.invite'> | Of<'task.propose'>): Effect {
  if (!isNegotiable(draft.status)) return 'illegal_transition'
  if (draft.pending !== undefined) draft.pending.status = 'superseded'
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
  draft.pending = undefined
  if (entry.body.decision === 'reject') {
    pending.status = 'rejected'
    draft.status = 'negotiating'
    return 'applied'
  }
  pending.status = 'accepted'
  draft.status = 'agreed'
  draft.agreed = pending.proposalId
  draft.acceptance = { side, id: entry.id, n: entry.n }
  return 'applied'
}

function confirm(draft: Draft, side: Side, entry: Of<'task.confirm'>): Effect {
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

function reducedOf(draft: Draft, effects: Map<MessageId, Effect>, expiresAt: Instant): Reduced {
  const { status, statusReason, pending, agreed, acceptance, confirms, cancel: ended } = draft
  return {
    status,
    ...(statusReason === undefined ? {} : { statusReason }),
    proposals: draft.proposals,
    ...(pending !== undefined && isNegotiable(status) ? { pendingProposalId: pending.proposalId } : {}),
    ...(agreed === undefined ? {} : { agreedProposalId: agreed }),
    ...(acceptance === undefined ? {} : { acceptance }),
    confirms,
    ...(ended === undefined ? {} : { cancel: ended }),
    effects,
    expiresAt
  }
}

/** Whether a plan can still be proposed and answered. */
export function isNegotiable(status: ReducedStatus | 'awaiting_approval'): status is 'open' | 'negotiating' {
  return status === 'open' || status === 'negotiating'
}

function isEnded(status: ReducedStatus): boolean {
  return status === 'cancelled' || status === 'expired' || status === 'confirmed'
}
