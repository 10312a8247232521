import type { PaymentTerms } from '../../payments/terms.js'
import type { AgentId, TaskUid } from '../../base/ids.js'
import type { Instant } from '../../base/time.js'
import type { JobDetail } from '../../tasks/job/detail.js'

/** What a node knows of paid jobs beside their messages. */

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
    /** A finalized slot from before it was signed. */
    readonly slot: number
    readonly lastValidBlockHeight: number
    /** Lamports that the wallet held before. */
    readonly balance: string
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
