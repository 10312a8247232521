import type { JsonObject } from '../../base/json.js'
import type { Proof } from '../../tasks/envelope/proof.js'
import type { EnvelopeState } from '../../wire/envelope-bodies.js'
import type { DeliveryView } from './tasks.js'

/** Delegated tasks as the API shows them. Times are ISO 8601. Source: protocols/socket-api.md, "Task envelopes". */

/** What was said while working, and the sender's answer. */
interface QuestionView {
  readonly questionId: string
  readonly at: string
  readonly state: string
  readonly code?: string
  readonly reason?: string
  readonly answer?: { readonly at: string; readonly text: string }
}

/** A delegated task. */
export interface EnvelopeView {
  readonly taskId: string
  readonly taskUid: string
  readonly participant: string
  readonly role: 'sender' | 'recipient'
  readonly state: EnvelopeState
  readonly code?: string
  readonly reason?: string
  readonly conflictsWith?: string
  /** Entries of the contract that the other task owns. */
  readonly conflictingFiles?: readonly string[]
  readonly cancelRequested?: boolean
  readonly claimable: boolean
  readonly createdAt: string
  readonly expiresAt: string
  readonly contract: JsonObject
  /** Recipient only: what of the request is granted, less what its owner took away since. */
  readonly toolsGranted?: readonly string[]
  readonly dependencies: ReadonlyArray<{ readonly taskId: string; readonly outcome?: string }>
  readonly questions: readonly QuestionView[]
  /** Recipient only: what will leave with `complete`. */
  readonly staged?: JsonObject
  readonly result?: JsonObject
  readonly verdicts: readonly JsonObject[]
  readonly proof: Proof
  readonly delivery: DeliveryView
}

/** What a live received task owns of a context. */
export interface OwnedView {
  readonly taskId: string
  readonly participant: string
  readonly contextID: string
  /** Normal forms; the empty one is the whole context. */
  readonly paths: readonly string[]
  readonly until: string
}

export interface LedgerView {
  readonly agent: string
  readonly tools: readonly string[]
}

/** `unchanged`: the task had ended in that way before, and nothing was written. */
export type EnvelopeWritten =
  | { readonly status: 'sent' | 'unchanged'; readonly envelope: EnvelopeView; readonly created?: boolean }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly taskId: string }
