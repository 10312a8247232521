import type { Content, VerifiedMessage } from '../../wire/message.js'
import { type Instant, instantOf } from '../../base/time.js'
import { type LogOf, OPAQUE, type Place, entryWith } from '../log.js'

/**
 * The log of a delegated task: the inviter is the sender of the task envelope, the invitee its recipient. Places, covers
 * and refusals are those of every task (protocols/tasks.md); the kinds are those of protocols/envelopes.md.
 */

export type EnvelopeContent = Extract<Content, { kind: `envelope.${string}` | 'task.refuse' }>

/** `opaque`: what we could not read, or what speaks of a negotiation. It keeps its place and has no effect. */
export type EnvelopeEntry = Place & (EnvelopeContent | { readonly kind: 'opaque'; readonly body: undefined })
export type EnvelopeEntryOf<K extends EnvelopeEntry['kind']> = Extract<EnvelopeEntry, { kind: K }>

export type EnvelopeLog = LogOf<EnvelopeEntry>

export const EMPTY_ENVELOPE_LOG: EnvelopeLog = { inviter: [], invitee: [] }

/** The entry of a verified message; throws when it belongs to no task, for then we are broken. */
export function envelopeEntryOf(message: VerifiedMessage, coverHead?: number): EnvelopeEntry {
  const content = message.content
  return content !== undefined && isEnvelopeContent(content)
    ? entryWith(message, content, coverHead)
    : entryWith(message, OPAQUE, coverHead)
}

function isEnvelopeContent(content: Content): content is EnvelopeContent {
  return content.kind.startsWith('envelope.') || content.kind === 'task.refuse'
}

/** The message that opens a log. Throws on a log without one: `checkPlace` lets none come about. */
export function submitOf(log: EnvelopeLog): EnvelopeEntryOf<'envelope.submit'> {
  const first = log.inviter[0]
  if (first?.kind !== 'envelope.submit') throw new Error('the log of a task envelope opens with its submit')
  return first
}

/** When the task is over; what lies before 1970 is long past. */
export function envelopeExpiry(submit: EnvelopeEntryOf<'envelope.submit'>): Instant {
  return Math.max(0, instantOf(submit.body.expiresAt) ?? 0)
}
