/**
 * What stands in the audit log: who did what to which subject under which rule, as one closed list of codes and references,
 * and the hash chain that shows whether an entry was changed or lost. Source: protocols/audit.md.
 */
import { fromUtf8 } from '../base/bytes.js'
import { canonicalBytes } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { AgentId, ApprovalId, MessageId, TaskUid, TypeHash } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { type Instant, isoOf } from '../base/time.js'
import type { Writable } from '../base/writable.js'
import type { Effect, Grant } from './grants.js'

/** Everything that can be told. A code means the same for ever; protocols/audit.md has a sentence for each. */
export const AUDIT_CODES = [
  'grant.set',
  'grant.deleted',
  'preset.applied',
  'approval.asked',
  'approval.answered',
  'approval.expired',
  'approval.stale',
  'approval.used',
  'disclosure.sent',
  'disclosure.denied',
  'action.recorded',
  'action.denied',
  'task.created',
  'task.received',
  'task.proposed',
  'task.accepted',
  'task.rejected',
  'task.confirmed',
  'task.cancelled',
  'task.refused',
  'task.expired',
  'contact.invited',
  'contact.requested',
  'contact.accepted',
  'contact.declined',
  'contact.removed',
  'contact.blocked',
  'contact.unblocked',
  'contact.frozen',
  'contact.unfrozen',
  'contact.renamed',
  'contact.moved',
  'type.installed',
  'type.retired',
  'type.declined',
  'node.restored',
  'messages.mended',
  'agent.added',
  'agent.revoked',
  'token.rotated',
  'ledger.changed',
  'envelope.submitted',
  'envelope.received',
  'envelope.claimed',
  'envelope.status',
  'envelope.answered',
  'envelope.resolved',
  'envelope.completed',
  'envelope.failed',
  'envelope.rejected',
  'envelope.cancelled',
  'envelope.verdict',
  'job.offered',
  'job.paying',
  'job.paid',
  'job.unpaid',
  'job.delivered',
  'job.completed',
  'payment.denied',
  'call.refused',
  'denials.counted'
] as const
export type AuditCode = (typeof AUDIT_CODES)[number]

/** `agent`, `peer`: by id. `unknown`: whoever reached the API without a token that opens the route. */
export interface AuditWho {
  readonly kind: 'agent' | 'owner' | 'peer' | 'node' | 'unknown'
  readonly id?: AgentId
}

/** What it concerns, by reference only: no plan, no text that somebody wrote, no secret. */
export interface AuditAbout {
  /** Our agent. */
  readonly agent?: AgentId
  readonly contact?: AgentId | '*'
  readonly taskUid?: TaskUid
  readonly messageId?: MessageId
  readonly approvalId?: ApprovalId
  /** What an approval is about: its kind. */
  readonly kind?: string
  readonly capability?: string
  /** What left, or was denied: sorted and unique. */
  readonly capabilities?: readonly string[]
  readonly effect?: Effect
  /** The effect before it, where a rule was there. */
  readonly was?: Effect
  readonly decision?: 'approve' | 'deny'
  readonly scope?: 'once' | 'contact' | 'always'
  readonly preset?: string
  readonly type?: TypeHash
  /** A record of an action, an offer, or an id of the chain that payments are on. */
  readonly recordId?: string
  readonly action?: string
  /** Name of a route of the API. */
  readonly route?: string
  /** A code of a closed list: of refusals, of reasons, of states. */
  readonly code?: string
}

/** What allowed or denied it. */
export interface AuditUnder {
  /** The grants that decided; where nothing was said there is none. */
  readonly grants?: readonly Grant[]
  readonly approvalId?: ApprovalId
}

export interface AuditEntry {
  readonly seq: number
  /** SHA-256 of the bytes of the entry before it, hex; empty for the first. */
  readonly prev: string
  /** ISO 8601. */
  readonly at: string
  readonly who: AuditWho
  readonly what: AuditCode
  readonly about: AuditAbout
  readonly under?: AuditUnder
  /** How often, where denials were counted. */
  readonly times?: number
}

/** An entry before it has a place in the log. */
export interface AuditDraft extends Omit<AuditEntry, 'seq' | 'prev' | 'at'> {
  readonly at: Instant
}

/** The newest entry: how many there are, and what the next one must name. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

export const EMPTY_AUDIT: AuditHead = { seq: 0, hash: '' }

/** The next entry as its canonical bytes, and the head after it. Throws on what has no canonical form: then we are broken. */
export function writeEntry(
  head: AuditHead,
  draft: AuditDraft
): { readonly bytes: Uint8Array; readonly head: AuditHead } {
  const { at, who, what, about, under, times } = draft
  const seq = head.seq + 1
  const entry: Writable<AuditEntry> = { about, at: isoOf(at), prev: head.hash, seq, what, who }
  if (under !== undefined) entry.under = under
  if (times !== undefined) entry.times = times
  const bytes = canonicalBytes(entry as unknown as Json)
  return { bytes, head: { seq, hash: sha256Hex(bytes) } }
}

/** Reads an entry that was stored; undefined when the bytes are none. Its place and hash are for `checkEntry`. */
export function readEntry(bytes: Uint8Array): AuditEntry | undefined {
  try {
    const entry = JSON.parse(fromUtf8(bytes) ?? '') as Partial<AuditEntry> | null
    const isOne = typeof entry?.seq === 'number' && typeof entry.prev === 'string' && typeof entry.what === 'string'
    return isOne ? (entry as AuditEntry) : undefined
  } catch {
    return undefined
  }
}

/** Why an entry does not hold. */
export type AuditFault =
  /** Not there. */
  | 'missing'
  /** Not an entry. */
  | 'unreadable'
  /** An entry, but not of this place. */
  | 'misplaced'
  /** Its hash is not what the entry after it, or the head, says. */
  | 'altered'
  /** Above the head. */
  | 'beyond_head'

/** Holds one entry against what the one after it says; `prev` is what the one before it must hash to, if that can be told. */
export function checkEntry(
  bytes: Uint8Array,
  expected: { readonly seq: number; readonly hash: string | undefined }
): { readonly fault?: AuditFault; readonly prev: string | undefined } {
  if (expected.hash !== undefined && sha256Hex(bytes) !== expected.hash) return { fault: 'altered', prev: undefined }
  const entry = readEntry(bytes)
  if (entry === undefined) return { fault: 'unreadable', prev: undefined }
  const startsRight = expected.seq > 1 || entry.prev === ''
  return entry.seq === expected.seq && startsRight ? { prev: entry.prev } : { fault: 'misplaced', prev: undefined }
}
