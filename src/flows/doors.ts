import type { Result } from '../base/result.js'
import type { AgentId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import type { AuditWho } from '../policy/audit.js'
import type { EnvelopeCommand } from './envelope-commands.js'
import type { ApprovalView, OwnerApprovalView } from './views/approvals.js'
import type { AgentView, CapabilityView, ContactView, GrantView, InviteView, PresetView } from './views/contacts.js'
import type { EnvelopeView, EnvelopeWritten, LedgerView, OwnedView } from './views/envelopes.js'
import type { PaymentsView } from './views/jobs.js'
import type { ContactOffersView, OfferView } from './views/offers.js'
import type { HealthView, UndeliveredView } from './views/health.js'
import type { WalletView } from './views/wallet.js'
import type { OwnerEnvelopeView, OwnerOwnedView, OwnerTaskView } from './views/owner-work.js'
import type { AuditPage, ChangedRoom, Counters, InboxItem, Page } from './views/pages.js'
import type { ActionAnswer, CalendarView, TaskView, TranscriptView, WriteAnswer } from './views/tasks.js'
import type { DeclineView, OwnerTypeView, TypeInspectionView, TypeView } from './views/types.js'

/**
 * The two doors of a node: what an agent may do with its token, and what only the owner may do. The API is a thin shell
 * over these; every promise resolves after the synced commit it rests on.
 */

/** One idempotent call: the same key with the same body answers the stored result; with another body it is a conflict. */
export interface Once {
  /** Caller, route and the `Idempotency-Key` header, joined. */
  readonly key: string
  /** SHA-256 of the raw body, hex. */
  readonly bodyHash: string
}

/** `replayed`: the stored answer of an earlier call with this key. */
export interface Answered<T> {
  readonly answer: T
  readonly replayed: boolean
}

interface CreateTask {
  /** Hash, `name@version` or bare name. */
  readonly type: string
  /** `al1…`, alias or handle. */
  readonly participant: string
  readonly title?: string
  readonly expiresInHours?: number
  readonly proposal: JsonObject
}

export interface ActionCommand {
  readonly taskUid: string
  readonly action: string
  readonly params?: JsonObject
  readonly approvalId?: string
}

interface ListOptions {
  readonly limit: number
  readonly after?: string
}

/** Every method takes the agent that the token belongs to. */
export interface AgentDoor {
  taskTypes(agent: AgentId): Promise<Page<TypeView>>
  createTask(agent: AgentId, command: CreateTask, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  listTasks(agent: AgentId, options: ListOptions & { readonly status?: string }): Promise<Result<Page<TaskView>>>
  getTask(agent: AgentId, taskUid: string): Promise<Result<TaskView>>
  /** The task as a file that proves itself (protocols/transcripts.md). */
  transcript(agent: AgentId, taskUid: string): Promise<Result<TranscriptView>>
  propose(
    agent: AgentId,
    taskUid: string,
    command: { readonly proposal: JsonObject },
    once?: Once
  ): Promise<Result<Answered<WriteAnswer>>>
  respond(
    agent: AgentId,
    taskUid: string,
    command: { readonly proposalId: string; readonly decision: 'accept' | 'reject' },
    once?: Once
  ): Promise<Result<Answered<WriteAnswer>>>
  cancel(
    agent: AgentId,
    taskUid: string,
    command: { readonly reason?: string },
    once?: Once
  ): Promise<Result<Answered<WriteAnswer>>>
  /** Promises to pay for the agreed plan of a job: an own approval unless the owner granted it, within the spend limits. */
  pay(agent: AgentId, taskUid: string, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  /** `delivery`: artifacts, evidence, summary. */
  deliverJob(agent: AgentId, taskUid: string, delivery: JsonObject, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  completeJob(agent: AgentId, taskUid: string, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  /** Any write in a delegated task. */
  envelope(agent: AgentId, command: EnvelopeCommand, once?: Once): Promise<Result<Answered<EnvelopeWritten>>>
  listEnvelopes(
    agent: AgentId,
    options: ListOptions & { readonly state?: string; readonly role?: string }
  ): Promise<Result<Page<EnvelopeView>>>
  getEnvelope(agent: AgentId, taskId: string): Promise<Result<EnvelopeView>>
  envelopeTranscript(agent: AgentId, taskId: string): Promise<Result<TranscriptView>>
  ownedEnvelopes(agent: AgentId): Promise<Page<OwnedView>>
  /** Kept here until `complete`; each call replaces what was staged before. */
  stageArtifacts(agent: AgentId, taskId: string, artifacts: readonly JsonObject[]): Promise<Result<EnvelopeView>>
  stageEvidence(agent: AgentId, taskId: string, evidence: JsonObject): Promise<Result<EnvelopeView>>
  /** The same call again, with or without `approvalId`, answers the same record. */
  runAction(agent: AgentId, command: ActionCommand, once?: Once): Promise<Result<Answered<ActionAnswer>>>
  /**
   * Waits up to `waitSeconds` for something newer than `after`; aborting `signal` ends the wait. Refuses a cursor beyond the
   * newest: after a restore those in between would be other items, and never seen.
   */
  inbox(
    agent: AgentId,
    options: { readonly after?: number; readonly waitSeconds: number; readonly limit: number },
    signal?: AbortSignal
  ): Promise<Result<{ readonly items: readonly InboxItem[]; readonly next: number }>>
  ackInbox(agent: AgentId, upTo: number): Promise<Result<{ readonly ackedUpTo: number }>>
  counters(agent: AgentId): Promise<Counters>
  contacts(agent: AgentId): Promise<Page<ContactView>>
  /** What our own agent offers. */
  offers(agent: AgentId): Promise<Page<OfferView>>
  /** What a contact offers; a later change is told in the inbox again. */
  contactOffers(agent: AgentId, contact: string): Promise<Result<ContactOffersView>>
  capabilities(agent: AgentId, participant?: string): Promise<Result<Page<CapabilityView>>>
  /** The agent's own questions that are open: they wait for the owner, or a yes to them was not used yet. Newest first. */
  approvals(agent: AgentId): Promise<Page<ApprovalView>>
  approval(agent: AgentId, approvalId: string): Promise<Result<ApprovalView>>
}

/** What the owner says of an offer; the node gives the id. */
export type OfferText = Omit<OfferView, 'offerId'>

/** What of the audit log is wanted; all that is named must hold. */
export interface AuditFilter {
  /** One of the owner's agents, by name, id or handle. */
  readonly agent?: string
  readonly contact?: string
  readonly task?: string
  /** A code, or the part before its dot. */
  readonly what?: string
  readonly capability?: string
  /** ISO 8601 in UTC with milliseconds: from then on, and before then. */
  readonly since?: string
  readonly until?: string
}

/** `contact` arguments take `al1…`, alias or handle; `agent` picks one of the owner's agents by name, id or handle. */
export interface OwnerDoor {
  /** Calls `told` after each commit that changed what an owner is shown, with the rooms. The returned function ends it. */
  watch(told: (rooms: readonly ChangedRoom[]) => void): () => void
  /** From how far the node can be reached, and how many of its contacts are connected. */
  health(): Promise<HealthView>
  /** What waits for the nodes of contacts, and why, one item for each contact. */
  undelivered(): Promise<Page<UndeliveredView>>
  /** Of one agent or of all, newest first. A page may hold fewer than `limit` and still have a `next`. */
  tasks(
    options: ListOptions & {
      readonly agent?: string
      readonly contact?: string
      readonly status?: string
      /** The name of a task type, of whatever version. */
      readonly type?: string
    }
  ): Promise<Result<Page<OwnerTaskView>>>
  task(options: { readonly agent?: string; readonly taskUid: string }): Promise<Result<OwnerTaskView>>
  /** As the agent's own `cancel`; the audit log tells of it as the owner's. */
  cancelTask(options: {
    readonly agent?: string
    readonly taskUid: string
    readonly reason?: string
  }): Promise<Result<OwnerTaskView>>
  /** As `tasks`, of delegated tasks. */
  envelopes(
    options: ListOptions & {
      readonly agent?: string
      readonly contact?: string
      readonly state?: string
      readonly role?: string
    }
  ): Promise<Result<Page<OwnerEnvelopeView>>>
  envelope(options: { readonly agent?: string; readonly taskId: string }): Promise<Result<OwnerEnvelopeView>>
  /** As the agent's own `cancel`; `unchanged`: it was asked for before. */
  cancelEnvelope(options: {
    readonly agent?: string
    readonly taskId: string
    readonly code?: string
  }): Promise<Result<{ readonly status: 'sent' | 'unchanged'; readonly envelope: OwnerEnvelopeView }>>
  /** What live received tasks of one agent or of all own. */
  owned(options: { readonly agent?: string }): Promise<Result<Page<OwnerOwnedView>>>
  /** What holds towards a contact; without one, towards one of whom nothing special was said. */
  capabilities(options: {
    readonly agent?: string
    readonly participant?: string
  }): Promise<Result<Page<CapabilityView>>>
  /** The agreed plan as a calendar file, once an action on it is recorded. */
  calendar(options: { readonly agent?: string; readonly taskUid: string }): Promise<Result<CalendarView>>
  transcript(options: { readonly agent?: string; readonly taskUid: string }): Promise<Result<TranscriptView>>
  /** The money of every job: paid, received, and what was odd about it. */
  payments(options: { readonly agent?: string }): Promise<Result<Page<PaymentsView>>>
  /** The node's wallet, its balance and the limits. A chain that says nothing makes the balance unknown, and no more. */
  wallet(): Promise<WalletView>
  agents(): Promise<Page<AgentView>>
  /** `created: false`: there was one of that name and handle. Keys and token are files of the home. */
  addAgent(options: {
    readonly name: string
    readonly handle?: string
  }): Promise<Result<{ readonly agent: AgentView; readonly created: boolean }>>
  /** At once and for good: its token and its socket answer no more, and its contacts reach nobody. */
  revokeAgent(agent: string): Promise<Result<AgentView>>
  /** The old token opens nothing from then on. */
  rotateToken(agent: string): Promise<Result<AgentView>>
  contacts(options: { readonly agent?: string }): Promise<Result<Page<ContactView>>>
  /** `secret: false` makes a link without the one-time secret: the owner then accepts by hand. */
  invite(options: { readonly agent?: string; readonly secret: boolean }): Promise<Result<InviteView>>
  addContact(options: {
    readonly agent?: string
    readonly link: string
    readonly alias?: string
  }): Promise<Result<ContactView>>
  changeContact(options: {
    readonly agent?: string
    readonly contact: string
    readonly action: 'accept' | 'decline' | 'remove' | 'block' | 'unblock' | 'unfreeze'
  }): Promise<Result<ContactView>>
  renameContact(options: {
    readonly agent?: string
    readonly contact: string
    readonly alias: string
  }): Promise<Result<ContactView>>
  offers(options: { readonly agent?: string }): Promise<Result<Page<OfferView>>>
  /** Every active contact is told, whatever the grants say: the owner publishes it. */
  createOffer(options: { readonly agent?: string; readonly offer: OfferText }): Promise<Result<OfferView>>
  /** `offer`: what changes; at least one member. */
  changeOffer(options: {
    readonly agent?: string
    readonly offerId: string
    readonly offer: Partial<OfferText>
  }): Promise<Result<OfferView>>
  /** Answers the offer that is gone. */
  withdrawOffer(options: { readonly agent?: string; readonly offerId: string }): Promise<Result<OfferView>>
  contactOffers(options: { readonly agent?: string; readonly contact: string }): Promise<Result<ContactOffersView>>
  grants(options: { readonly agent?: string }): Promise<Result<Page<GrantView>>>
  setGrant(options: {
    readonly agent?: string
    readonly contact: string
    readonly capability: string
    readonly effect: 'allow' | 'ask' | 'deny'
  }): Promise<Result<GrantView>>
  deleteGrant(options: {
    readonly agent?: string
    readonly contact: string
    readonly capability: string
  }): Promise<Result<GrantView>>
  /** What a preset would change; nothing is stored. */
  preset(options: { readonly agent?: string; readonly preset: string }): Promise<Result<PresetView>>
  /** `digest`: of the view that the owner was shown. Answers that view; by then it is in place. */
  applyPreset(options: {
    readonly agent?: string
    readonly preset: string
    readonly digest: string
  }): Promise<Result<PresetView>>
  ledger(options: { readonly agent?: string }): Promise<Result<LedgerView>>
  setLedger(options: { readonly agent?: string; readonly tools: readonly string[] }): Promise<Result<LedgerView>>
  types(): Promise<Page<OwnerTypeView>>
  /** `ref`: hash, `name@version` or bare name, of retired types too. */
  type(ref: string): Promise<Result<{ readonly type: OwnerTypeView; readonly inspection: TypeInspectionView }>>
  /** `file`: the exact text of a definition file. Nothing is stored. */
  inspectType(options: { readonly file: string }): Promise<Result<TypeInspectionView>>
  /** Makes it active, also when it was retired. `hash`: what the owner expects it to be. */
  installType(options: { readonly file: string; readonly hash?: string }): Promise<Result<OwnerTypeView>>
  retireType(ref: string): Promise<Result<OwnerTypeView>>
  /** Newest first. A page may hold fewer than `limit` and still have a `next`. */
  audit(options: AuditFilter & { readonly limit: number; readonly after?: number }): Promise<Result<AuditPage>>
  declines(options: { readonly agent?: string }): Promise<Result<Page<DeclineView>>>
  /** `type`: a hash. Invites of it may be sent to this contact, and asked about, again. Answers what was lifted. */
  liftDecline(options: {
    readonly agent?: string
    readonly contact: string
    readonly type: string
  }): Promise<Result<Page<DeclineView>>>
  approvals(options: ListOptions & { readonly status?: string }): Promise<Result<Page<OwnerApprovalView>>>
  approval(approvalId: string): Promise<Result<OwnerApprovalView>>
  /** A yes to a disclosure executes at once, after everything was recomputed. */
  answerApproval(
    approvalId: string,
    answer: { readonly decision: 'approve' | 'deny'; readonly scope: 'once' | 'contact' | 'always' }
  ): Promise<Result<OwnerApprovalView>>
}

/** A call whose token does not open its route. */
export interface RefusedCall {
  /** Whose token it is. */
  readonly who: AuditWho
  /** Its name in the route table. */
  readonly route: string
}

/** What a node says of itself. */
export interface NodeStatus {
  readonly peerId: string
  readonly addrs: readonly string[]
  readonly agents: readonly AgentView[]
  readonly contacts: { readonly active: number; readonly connected: number; readonly pending: number }
  readonly undelivered: number
  readonly approvalsPending: number
}
