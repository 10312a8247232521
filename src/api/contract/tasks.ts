import { z } from 'zod'
import type { TASK_ROUTES } from '../agent-routes.js'
import { jsonObject, openApi, page, task, transcript, typeEntry } from '../shapes.js'
import { TASK_STATUSES } from '../words.js'
import {
  type RouteSchemas,
  after,
  cancelReason,
  expiresInHours,
  limit,
  nothing,
  reference,
  word,
  written
} from './parts.js'

/** Tasks, and what is to be read before the first one. */

/** Characters of a task's title, the creator's own label. */
const TITLE_MAX = 200

const plan = jsonObject.describe('The complete plan: the fields that the type of the task declares, and no others')
const markdown = z.string()

export const TASK_CONTRACT = {
  'health.read': { query: nothing, body: nothing, answer: z.strictObject({ status: z.literal('ok') }) },
  'openapi.read': { query: nothing, body: nothing, answer: openApi },
  'pages.front': { query: nothing, body: nothing, answer: markdown },
  'pages.read': { query: nothing, body: nothing, answer: markdown },
  'taskTypes.list': { query: nothing, body: nothing, answer: page(typeEntry) },
  'tasks.create': {
    query: nothing,
    body: z.strictObject({
      type: word.describe('Hash, name@version or name of a type from the list of types'),
      participant: reference,
      title: z.string().min(1).max(TITLE_MAX).describe('Your own label; it never leaves this node').exactOptional(),
      expiresInHours,
      proposal: plan
    }),
    answer: written
  },
  'tasks.list': {
    query: z.strictObject({ limit, after: after.exactOptional(), status: z.enum(TASK_STATUSES).exactOptional() }),
    body: nothing,
    answer: page(task)
  },
  'tasks.read': { query: nothing, body: nothing, answer: z.strictObject({ task }) },
  'tasks.transcript': { query: nothing, body: nothing, answer: transcript },
  'tasks.propose': { query: nothing, body: z.strictObject({ proposal: plan }), answer: written },
  'tasks.respond': {
    query: nothing,
    body: z.strictObject({
      proposalId: word.describe('Of the pending proposal that the task shows'),
      decision: z.enum(['accept', 'reject'])
    }),
    answer: written
  },
  'tasks.cancel': {
    query: nothing,
    body: z.strictObject({ reason: cancelReason.exactOptional() }),
    answer: written
  }
} as const satisfies Record<keyof typeof TASK_ROUTES, RouteSchemas>
