import type { AgentId, TaskUid } from '../../base/ids.js'
import type { Json, JsonObject } from '../../base/json.js'
import type { Instant } from '../../base/time.js'

/** The desk of an agent and of the node: inbox, badges, what is open, what has a time. */

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

/** The answer that an `Idempotency-Key` got. Key: caller/route/key. */
export interface OnceRecord {
  readonly bodyHash: string
  readonly answer: Json
  readonly at: Instant
}

/** Something to look at when its time comes. Key: padded time/kind/…; the sweep reads them in order. */
export interface DueRecord {
  readonly at: Instant
  readonly kind: 'task' | 'envelope' | 'approval' | 'once' | 'invite' | 'denials' | 'job'
  /** Key of the record in its own table. */
  readonly key: string
}
