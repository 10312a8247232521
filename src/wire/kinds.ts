/** The kinds of messages: who may write one, whether it stands in a task, what its body holds. Source: protocols/messages.md. */
import { type Infer, type Shape, anyObject, integer, object, oneOf, optional, string } from '../base/shape.js'
import { ENVELOPE_BODIES } from './envelope-bodies.js'

import { base64url, cancelReason, hex32, hex64, instant, messageId, taskRefuseCode, typeHash } from './forms.js'
import { JOB_BODIES } from './job-bodies.js'
import { LIMITS } from './limits.js'

/** `inviter`: the agent that created the task. `invitee`: the other one. `either`: any side of the pair. */
type Writer = 'either' | 'inviter' | 'invitee'

interface KindRow<B> {
  readonly writer: Writer
  /** Whether the header must have a place in a task; else it must have none. */
  readonly task: boolean
  /** Largest signed message, in bytes. */
  readonly maxBytes: number
  readonly body: Shape<B>
}

function contact<B>(body: Shape<B>): KindRow<B> {
  return { writer: 'either', task: false, maxBytes: LIMITS.messageBytes, body }
}

function task<B>(writer: Writer, body: Shape<B>): KindRow<B> {
  return { writer, task: true, maxBytes: LIMITS.messageBytes, body }
}

function envelope<B>(writer: Writer, body: Shape<B>): KindRow<B> {
  return { writer, task: true, maxBytes: LIMITS.envelopeMessageBytes, body }
}

const card = base64url(LIMITS.cardBytes)

export const KINDS = {
  'contact.request': contact(object({ card, proof: optional(object({ invite: hex32, mac: hex64 })) })),
  'contact.accept': contact(object({ card })),
  'contact.decline': contact(object({})),
  'contact.remove': contact(object({})),
  'card.update': contact(object({ card })),
  'task.invite': task(
    'inviter',
    object({
      type: object({
        name: string({ min: 1, max: LIMITS.typeNameLength }),
        version: integer({ min: 1 }),
        hash: typeHash,
        definition: anyObject
      }),
      expiresAt: instant,
      proposal: anyObject
    })
  ),
  'task.propose': task('either', object({ proposal: anyObject })),
  'task.respond': task('either', object({ proposalId: messageId, decision: oneOf(['accept', 'reject']) })),
  'task.confirm': task(
    'either',
    object({
      proposalId: messageId,
      action: string({ min: 1, max: LIMITS.actionLength }),
      recordId: hex32,
      summary: string({ max: LIMITS.summaryLength }),
      params: anyObject
    })
  ),
  'task.cancel': task('either', object({ reason: optional(cancelReason) })),
  'task.refuse': task('either', object({ of: messageId, code: taskRefuseCode })),
  'envelope.submit': envelope('inviter', ENVELOPE_BODIES.submit),
  'envelope.answer': envelope('inviter', ENVELOPE_BODIES.answer),
  'envelope.resolve': envelope('inviter', ENVELOPE_BODIES.resolve),
  'envelope.verdict': envelope('inviter', ENVELOPE_BODIES.verdict),
  'envelope.cancel': envelope('inviter', ENVELOPE_BODIES.cancel),
  'envelope.claim': envelope('invitee', ENVELOPE_BODIES.claim),
  'envelope.status': envelope('invitee', ENVELOPE_BODIES.status),
  'envelope.result': envelope('invitee', ENVELOPE_BODIES.result),
  'envelope.reject': envelope('invitee', ENVELOPE_BODIES.reject),
  'offers.update': contact(JOB_BODIES.offers),
  'job.pay': task('inviter', JOB_BODIES.pay),
  'job.unpaid': task('inviter', JOB_BODIES.unpaid),
  'job.paid': task('invitee', JOB_BODIES.paid),
  'job.deliver': task('invitee', JOB_BODIES.deliver),
  'job.complete': task('inviter', JOB_BODIES.complete)
} as const

export type Kind = keyof typeof KINDS

/** The body of a kind. */
export type BodyOf<K extends Kind> = Infer<(typeof KINDS)[K]['body']>

/** Whether this version of ours can read that kind. */
export function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text)
}

/** Largest signed message of a kind, known or not, in bytes: only `envelope.*` may be larger than the rest. */
export function maxBytesOf(kind: string): number {
  if (isKind(kind)) return KINDS[kind].maxBytes
  return kind.startsWith('envelope.') ? LIMITS.envelopeMessageBytes : LIMITS.messageBytes
}
