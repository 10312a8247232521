import { z } from 'zod'
import { type HealthView, REACHES, type UndeliveredView, WAITS_FOR } from '../../flows/views/health.js'
import { count, text, view } from './parts.js'

/** How the node stands to the world. */

export const health: z.ZodType<HealthView> = view<HealthView>()({
  reach: z.enum(REACHES),
  addrs: z.array(text),
  contacts: z.strictObject({ active: count, connected: count }),
  undelivered: count,
  startedAt: text
})

export const undelivered: z.ZodType<UndeliveredView> = view<UndeliveredView>()({
  agent: text,
  contact: text,
  participantHandle: text,
  status: z.enum(['requested', 'active']),
  pending: count,
  since: text,
  reason: z.enum(WAITS_FOR),
  taskUids: z.array(text)
})
