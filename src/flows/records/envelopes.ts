import type { AgentId, TaskUid } from '../../base/ids.js'
import type { Instant } from '../../base/time.js'
import type { Ended } from '../../tasks/envelope/report.js'
import type { Artifact, Evidence } from '../../wire/envelope-bodies.js'

/** Delegated tasks: what came, what it owns meanwhile, what is gathered for the result. */

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
  /** What `bind` granted in the commit that stored the submit, less what the ledger lost while it lives; the recipient's alone. */
  readonly toolsGranted?: readonly string[]
  /** The end that was reported first. */
  readonly ended?: Ended
  /** This node rejected it for what is wrong with it: it stands in the log, but does not exist for the agent. */
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
