import { z } from 'zod'
import { CANCEL_REASONS } from '../../wire/forms.js'
import { ENVELOPE_STATES } from '../../wire/envelope-bodies.js'
import { LIMITS } from '../../wire/limits.js'
import { task } from '../shapes.js'

/** What the contracts of all rooms are made of. */

/** What a route takes and gives: strict objects, so that an unknown member is refused by name. */
export interface RouteSchemas {
  readonly query: z.ZodType
  readonly body: z.ZodType
  readonly answer: z.ZodType
}

/** Items of a list when the caller names no limit, and at most. */
const PAGE_DEFAULT = 50
const PAGE_MAX = 200

/** No query; no body: one that is sent all the same must be `{}`. */
export const nothing = z.strictObject({})

/** A name, id or reference: never longer than any that can be meant. */
export const word = z.string().min(1).max(128)

/** Free text of an agent, for the other side or for its owner. */
export const words = z.string().min(1).max(LIMITS.reasonLength)

/** A whole number in a query string: digits only, no sign, no leading zeros, within bounds. */
export function whole(min: number, max: number): z.ZodType<number, number | string> {
  const digits = z.string().regex(/^(0|[1-9][0-9]{0,15})$/, `it must be a whole number from ${min} to ${max}`)
  return digits.transform(Number).pipe(z.int().min(min).max(max)) as unknown as z.ZodType<number, number | string>
}

/** Hours that a task or delegated work may live (protocols/tasks.md, "What a node refuses"), or a job may take. */
export const hours = z.int().min(1).max(720)
export const expiresInHours = hours.describe('Absent: 72').exactOptional()

export const limit = whole(1, PAGE_MAX).default(PAGE_DEFAULT).describe('Items at most')
export const after = word.describe('`next` of the page before')
export const reference = word.describe('al1… id, alias or handle of a contact')
export const cancelReason = word.describe(`One of ${CANCEL_REASONS.join(', ')}`)

/** The agent that an owner means; needless where there is only one. */
export const pick = z.strictObject({ agent: word.exactOptional() })

/** Which delegated work a list holds. */
export const envelopeFilter = {
  state: z.enum(ENVELOPE_STATES).exactOptional(),
  role: z.enum(['sender', 'recipient']).exactOptional()
}

/** The owner is asked first. */
export const pendingTask = z.strictObject({
  status: z.literal('pending_approval'),
  approvalId: z.string(),
  taskUid: z.string()
})

/** `{"task","status":"sent"}` or `{"status":"pending_approval","approvalId","taskUid"}`. */
export const written = z.union([z.strictObject({ task, status: z.literal('sent') }), pendingTask])
