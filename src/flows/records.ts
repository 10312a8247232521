import type { PaymentTerms } from '../payments/terms.js'
import type { Grant } from '../policy/grants.js'
import type { Spend } from '../policy/spend.js'
import type { Approval } from '../policy/approval.js'
import type { DenialWindow } from '../policy/denials.js'
import type { AgentId, ApprovalId, MessageId, PeerId, TaskUid, TypeHash } from '../base/ids.js'
import type { Json, JsonObject } from '../base/json.js'
import type { Instant } from '../base/time.js'
import type { JobDetail } from '../tasks/job/detail.js'
import type { Ended } from '../tasks/envelope/report.js'
import type { Artifact, Evidence } from '../wire/envelope-bodies.js'

/**
 * What the node remembers, as plain values. `store/tables.ts` says where each kind lives and under which key; the
 * flows are the only code that decides what is in them. Records are immutable: a change is a new value.
 */

/** One of our agents. Key: agent id. */
export interface AgentRecord {
  readonly agent: AgentId
  /** Name of its directory in the home, e.g. `default`. */
  readonly name: string
  /** The handle it suggests in its card, with `@`. */
  readonly handle: string
  /** SHA-256 of its bearer token, hex. */
  readonly tokenHash: string
  /** `seq` and bytes (base64url) of its current card. */
  readonly cardSeq: number
  readonly card: string
  /** Set when the owner ended it: it is hosted no more, and what it wrote stays. */
  readonly revokedAt?: Instant
}

export type ContactState = 'requested' | 'pending' | 'active' | 'blocked' | 'removed'

/** The relation between one of our agents and another agent. Key: agent/peer. */
export interface ContactRecord {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly state: ContactState
  /** Why it is in this state, where that is not plain: `declined`, `removed_by_peer`. */
  readonly reason?: string
  /** The owner's own name for it, with `@`; wins over the handle. */
  readonly alias?: string
  /** The peer's newest card (base64url) and what stands in it. */
  readonly card: string
  readonly cardSeq: number
  readonly handle: string
  readonly peerId: PeerId
  readonly addrs: readonly string[]
  readonly since: Instant
  /** The request that its last knock brought: it comes again in its chain, and then it is answered already. */
  readonly asked?: MessageId
  /** Set on proof of two different messages with one sequence number: nothing more is exchanged. */
  readonly frozen?: { readonly at: Instant; readonly seq: number }
}

export interface Head {
  readonly seq: number
  readonly id: MessageId | ''
}

/** The two chains of a pair, for ever: through remove, block and re-add they never restart. Key: agent/peer. */
export interface ChainRecord {
  /** Last message that we wrote. */
  readonly out: Head
  /** Last message of the peer that we stored. */
  readonly in: Head
  /** Last own seq that a receipt of the peer covers. The outbox is everything above it. */
  readonly acked: number
  /**
   * Head of our chain as the peer's last hello named it, while that is above ours: this home was restored from an old
   * backup, and nothing new is written until what it lost is back. Right after a restore, when no hello has come yet, it
   * is one above our head.
   */
  readonly lostUpTo?: number
}

/** An action on the task that waits for the owner's answer. */
export interface OwnerWait {
  readonly approvalId: ApprovalId
  /** It waits no longer from then on. */
  readonly until: Instant
}

/** A task as this node holds it. Key: agent/taskUid. */
export interface TaskRecord {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly uid: TaskUid
  readonly role: 'inviter' | 'invitee'
  readonly type: { readonly name: string; readonly version: number; readonly hash: TypeHash }
  /** The creator's local label; it never leaves the node. */
  readonly title?: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** `seq` of our entries in the order of the log; the messages are in `sent`. */
  readonly mine: readonly number[]
  /** `coverOf` the first receipt that covered each of them, as far as receipts have come. */
  readonly covers: readonly number[]
  /** `seq` of the peer's entries; the messages are in `received`. */
  readonly theirs: readonly number[]
  /** Latched when the task was first seen past `expiresAt` without agreement: clocks that jump back don't revive it. */
  readonly expiredAt?: Instant
  /** An invite that this node refused: it stands in the log, but does not exist for the agent. */
  readonly hidden?: true
  /** An invite that waits for the owner to install its type; hidden as long as it does. */
  readonly held?: true
  /** Actions that wait for the owner's answer. */
  readonly awaiting?: readonly OwnerWait[]
  /** Whether it is our agent's turn: what the `tasksWaitingForMe` badge counts. */
  readonly waiting: boolean
  /** Nothing is agreed and it has not ended: it counts against a quota. */
  readonly open?: true
}

/** A delegated task as this node holds it: the inviter sent it. Key: agent/uid. */
export interface EnvelopeRecord {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly uid: TaskUid
  readonly role: 'inviter' | 'invitee'
  /** The sender's name for it. */
  readonly taskId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** As in a `TaskRecord`. */
  readonly mine: readonly number[]
  readonly covers: readonly number[]
  readonly theirs: readonly number[]
  /** What `bind` granted in the commit that stored the submit; the recipient's alone. */
  readonly toolsGranted?: readonly string[]
  /** The end that was reported first. */
  readonly ended?: Ended
  /** This node rejected it: it stands in the log, but does not exist for the agent. */
  readonly hidden?: true
  /** What a badge counts: `queued`: our agent may take it up. `asked`: the recipient waits for our agent's answer. */
  readonly turn: 'queued' | 'asked' | 'none'
  /** Our agent submitted it and it has not ended: it counts against a quota. */
  readonly open?: true
}

/** What a live received task owns of a context. */
export interface OwnedRecord {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly uid: TaskUid
  readonly taskId: string
  readonly expiresAt: Instant
  /** Normal forms, joined by `/`. */
  readonly paths: readonly string[]
}

/** What the recipient's agent has gathered for the result; it leaves with `complete`. */
export interface StagedRecord {
  readonly artifacts: readonly Artifact[]
  readonly evidence?: Evidence
}

/** An action that was recorded on an agreed plan. Key: agent/taskUid/digest of what was asked. */
export interface ActionRecord {
  readonly recordId: string
  readonly agent: AgentId
  readonly contact: AgentId
  readonly taskUid: TaskUid
  readonly action: string
  readonly proposalId: MessageId
  /** All of them; the confirm carries those that the plan holds too. */
  readonly params: JsonObject
  readonly at: Instant
  /** The yes that it was done on; absent where a grant allows it. */
  readonly approvalId?: ApprovalId
}

/** What arrived for an agent. Content is read from the message it points to. Key: agent/cursor. */
export interface InboxRecord {
  readonly cursor: number
  readonly kind: string
  readonly from: AgentId
  readonly taskUid?: TaskUid
  readonly at: Instant
  /** The message in `received`, when there is one. */
  readonly seq?: number
  /** What this node itself has to say, when there is no message. */
  readonly content?: JsonObject
}

/** Per agent: where the inbox stands and what the badges count. Key: agent. */
export interface DeskRecord {
  readonly nextCursor: number
  readonly ackedCursor: number
  readonly tasksWaiting: number
  /** Delegated tasks that our agent may take up, and those whose question it has to answer; absent = none. */
  readonly envelopesQueued?: number
  readonly envelopesAsked?: number
  readonly approvalsPending: number
  /** Those among them that peers gave rise to; absent = none. */
  readonly approvalsOfPeers?: number
  /** Strangers that wait for the owner's answer. */
  readonly strangers: number
  /** Open tasks and task envelopes that our agent began; absent = none. */
  readonly tasksBegun?: number
  readonly envelopesBegun?: number
}

/** What is open between our agent and one contact. Key: agent/peer. */
export interface OpenRecord {
  /** Tasks that our agent began, and those that the peer did. */
  readonly tasks: number
  readonly tasksOfPeer: number
  /** Task envelopes that our agent submitted. */
  readonly envelopes: number
}

/** A one-time secret in a contact link: only its public id is kept. Key: agent/inviteId. */
interface InviteRecord {
  readonly id: string
  /** The HMAC key that checks a proof, derived from the secret, base64url: the secret itself is not kept. */
  readonly proofKey: string
  readonly expiresAt: Instant
  readonly usedBy?: AgentId
}

/** The answer that an `Idempotency-Key` got. Key: caller/route/key. */
interface OnceRecord {
  readonly bodyHash: string
  readonly answer: Json
  readonly at: Instant
}

/** Two different signed messages with one (from, to, seq). Key: agent/peer/seq. */
interface EquivocationRecord {
  readonly seq: number
  /** base64url of both signed messages. */
  readonly first: string
  readonly second: string
  readonly at: Instant
}

/** A task whose invite waits until the owner has decided on its type. */
export interface HeldInvite {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly uid: TaskUid
  readonly type: TaskRecord['type']
  readonly expiresAt: Instant
}

/** A no to invites of one type between two agents. Key: agent/peer/hash/by. */
export interface DeclineRecord {
  readonly agent: AgentId
  readonly peer: AgentId
  /** `peer`: its node refused our invite. `owner`: ours said no to its invite. */
  readonly by: 'peer' | 'owner'
  readonly type: TaskRecord['type']
  readonly code: string
  readonly at: Instant
}

/** A definition that this node holds besides the built-in ones, or the retirement of a built-in one. Key: hash. */
export interface TypeRecord {
  readonly definition: JsonObject
  readonly state: 'active' | 'retired'
  /** When it was installed, and when it was last retired. */
  readonly installedAt: Instant
  readonly retiredAt?: Instant
}

/** One try of our wallet to pay for a job. */
export interface AttemptRecord {
  readonly attempt: number
  readonly terms: PaymentTerms
  readonly sealedAt: Instant
  /**
   * `sealed`: the peer is told, and nothing is signed. `signed`: these bytes may be on the chain. `landed`: finalized.
   * `dead`: it is proved that they never will be. `lost`: another life of this home may have signed for it.
   */
  readonly state: 'sealed' | 'signed' | 'landed' | 'dead' | 'lost'
  /** The transaction (base64url), which is sent again and again and never made anew. */
  readonly signed?: {
    readonly signature: string
    readonly bytes: string
    readonly lastValidBlockHeight: number
    readonly at: Instant
  }
  /** Why it is dead. */
  readonly code?: string
}

/** Money that a provider's node saw for a job, or a transaction that failed to be its payment. */
export interface MoneyRecord {
  readonly signature: string
  readonly attempt: number
  /** `paid`, or why it did not pay this job. */
  readonly code: string
  /** Lamports by which our balance rose. */
  readonly received: string
  readonly at: Instant
}

/** What a node knows of a job beside its messages. Key: agent/taskUid. */
export interface JobRecord {
  readonly agent: AgentId
  readonly uid: TaskUid
  /** The reference that was made for the next attempt, so that asking the owner again is the same question. */
  readonly next?: { readonly attempt: number; readonly reference: string }
  /** Of the hirer: its own payments. */
  readonly attempts: readonly AttemptRecord[]
  /** Of the provider: the finalized slot before the first attempt; no payment is older. */
  readonly issuedSlot?: number
  /** The lateness that the agent was told of last. */
  readonly told?: JobDetail
  /** Of the provider: what came. */
  readonly findings: readonly MoneyRecord[]
}

/** Something to look at when its time comes. Key: padded time/kind/…; the sweep reads them in order. */
export interface DueRecord {
  readonly at: Instant
  readonly kind: 'task' | 'envelope' | 'approval' | 'once' | 'invite' | 'denials' | 'job'
  /** Key of the record in its own table. */
  readonly key: string
}

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
