import type { JsonObject } from '../../base/json.js'
import type { PaymentTerms } from '../../payments/terms.js'
import type { JobDetail } from '../../tasks/job/detail.js'
import type { TaskStatus } from '../../tasks/report.js'

/** Paid jobs as the API shows them. Source: protocols/jobs.md, protocols/socket-api.md. */

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
  /** What the agreed plan says: SOL, and on which chain. */
  readonly price: string
  readonly cluster: string
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
