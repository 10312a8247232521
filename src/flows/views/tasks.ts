import type { JsonObject } from '../../base/json.js'
import type { TaskStatus } from '../../tasks/report.js'
import type { TypeRef } from './types.js'
import type { JobView } from './jobs.js'

/** Negotiated tasks as the API shows them, and what writes in them answer. Times are ISO 8601. Source: protocols/socket-api.md. */

export interface ProposalView {
  readonly proposalId: string
  readonly version: number
  readonly by: 'self' | 'peer'
  readonly status: 'pending' | 'accepted' | 'rejected' | 'superseded'
  readonly proposal: JsonObject
  readonly at: string
}

export interface DeliveryView {
  /** `queued`: not yet on the peer's disk. `delivered`: its signed receipt covers everything. `refused`: its node said no. */
  readonly state: 'queued' | 'delivered' | 'refused'
  /** Own messages of this task that no receipt covers yet. */
  readonly pending: number
  readonly reason?: string
}

/** An action that one side recorded on the agreed plan. */
export interface ConfirmView {
  readonly recordId: string
  readonly action: string
  readonly by: 'self' | 'peer'
  /** Made by the recording side's node. */
  readonly summary: string
  /** Those that the agreed plan holds too: what the confirm carried. */
  readonly params: JsonObject
  readonly at: string
}

export interface TaskView {
  readonly taskUid: string
  readonly type: TypeRef
  readonly participant: string
  readonly role: 'inviter' | 'invitee'
  readonly title?: string
  readonly status: TaskStatus
  readonly statusReason?: string
  readonly cancelRequested?: boolean
  readonly createdAt: string
  readonly expiresAt: string
  readonly proposals: readonly ProposalView[]
  readonly agreedProposalId?: string
  /** Actions that were recorded, in the order of the task; absent while there is none. */
  readonly confirms?: readonly ConfirmView[]
  /** Of a paid job, once its plan is agreed. */
  readonly job?: JobView
  readonly delivery: DeliveryView
}

/** An agreed plan as the text of a calendar file (protocols/calendar.md). */
export interface CalendarView {
  readonly calendar: string
}

/** A task as a file that proves itself; bytes as base64url (protocols/transcripts.md, "The file"). */
export interface TranscriptView {
  readonly format: 'agentlink-transcript'
  readonly v: 1
  readonly task: string
  readonly inviter: { readonly agent: string; readonly messages: readonly string[] }
  readonly invitee: { readonly agent: string; readonly messages: readonly string[] }
  readonly exportedBy: 'inviter' | 'invitee'
  readonly exportedAt: string
  readonly receipts: readonly string[]
  readonly covers: readonly number[]
  readonly seal: string
}

/** What a write answers: done and sealed, or waiting for the owner. */
export type WriteAnswer =
  | { readonly status: 'sent'; readonly task: TaskView; readonly created?: true }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly taskUid: string }

/** What an action answers: recorded, or waiting for the owner. */
export type ActionAnswer =
  | { readonly status: 'recorded'; readonly simulated: true; readonly recordId: string }
  | { readonly status: 'pending_approval'; readonly approvalId: string; readonly taskUid: string }
