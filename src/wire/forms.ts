/** Forms of texts that stand in several messages. Source: protocols/wire.md, "Forms". */
import { fromBase64url } from '../base/bytes.js'
import type { AgentId, MessageId, TaskUid, TypeHash } from '../base/ids.js'
import { type Shape, integer, object, oneOf, pattern, refine, text } from '../base/shape.js'
import { instantOf } from '../base/time.js'
import { publicKeyOf } from './keys.js'

/** An agent id, decoded; whether its key is sound is checked where it is first met. */
export const agentId: Shape<AgentId> = text((value) => publicKeyOf(value).ok, 'an agent id')

export const messageId: Shape<MessageId> = pattern(/^[0-9a-f]{64}$/, '64 lower-case hex digits')
export const messageIdOrNone: Shape<MessageId | ''> = pattern(
  /^(?:[0-9a-f]{64})?$/,
  'empty or 64 lower-case hex digits'
)
export const typeHash: Shape<TypeHash> = pattern(/^[0-9a-f]{64}$/, '64 lower-case hex digits')
export const taskUid: Shape<TaskUid> = pattern(/^[0-9a-f]{32}$/, '32 lower-case hex digits')
export const hex32: Shape<string> = pattern(/^[0-9a-f]{32}$/, '32 lower-case hex digits')
export const hex64: Shape<string> = pattern(/^[0-9a-f]{64}$/, '64 lower-case hex digits')

/** A moment, ISO 8601 in UTC with milliseconds, that exists in the calendar. */
export const instant: Shape<string> = text(
  (value) => instantOf(value) !== undefined,
  'a time such as 2026-11-14T19:00:00.000Z'
)

/** base64url without padding of 1 to `maxBytes` bytes. */
export function base64url(maxBytes: number): Shape<string> {
  const maxLength = Math.ceil((maxBytes * 4) / 3)
  return text(
    (value) => value.length > 0 && value.length <= maxLength && fromBase64url(value) !== undefined,
    `base64url of at most ${maxBytes} bytes`
  )
}

/** How far a chain goes: the number and id of its last message; nothing yet is 0 and the empty text. */
export interface Head {
  readonly seq: number
  readonly id: MessageId | ''
}

export const head: Shape<Head> = refine(
  object({ seq: integer({ min: 0 }), id: messageIdOrNone }),
  ({ seq, id }) => (seq === 0) === (id === ''),
  'has an id exactly when seq is above 0'
)

/** Codes of `task.refuse`. Source: protocols/refusal-codes.md, "Codes of task.refuse". */
export const TASK_REFUSE_CODES = [
  'task_expired',
  'backdated',
  'invalid_proposal',
  'too_many_tasks',
  'task_full',
  'type_mismatch',
  'type_retired',
  'type_not_installed'
] as const
export type TaskRefuseCode = (typeof TASK_REFUSE_CODES)[number]

export const taskRefuseCode: Shape<TaskRefuseCode> = oneOf(TASK_REFUSE_CODES)

/** Codes of `task.cancel`: why, without free text. */
export const CANCEL_REASONS = ['changed_plans', 'no_longer_needed', 'unavailable', 'other'] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** Whether a word is one of the closed list. */
export function isCancelReason(word: string): word is CancelReason {
  return (CANCEL_REASONS as readonly string[]).includes(word)
}

export const cancelReason: Shape<CancelReason> = oneOf(CANCEL_REASONS)
