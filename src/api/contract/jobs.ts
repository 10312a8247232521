import { z } from 'zod'
import { LIMITS } from '../../wire/limits.js'
import type { JOB_ROUTES } from '../job-routes.js'
import { artifactText, evidenceText, page, payments, wallet } from '../shapes.js'
import { type RouteSchemas, nothing, pick, words, written } from './parts.js'

/** Hired and paid work, and the wallet that pays. */

export const JOB_CONTRACT = {
  'jobs.pay': { query: nothing, body: nothing, answer: written },
  'jobs.deliver': {
    query: nothing,
    body: z.strictObject({
      artifacts: z.array(artifactText).max(LIMITS.artifacts).describe('The deliverables').exactOptional(),
      evidence: evidenceText.exactOptional(),
      summary: words.describe('What the hirer should know of it').exactOptional()
    }),
    answer: written
  },
  'jobs.complete': { query: nothing, body: nothing, answer: written },
  'owner.payments.list': { query: pick, body: nothing, answer: page(payments) },
  'owner.wallet.read': { query: nothing, body: nothing, answer: z.strictObject({ wallet }) }
} as const satisfies Record<keyof typeof JOB_ROUTES, RouteSchemas>
