import type { Instant } from '../../base/time.js'
import type { Offer } from '../../wire/job-bodies.js'

/** What the node remembers of offers, its own and those of contacts. */

/** What our agent offers. Key: agent. */
export interface OfferListRecord {
  readonly offers: readonly Offer[]
  readonly changedAt: Instant
}

/** Our list as a contact was told it last: which message of ours, and the digest of the list in it. Key: agent/peer. */
export interface OffersToldRecord {
  readonly seq: number
  readonly digest: string
}

/** What an active contact offers: the last list that it sent. Key: agent/peer. */
export interface ContactOffersRecord {
  readonly offers: readonly Offer[]
  readonly receivedAt: Instant
  /** The inbox says that it changed, and the agent has not looked since. */
  readonly announced?: true
}
