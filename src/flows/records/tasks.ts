import type { AgentId, ApprovalId, MessageId, TaskUid, TypeHash } from '../../base/ids.js'
import type { JsonObject } from '../../base/json.js'
import type { Instant } from '../../base/time.js'

/** Negotiated tasks, the actions on their plans, and the types that they follow. */

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
