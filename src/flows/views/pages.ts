import type { JsonObject } from '../../base/json.js'
import type { AuditEntry, AuditHead } from '../../policy/audit.js'

/** What is read page by page: lists, the inbox with its badges, the audit log. Source: protocols/socket-api.md. */

export interface Page<T> {
  readonly items: readonly T[]
  /** Pass as `after` to go on; absent at the end. */
  readonly next?: string
}

export interface InboxItem {
  readonly cursor: number
  readonly kind: string
  readonly from: string
  readonly taskUid?: string
  readonly at: string
  readonly content: JsonObject
}

export interface Counters {
  readonly unread: number
  readonly tasksWaitingForMe: number
  readonly envelopesQueued: number
  readonly approvalsPending: number
  readonly undelivered: number
}

/** A page of the audit log, with the head that its chain ends in. */
export interface AuditPage extends Page<AuditEntry> {
  readonly head: AuditHead
}

/** The rooms of an owner's view of the node, as the stream of changes names them. */
export const CHANGED_ROOMS = [
  'agents',
  'approvals',
  'audit',
  'contacts',
  'envelopes',
  'grants',
  'offers',
  'payments',
  'status',
  'tasks',
  'types'
] as const
export type ChangedRoom = (typeof CHANGED_ROOMS)[number]
