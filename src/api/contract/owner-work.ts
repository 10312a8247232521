import { z } from 'zod'
import type { OWNER_WORK_ROUTES } from '../owner-work-routes.js'
import {
  calendar,
  capability,
  health,
  ownerEnvelope,
  ownerOwned,
  ownerTask,
  page,
  transcript,
  undelivered
} from '../shapes.js'
import { TASK_STATUSES } from '../words.js'
import {
  type RouteSchemas,
  after,
  cancelReason,
  envelopeFilter,
  limit,
  nothing,
  pick,
  reference,
  word
} from './parts.js'

/** Work as its owner reads it and stops it: tasks and delegated work of all agents, and how the node is. */

/** A list of the owner's: of one agent or of all, with one contact or with all. */
const listOf = { agent: word.exactOptional(), contact: reference.exactOptional(), limit, after: after.exactOptional() }

export const OWNER_WORK_CONTRACT = {
  'owner.tasks.list': {
    query: z.strictObject({ ...listOf, status: z.enum(TASK_STATUSES).exactOptional(), type: word.exactOptional() }),
    body: nothing,
    answer: page(ownerTask)
  },
  'owner.tasks.read': { query: pick, body: nothing, answer: z.strictObject({ task: ownerTask }) },
  'owner.tasks.cancel': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), reason: cancelReason.exactOptional() }),
    answer: z.strictObject({ task: ownerTask, status: z.literal('sent') })
  },
  'owner.tasks.calendar': { query: pick, body: nothing, answer: calendar },
  'owner.tasks.transcript': { query: pick, body: nothing, answer: transcript },
  'owner.envelopes.list': {
    query: z.strictObject({
      ...listOf,
      ...envelopeFilter
    }),
    body: nothing,
    answer: page(ownerEnvelope)
  },
  'owner.envelopes.read': { query: pick, body: nothing, answer: z.strictObject({ envelope: ownerEnvelope }) },
  'owner.envelopes.cancel': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), code: word.exactOptional() }),
    answer: z.strictObject({ envelope: ownerEnvelope, status: z.enum(['sent', 'unchanged']) })
  },
  'owner.owned.list': { query: pick, body: nothing, answer: page(ownerOwned) },
  'owner.health.read': { query: nothing, body: nothing, answer: z.strictObject({ health }) },
  'owner.undelivered.list': { query: nothing, body: nothing, answer: page(undelivered) },
  'owner.capabilities.list': {
    query: z.strictObject({ agent: word.exactOptional(), participant: reference.exactOptional() }),
    body: nothing,
    answer: page(capability)
  }
} as const satisfies Record<keyof typeof OWNER_WORK_ROUTES, RouteSchemas>
