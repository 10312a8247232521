import { z } from 'zod'
import { LIMITS } from '../../wire/limits.js'
import type { DESK_ROUTES } from '../agent-routes.js'
import { agentContact, approval, capability, counters, inboxItem, inboxPage, jsonObject, page } from '../shapes.js'
import { type RouteSchemas, limit, nothing, pendingTask, reference, whole, word } from './parts.js'

/** What is on an agent's desk: its inbox, its contacts, what it may do, and what waits for its owner. */

/** Seconds that an inbox read may wait. */
const WAIT_MAX = 60

const cursor = whole(0, Number.MAX_SAFE_INTEGER).describe(
  'Only what is newer than this cursor; absent: what is not acknowledged'
)

export const DESK_CONTRACT = {
  'actions.run': {
    query: nothing,
    body: z.strictObject({
      taskUid: word.describe('Of an agreed task'),
      action: z.string().min(1).max(LIMITS.actionLength).describe("Name of an action of the task's type"),
      params: jsonObject.describe('Only what the agreed plan does not say').exactOptional(),
      approvalId: word.describe('Of your owner’s yes to exactly this; absent at the first call').exactOptional()
    }),
    answer: z.union([
      z.strictObject({ status: z.literal('recorded'), simulated: z.literal(true), recordId: z.string() }),
      pendingTask
    ])
  },
  'inbox.read': {
    query: z.strictObject({
      after: cursor.exactOptional(),
      wait: whole(0, WAIT_MAX).default(0).describe('Seconds to wait for something to arrive'),
      limit
    }),
    body: nothing,
    answer: inboxPage
  },
  /** The answer is what each event holds. */
  'events.read': { query: z.strictObject({ after: cursor.exactOptional() }), body: nothing, answer: inboxItem },
  'inbox.ack': {
    query: nothing,
    body: z.strictObject({ upTo: z.int().min(0).describe('Cursor of the newest item that you have dealt with') }),
    answer: z.strictObject({ ackedUpTo: z.int() })
  },
  'counters.read': { query: nothing, body: nothing, answer: counters },
  'contacts.list': { query: nothing, body: nothing, answer: page(agentContact) },
  'capabilities.list': {
    query: z.strictObject({ participant: reference.exactOptional() }),
    body: nothing,
    answer: page(capability)
  },
  'approvals.list': { query: nothing, body: nothing, answer: page(approval) },
  'approvals.read': { query: nothing, body: nothing, answer: z.strictObject({ approval }) }
} as const satisfies Record<keyof typeof DESK_ROUTES, RouteSchemas>
