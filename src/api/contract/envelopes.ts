import { z } from 'zod'
import { CANCEL_REASONS } from '../../wire/forms.js'
import { REPORT_CODES, VERDICT_SOURCES } from '../../wire/envelope-bodies.js'
import { LIMITS } from '../../wire/limits.js'
import type { ENVELOPE_ROUTES } from '../envelope-routes.js'
import { artifactText, contractText, envelope, evidenceText, owned, page, runText, transcript } from '../shapes.js'
import {
  type RouteSchemas,
  after,
  envelopeFilter,
  expiresInHours,
  limit,
  nothing,
  reference,
  word,
  words
} from './parts.js'

/** Delegated work, for agents. */

/** `{"envelope","status"}` or `{"status":"pending_approval","approvalId","taskId"}`. */
const delegated = z.union([
  z.strictObject({ envelope, status: z.enum(['sent', 'unchanged']) }),
  z.strictObject({ status: z.literal('pending_approval'), approvalId: z.string(), taskId: z.string() })
])
const oneEnvelope = z.strictObject({ envelope })
const why = z.enum(REPORT_CODES)
const reason = words
  .describe('Free text for the sender, under delegate.report; a code alone needs no right')
  .exactOptional()
const stop = {
  query: nothing,
  body: z.strictObject({
    code: why.describe(
      'Why you stop: declined, cannot, out_of_scope, unsafe, busy, acceptance_failed; or what you lack'
    ),
    reason
  }),
  answer: delegated
}

export const ENVELOPE_CONTRACT = {
  'envelopes.submit': {
    query: nothing,
    body: z.strictObject({
      recipient: reference,
      taskId: word
        .describe('Your own name for it, so that others can depend on it; absent: the node makes one')
        .exactOptional(),
      expiresInHours,
      envelope: contractText
    }),
    answer: delegated
  },
  'envelopes.list': {
    query: z.strictObject({
      limit,
      after: after.exactOptional(),
      ...envelopeFilter
    }),
    body: nothing,
    answer: page(envelope)
  },
  'envelopes.owned': { query: nothing, body: nothing, answer: page(owned) },
  'envelopes.read': { query: nothing, body: nothing, answer: oneEnvelope },
  'envelopes.transcript': { query: nothing, body: nothing, answer: transcript },
  'envelopes.claim': { query: nothing, body: nothing, answer: delegated },
  'envelopes.status': {
    query: nothing,
    body: z.strictObject({
      state: z.enum(['working', 'input_required', 'auth_required']),
      code: why
        .describe(
          'What you need: blocked, needs_decision, needs_material, needs_access, other. Required unless the state is working'
        )
        .exactOptional(),
      reason
    }),
    answer: delegated
  },
  'envelopes.answer': {
    query: nothing,
    body: z.strictObject({
      questionId: word.describe('Absent: the open one').exactOptional(),
      text: words.describe('Your answer, under delegate.submit')
    }),
    answer: delegated
  },
  'envelopes.artifacts': {
    query: nothing,
    body: z.strictObject({
      artifacts: z.array(artifactText).max(LIMITS.artifacts).describe('All of them: they replace what was staged')
    }),
    answer: oneEnvelope
  },
  'envelopes.evidence': {
    query: nothing,
    body: z.strictObject({
      evidence: evidenceText
    }),
    answer: oneEnvelope
  },
  'envelopes.complete': {
    query: nothing,
    body: z.strictObject({ summary: words.describe('What the sender should know of the result').exactOptional() }),
    answer: delegated
  },
  'envelopes.fail': stop,
  'envelopes.reject': stop,
  'envelopes.cancel': {
    query: nothing,
    body: z.strictObject({ code: word.describe(`One of ${CANCEL_REASONS.join(', ')}; absent: other`).exactOptional() }),
    answer: delegated
  },
  'envelopes.verdict': {
    query: nothing,
    body: z.strictObject({
      passed: z.boolean().describe('Whether the result is what was asked for'),
      freshContext: z.boolean().describe('Whether who judged knew nothing of how the work was done'),
      verdictSource: z.enum(VERDICT_SOURCES).describe('script: a command decided; llm_judge: a model did'),
      run: runText.exactOptional(),
      note: words.describe('For the recipient, in your words').exactOptional()
    }),
    answer: delegated
  }
} as const satisfies Record<keyof typeof ENVELOPE_ROUTES, RouteSchemas>
