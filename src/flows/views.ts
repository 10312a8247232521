import type { JsonObject } from '../base/json.js'
import type { Inspection } from '../types/inspection.js'
import type { PaymentTerms } from '../payments/terms.js'
import type { JobDetail } from '../tasks/job/detail.js'
import type { TaskStatus } from '../tasks/report.js'
import type { EnvelopeState } from '../wire/envelope-bodies.js'
import type { AuditEntry, AuditHead } from '../policy/audit.js'

/** The shapes that the API answers with. Source: protocols/socket-api.md; times are ISO 8601. */

export interface TypeRef {
  readonly name: string
  readonly version: number
  readonly hash: string
}

export interface ProposalView {
  readonly proposalId: string
  readonly version: number
  readonly by: 'self' | 'peer'
  readonly status: 'pending' | 'accepted' | 'rejected' | 'superseded'
  readonly proposal: JsonObject
  readonly at: string
}

export interface DeliveryView {
  /** `queued`: not yet on the peer's disk. `delivered`: its signed receipt covers everything. `refused`: its node said no. */
  readonly state: 'queued' | 'delivered' | 'refused'
  /** Own messages of this task that no receipt covers yet. */
  readonly pending: number
  readonly reason?: string
}

/** An action that one side recorded on the agreed plan. */
export interface ConfirmView {
  readonly recordId: string
  readonly action: string
  readonly by: 'self' | 'peer'
  /** Made by the recording side's node. */
  readonly summary: string
  /** Those that the agreed plan holds too: what the confirm carried. */
  readonly params: JsonObject
  readonly at: string
}

/** One try to pay for a job. */
export interface JobAttemptView {
  readonly attempt: number
  readonly reference: string
  readonly payer: string
  readonly at: string
  readonly state: 'open' | 'unpaid' | 'paid'
  /** Of our own transaction, once it was made. */
  readonly signature?: string
  /** Why ours came to nothing. */
  readonly code?: string
}

/** What was handed over. */
export interface JobDeliveryView {
  readonly at: string
  readonly artifacts: readonly JsonObject[]
  readonly evidence?: JsonObject
  readonly summary?: string
}

/** A paid job after its plan was agreed (protocols/jobs.md). */
export interface JobView {
  /** What is waited for, and whether it is late. */
  readonly detail?: JobDetail
  readonly attempts: readonly JobAttemptView[]
  /** The provider's word that it has the money. */
  readonly receipt?: {
    readonly attempt: number
    readonly signature: string
    readonly slot: number
    readonly at: string
  }
  readonly delivery?: JobDeliveryView
  readonly completedAt?: string
}

/** What the owner sees of the money of one job. */
export interface PaymentsView {
  readonly agent: string
  readonly participant: string
  readonly taskUid: string
  readonly role: 'hirer' | 'provider'
  readonly status: TaskStatus
  readonly detail?: JobDetail
  /** Our own payments: all parameters, and how far each came. */
  readonly paid: ReadonlyArray<{
    readonly attempt: number
    readonly state: 'sealed' | 'signed' | 'landed' | 'dead' | 'lost'
    readonly terms: PaymentTerms
    readonly at: string
    readonly signature?: string
    readonly code?: string
  }>
  /** What came: `paid`, or why it did not pay the job. */
  readonly received: ReadonlyArray<{
    readonly signature: string
    readonly attempt: number
    readonly code: string
    readonly lamports: string
    readonly at: string
  }>
}

export interface TaskView {
  readonly taskUid: string
  readonly type: TypeRef
  readonly participant: string
  readonly role: 'inviter' | 'invitee'
  readonly title?: string
  readonly status: TaskStatus
  readonly statusReason?: string
  readonly cancelRequested?: boolean
  readonly createdAt: string
  readonly expiresAt: string
  readonly proposals: readonly ProposalView[]
  readonly agreedProposalId?: string
  /** Actions that were recorded, in the order of the task; absent while there is none. */
  readonly confirms?: readonly ConfirmView[]
  /** Of a paid job, once its plan is agreed. */
  readonly job?: JobView
  readonly delivery: DeliveryView
}

/** What was said while working, and the sender's answer. */
interface QuestionView {
  readonly questionId: string
  readonly at: string
  readonly state: string
  readonly code?: string
  readonly reason?: string
  readonly answer?: { readonly at: string; readonly text: string }
}

/** A delegated task. */
export interface EnvelopeView {
  readonly taskId: string
  readonly taskUid: string
  readonly participant: string
  readonly role: 'sender' | 'recipient'
  readonly state: EnvelopeState
  readonly code?: string
  readonly reason?: string
  readonly conflictsWith?: string
  readonly cancelRequested?: boolean
  readonly claimable: boolean
  readonly createdAt: string
  readonly expiresAt: string
  readonly contract: JsonObject
  /** Recipient only: what of the request is granted, by today's ledger. */
  readonly toolsGranted?: readonly string[]
  readonly dependencies: ReadonlyArray<{ readonly taskId: string; readonly outcome?: string }>
  readonly questions: readonly QuestionView[]
  /** Recipient only: what will leave with `complete`. */
  readonly staged?: JsonObject
  readonly result?: JsonObject
  readonly verdicts: readonly JsonObject[]
  /** `claimed`: the recipient says so. `verified`, `disputed`: the sender ran the command itself. */
  readonly proof: 'none' | 'claimed' | 'verified' | 'disputed'
  readonly delivery: DeliveryView
}

/** What a live received task owns of a context. */
export interface OwnedView {
  readonly taskId: string
  readonly participant: string
  readonly contextID: string
  /** Normal forms; the empty one is the whole context. */
  readonly paths: readonly string[]
  readonly until: string
}

export interface LedgerView {
  readonly agent: string
  readonly tools: readonly string[]
}

/** `unchanged`: the task had ended in that way before, and nothing was written. */
export type EnvelopeWritten =
  | { readonly status: 'sent' | 'unchanged'; readonly envelope: EnvelopeView; readonly created?: boolean }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly taskId: string }

/** An agreed plan as the text of a calendar file (protocols/calendar.md). */
export interface CalendarView {
  readonly calendar: string
}

/** A task as a file that proves itself; bytes as base64url (protocols/transcripts.md, "The file"). */
export interface TranscriptView {
  readonly format: 'agentlink-transcript'
  readonly v: 1
  readonly task: string
  readonly inviter: { readonly agent: string; readonly messages: readonly string[] }
  readonly invitee: { readonly agent: string; readonly messages: readonly string[] }
  readonly exportedBy: 'inviter' | 'invitee'
  readonly exportedAt: string
  readonly receipts: readonly string[]
  readonly covers: readonly number[]
  readonly seal: string
}

/** What a write answers: done and sealed, or waiting for the owner. */
export type WriteAnswer =
  | { readonly status: 'sent'; readonly task: TaskView; readonly created?: true }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly taskUid: string }

/** What an action answers: recorded, or waiting for the owner. */
export type ActionAnswer =
  | { readonly status: 'recorded'; readonly simulated: true; readonly recordId: string }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly taskUid: string }

export interface Page<T> {
  readonly items: readonly T[]
  /** Pass as `after` to go on; absent at the end. */
  readonly next?: string
}

export interface InboxItem {
  readonly cursor: number
  readonly kind: string
  readonly from: string
  readonly taskUid?: string
  readonly at: string
  readonly content: JsonObject
}

export interface Counters {
  readonly unread: number
  readonly tasksWaitingForMe: number
  readonly envelopesQueued: number
  readonly approvalsPending: number
  readonly undelivered: number
}

export interface ContactView {
  readonly agent: string
  readonly handle: string
  readonly alias?: string
  readonly status: 'requested' | 'pending' | 'active' | 'blocked' | 'removed'
  readonly reason?: string
  readonly frozen?: true
  readonly since: string
  /** Owner only: where its node is. */
  readonly peerId?: string
  readonly addrs?: readonly string[]
  /** Messages that wait for its node. */
  readonly undelivered: number
}

export interface CapabilityView {
  readonly capability: string
  readonly effect: 'allow' | 'ask' | 'deny'
  /** The grant that decides, or `default` when nothing was said. */
  readonly because: { readonly contact: string; readonly capability: string } | 'default'
}

/** A type as its owner sees it in a list. `title` is text of whoever wrote the definition. */
export interface OwnerTypeView extends TypeRef {
  readonly builtin: boolean
  readonly state: 'active' | 'retired'
  readonly title: string
  /** Absent for a built-in type that was never installed anew or retired. */
  readonly installedAt?: string
  readonly retiredAt?: string
}

/** What a definition asks for, and whether this node holds it. */
export interface TypeInspectionView extends TypeRef, Inspection {
  readonly state: 'unknown' | 'active' | 'retired'
  /** Hashes of other definitions that this node holds under the same name and version. */
  readonly sameName: readonly string[]
  readonly definition: JsonObject
}

/** A no to invites of one type between two agents. */
export interface DeclineView {
  readonly agent: string
  readonly participant: string
  readonly type: TypeRef
  /** `peer`: its node refused our invite, and none of this type is sent again. `owner`: you said no to its invites. */
  readonly by: 'peer' | 'owner'
  readonly code: string
  readonly at: string
}

export interface TypeView extends TypeRef {
  readonly builtin: boolean
  readonly definition: JsonObject
  /** What can be run on an agreed plan, in the form of the definition. */
  readonly actions: readonly JsonObject[]
}

/** What an agent may see of an approval that concerns it. */
export interface ApprovalView {
  readonly approvalId: string
  readonly kind: 'disclosure' | 'action' | 'envelope' | 'type' | 'payment' | 'delivery'
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'stale' | 'used'
  readonly participant: string
  readonly taskUid?: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly capabilities: readonly string[]
}

/** What every approval shows its owner. */
export interface AskedOfOwner extends ApprovalView {
  readonly agent: string
  readonly participantHandle: string
  /** How far a yes may reach. */
  readonly scopes: ReadonlyArray<'once' | 'contact' | 'always'>
}

/** Sending a proposal. */
export interface DisclosureView {
  readonly kind: 'disclosure'
  readonly action: 'create' | 'propose'
  readonly type: TypeRef
  readonly proposal: JsonObject
  /** The plan that it would replace, if there is one. */
  readonly replaces?: JsonObject
}

/** Sending text in a delegated task. */
export interface EnvelopeSubjectView {
  readonly kind: 'envelope'
  /** The kind of the message that would leave. */
  readonly action: string
  readonly taskId: string
  /** The contract, or the body of the message. */
  readonly content: JsonObject
}

/** Recording an action on an agreed plan. */
export interface ActionView {
  readonly kind: 'action'
  readonly action: string
  /** As the definition names it. */
  readonly label: string
  readonly type: TypeRef
  readonly params: JsonObject
  /** Those of them that leave, because the other side holds them already; the rest stays in the record. */
  readonly leaves: JsonObject
  /** The agreed plan. */
  readonly proposalId: string
  readonly proposal: JsonObject
}

/** What an approval shows by its kind: one member for each. */
export type OwnerSubjectView =
  DisclosureView | ActionView | EnvelopeSubjectView | TypeQuestionView | PaymentView | DeliverySubjectView

/** A payment with every parameter that a yes binds, and the plan that it pays for. */
export interface PaymentView {
  readonly kind: 'payment'
  readonly proposalId: string
  readonly attempt: number
  readonly terms: JsonObject
  readonly proposal: JsonObject
}

/** What would be handed over. */
export interface DeliverySubjectView {
  readonly kind: 'delivery'
  readonly content: JsonObject
}

/** Installing a definition that an invite of this contact brought. */
export interface TypeQuestionView {
  readonly kind: 'type'
  readonly type: TypeRef
  readonly inspection: TypeInspectionView
  /** Tasks that wait for the answer. */
  readonly held: number
}

/** What the owner decides on: exactly what leaves, to whom, under which capability. */
export type OwnerApprovalView = AskedOfOwner & OwnerSubjectView

export interface GrantView {
  readonly contact: string
  readonly capability: string
  readonly effect: 'allow' | 'ask' | 'deny'
}

/** What a preset does to the rules of an agent. */
export interface PresetView {
  readonly preset: 'open' | 'balanced' | 'private'
  readonly agent: string
  /** Names exactly this: agent, preset, and the rules that it was worked out from. */
  readonly digest: string
  /** Towards a contact of whom nothing special was said. */
  readonly capabilities: ReadonlyArray<{
    readonly capability: string
    readonly now: GrantView['effect']
    readonly becomes: GrantView['effect']
  }>
  /** Rules for every contact that come or change, and those that go. */
  readonly sets: readonly GrantView[]
  readonly removes: readonly GrantView[]
  /** Rules for one contact: they stay, and outrank the others. */
  readonly keeps: readonly GrantView[]
}

/** One of the owner's agents. */
export interface AgentView {
  readonly agent: string
  readonly name: string
  readonly handle: string
}

/** A page of the audit log, with the head that its chain ends in. */
export interface AuditPage extends Page<AuditEntry> {
  readonly head: AuditHead
}

export interface InviteView {
  readonly link: string
  readonly expiresAt?: string
}
