import type { AgentId, MessageId, PeerId } from '../../base/ids.js'
import type { Instant } from '../../base/time.js'

/** Who is who: our agents, their contacts, and the two chains of each pair. */

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

/** A one-time secret in a contact link: only its public id is kept. Key: agent/inviteId. */
export interface InviteRecord {
  readonly id: string
  /** The HMAC key that checks a proof, derived from the secret, base64url: the secret itself is not kept. */
  readonly proofKey: string
  readonly expiresAt: Instant
  readonly usedBy?: AgentId
}

/** Two different signed messages with one (from, to, seq). Key: agent/peer/seq. */
export interface EquivocationRecord {
  readonly seq: number
  /** base64url of both signed messages. */
  readonly first: string
  readonly second: string
  readonly at: Instant
}
