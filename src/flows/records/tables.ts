import type { Grant } from '../../policy/grants.js'
import type { Spend } from '../../policy/spend.js'
import type { Approval } from '../../policy/approval.js'
import type { DenialWindow } from '../../policy/denials.js'
import type { AgentId, ApprovalId, TaskUid } from '../../base/ids.js'
import type { Json } from '../../base/json.js'
import type { AgentRecord, ContactRecord, ChainRecord, InviteRecord, EquivocationRecord } from './contacts.js'
import type { TaskRecord, ActionRecord, HeldInvite, DeclineRecord, TypeRecord } from './tasks.js'
import type { EnvelopeRecord, OwnedRecord, StagedRecord } from './envelopes.js'
import type { InboxRecord, DeskRecord, OpenRecord, OnceRecord, DueRecord } from './desk.js'
import type { JobRecord } from './jobs.js'
import type { ContactOffersRecord, OfferListRecord, OffersToldRecord } from './offers.js'

/**
 * What the node remembers, as plain values. `store/tables.ts` says where each kind lives and under which key; the
 * flows are the only code that decides what is in them. Records are immutable: a change is a new value.
 */

/** Every table with the type of its value. Keys are made by `keys.ts`. */
export interface Tables {
  readonly agents: AgentRecord
  readonly contacts: ContactRecord
  /** agent/@name -> peer; two contacts never share one. */
  readonly names: AgentId
  readonly chains: ChainRecord
  /** Signed bytes that we wrote. Key: agent/peer/seq. */
  readonly sent: Uint8Array
  /** Signed bytes that we stored of the peer. Key: agent/peer/seq. */
  readonly received: Uint8Array
  /** Signed receipts of the peer, part of the transcript. Key: agent/peer/upTo. */
  readonly receipts: Uint8Array
  readonly tasks: TaskRecord
  /** agent/padded createdAt/taskUid -> status order of lists, newest last. */
  readonly taskOrder: TaskUid
  /** `seq` of own entries of tasks whose invite was lost with a restored backup. Key: agent/taskUid. */
  readonly orphans: readonly number[]
  readonly envelopes: EnvelopeRecord
  /** agent/padded createdAt/uid -> order of lists. */
  readonly envelopeOrder: TaskUid
  /** Tasks that an agent knows under an id of a sender's choice. Key: agent/taskId. */
  readonly envelopeIds: readonly TaskUid[]
  /** Own submitted tasks that name a task among their dependencies. Key: agent/taskId. */
  readonly dependents: readonly TaskUid[]
  /** Own tasks whose cancel is under way. Key: agent/peer. */
  readonly closing: readonly TaskUid[]
  /** What live received tasks own. Key: digest of a context. */
  readonly owned: readonly OwnedRecord[]
  /** Received tasks that have not ended. Key: agent. */
  readonly liveEnvelopes: readonly { readonly peer: AgentId; readonly uid: TaskUid; readonly contextID: string }[]
  /** Key: agent/uid. */
  readonly staged: StagedRecord
  /** Tools of an agent, sorted. Key: agent. */
  readonly ledgers: readonly string[]
  readonly actions: ActionRecord
  readonly jobs: JobRecord
  /** Jobs about which the chain is asked. Key: agent/taskUid. */
  readonly jobWork: Pick<JobRecord, 'agent' | 'uid'>
  readonly offers: OfferListRecord
  readonly offersTold: OffersToldRecord
  readonly contactOffers: ContactOffersRecord
  /** Signatures that paid, or came too late to: each belongs to one task, for ever. Key: signature. */
  readonly spent: { readonly agent: AgentId; readonly uid: TaskUid }
  /** Payments that count against the limits. Key: `wallet`. */
  readonly spending: readonly Spend[]
  readonly inbox: InboxRecord
  readonly desks: DeskRecord
  readonly open: OpenRecord
  /** All grants of an agent in one value: deciding is synchronous. Key: agent. */
  readonly grants: readonly Grant[]
  readonly approvals: Approval
  /** Digest of a question -> the approval that was asked for it last. Key: agent/digest. */
  readonly asks: ApprovalId
  /** Never deleted: tasks stay pinned to their definition for life. */
  readonly types: TypeRecord
  /** All held tasks of an agent in one value: few, for there are bounds. Key: agent. */
  readonly held: readonly HeldInvite[]
  readonly declines: DeclineRecord
  /** Approvals of an agent that wait for an answer or for their yes to be spent: few. Key: agent. */
  readonly live: readonly ApprovalId[]
  readonly invites: InviteRecord
  /** Refused attempts that are being counted. Key: caller/code. */
  readonly denials: DenialWindow
  readonly once: OnceRecord
  readonly equivocations: EquivocationRecord
  readonly due: DueRecord
  /** Entries of the audit log as canonical bytes, for ever. Key: seq. */
  readonly audit: Uint8Array
  /** Small facts of the node itself: `version`, `owner` (hash of the owner's secret), `types` (hashes in the order of installing), `audit` (AuditHead), `restored` (a restore that the node has not looked after yet). */
  readonly meta: Json
}

export type TableName = keyof Tables
