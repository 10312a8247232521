/**
 * Approvals: the owner's single-use yes to exact parameters. A record is a value and a change makes a new one; the flows
 * store it and recompute everything else at the moment of the yes. Source: protocols/policy.md, "Approvals".
 */
import { canonicalText } from '../base/canonical.js'
import type { AgentId, ApprovalId, MessageId, TaskUid, TypeHash } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { type DetailCode, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { Grant } from './grants.js'

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'stale' | 'used'
type AnswerScope = 'once' | 'contact' | 'always'

export interface Answer {
  readonly decision: 'approve' | 'deny'
  /** How far a yes reaches: these bytes, this contact from now on, or every contact. Of no account to a no. */
  readonly scope: AnswerScope
}

/** One capability that the owner is asked for, with the top-level fields that need it. */
interface AskedCapability {
  readonly capability: string
  readonly fields: readonly string[]
}

/** A question to the owner about sending one proposal. Key: id. */
export interface Approval {
  readonly id: ApprovalId
  readonly kind: 'disclosure'
  /** The agent of ours that wants to send. */
  readonly agent: AgentId
  readonly contact: AgentId
  readonly taskUid: TaskUid
  readonly type: { readonly name: string; readonly version: number; readonly hash: TypeHash }
  readonly action: 'create' | 'propose'
  /** The latest proposal of the task when the question was asked: what this one would replace. */
  readonly baseProposalId?: MessageId
  /** Canonical text of the exact proposal. */
  readonly payload: string
  readonly capabilities: readonly AskedCapability[]
  /** The creator's local label, for `create`; it never leaves the node. */
  readonly title?: string
  /** When the task that `create` makes will expire. */
  readonly taskExpiresAt?: Instant
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly status: ApprovalStatus
  readonly answeredAt?: Instant
  readonly decision?: Answer['decision']
  readonly scope?: AnswerScope
}

/** What is about to be sent, byte for byte. */
export interface ExactDisclosure {
  readonly agent: AgentId
  readonly contact: AgentId
  readonly taskUid: TaskUid
  readonly typeHash: TypeHash
  readonly payload: string
}

/** The text that an approval binds for a proposal. */
export function payloadOf(proposal: JsonObject): string {
  return canonicalText(proposal)
}

/** The status now: what is still open expires by itself, what has ended stays as it ended. */
export function statusAt(approval: Approval, now: Instant): ApprovalStatus {
  const open = approval.status === 'pending' || approval.status === 'approved' || approval.status === 'stale'
  return open && now >= approval.expiresAt ? 'expired' : approval.status
}

/**
 * The owner's answer: one, for ever. A pending question becomes `approved` or `denied`. A stale one takes an answer too:
 * a yes leaves it stale, as a permission for exactly these bytes until it expires, so that a peer who re-proposes every
 * minute can't starve the owner. Refuses with `approval_answered` or `approval_expired`.
 */
export function answer(approval: Approval, given: Answer, now: Instant): Result<Approval> {
  const status = statusAt(approval, now)
  if (approval.decision !== undefined || status === 'used')
    return no('approval_answered', 'This approval has been answered')
  if (status === 'expired') return no('approval_expired', 'This approval has expired; the agent has to ask again')
  const answered = { ...approval, decision: given.decision, scope: given.scope, answeredAt: now }
  if (given.decision === 'deny') return ok({ ...answered, status: 'denied' })
  return ok({ ...answered, status: status === 'stale' ? 'stale' : 'approved' })
}

/** The world moved: what was asked can't be sent as it was meant. Ended approvals stay as they are. */
export function markStale(approval: Approval): Approval {
  return approval.status === 'pending' || approval.status === 'approved' ? { ...approval, status: 'stale' } : approval
}

/** Spends a yes. Refuses with `approval_answered` when it was spent or never given, and `approval_expired`. */
export function markUsed(approval: Approval, now: Instant): Result<Approval> {
  if (statusAt(approval, now) === 'expired') return no('approval_expired', 'This approval has expired')
  if (!isYes(approval)) return no('approval_answered', 'This approval holds no unspent yes')
  return ok({ ...approval, status: 'used' })
}

/** Whether this is an unspent, unexpired yes to exactly this: same agent, contact, task, type and bytes. */
export function permits(approval: Approval, exact: ExactDisclosure, now: Instant): boolean {
  return (
    isYes(approval) &&
    now < approval.expiresAt &&
    approval.agent === exact.agent &&
    approval.contact === exact.contact &&
    approval.taskUid === exact.taskUid &&
    approval.type.hash === exact.typeHash &&
    approval.payload === exact.payload
  )
}

/** Grants that a yes with a wider scope adds; none for `once`. "Always" names this contact too, so that it outranks an older rule for it. */
export function grantsOf(approval: Approval): readonly Grant[] {
  if (approval.decision !== 'approve' || approval.scope === undefined || approval.scope === 'once') return []
  const contacts = approval.scope === 'always' ? (['*', approval.contact] as const) : [approval.contact]
  return contacts.flatMap((contact) =>
    approval.capabilities.map(({ capability }) => ({ contact, capability, effect: 'allow' as const }))
  )
}

function isYes(approval: Approval): boolean {
  return approval.decision === 'approve' && (approval.status === 'approved' || approval.status === 'stale')
}

function no(code: DetailCode, message: string): ReturnType<typeof fail> {
  return fail(conflict(code, message))
}
