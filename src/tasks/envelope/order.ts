import type { Side } from '../log.js'
import type { EnvelopeEntry } from './log.js'

/** Who writes what, and what goes first of two concurrent messages. Source: protocols/envelopes.md, "Messages" and "Merge". */

/** What the sender says that leaves the state as it is goes first, then the recipient's steps, a cancel last. */
export function rankOf(entry: EnvelopeEntry): number {
  switch (entry.kind) {
    case 'envelope.cancel':
      return 4
    case 'envelope.claim':
    case 'envelope.status':
    case 'envelope.result':
    case 'envelope.reject':
      return 3
    default:
      return 2
  }
}

const RECIPIENTS: ReadonlySet<string> = new Set([
  'envelope.claim',
  'envelope.status',
  'envelope.result',
  'envelope.reject'
])

/** Whether a side may say this at all. */
export function isWriter(side: Side, entry: EnvelopeEntry): boolean {
  return (side === 'invitee') === RECIPIENTS.has(entry.kind)
}
