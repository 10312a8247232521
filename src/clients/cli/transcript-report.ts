import type { JsonObject } from '../../base/json.js'

/** What a transcript proves, as plain values; times are ISO 8601. */
export type TranscriptReport = (TaskTranscript | EnvelopeTranscript) & {
  /** Its uid. */
  readonly task: string
  readonly inviter: string
  readonly invitee: string
  readonly exportedBy: 'inviter' | 'invitee'
  readonly exportedAt: string
  /** The time that the state is of. */
  readonly at: string
  /** In an order in which both sides can have stored them. `effect`: applied, or why not. */
  readonly messages: ReadonlyArray<{
    readonly by: 'inviter' | 'invitee'
    readonly n: number
    readonly kind: string
    readonly id: string
    readonly at: string
    readonly effect: string
  }>
}

/** Of a negotiation. */
export interface TaskTranscript {
  readonly kind: 'task'
  readonly type: { readonly name: string; readonly version: number; readonly hash: string }
  readonly status: string
  readonly statusReason?: string
  readonly agreedProposalId?: string
  readonly proposals: ReadonlyArray<{
    readonly proposalId: string
    readonly version: number
    readonly by: 'inviter' | 'invitee'
    readonly status: string
    readonly proposal: JsonObject
    readonly at: string
  }>
}

/** Of a delegated task: the inviter sent it, the invitee received it. */
export interface EnvelopeTranscript {
  readonly kind: 'envelope'
  /** The sender's name for it. */
  readonly taskId: string
  readonly state: string
  readonly code?: string
  readonly reason?: string
  readonly conflictsWith?: string
  readonly proof: 'none' | 'claimed' | 'verified' | 'disputed'
  readonly expiresAt: string
  readonly contract: JsonObject
  readonly dependencies: ReadonlyArray<{ readonly taskId: string; readonly outcome?: string }>
  readonly result?: JsonObject
  readonly verdicts: readonly JsonObject[]
}
