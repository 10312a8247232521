import { z } from 'zod'
import type { EnvelopeView, LedgerView, OwnedView } from '../../flows/views/envelopes.js'
import { ENVELOPE_STATES } from '../../wire/envelope-bodies.js'
import { jsonObject, text, view } from './parts.js'
import { delivery } from './tasks.js'

/** Delegated work. */

const question = z.strictObject({
  questionId: text,
  at: text,
  state: text,
  code: text.exactOptional(),
  reason: text.exactOptional(),
  answer: z.strictObject({ at: text, text }).exactOptional()
})

export const envelopeMembers = {
  taskId: text,
  taskUid: text,
  participant: text,
  role: z.enum(['sender', 'recipient']),
  state: z.enum(ENVELOPE_STATES),
  code: text.exactOptional(),
  reason: text.exactOptional(),
  conflictsWith: text.exactOptional(),
  conflictingFiles: z.array(text).exactOptional(),
  cancelRequested: z.boolean().exactOptional(),
  claimable: z.boolean(),
  createdAt: text,
  expiresAt: text,
  contract: jsonObject,
  toolsGranted: z.array(text).exactOptional(),
  dependencies: z.array(z.strictObject({ taskId: text, outcome: text.exactOptional() })),
  questions: z.array(question),
  staged: jsonObject.exactOptional(),
  result: jsonObject.exactOptional(),
  verdicts: z.array(jsonObject),
  proof: z.enum(['none', 'claimed', 'verified', 'disputed']),
  delivery
}

export const envelope: z.ZodType<EnvelopeView> = view<EnvelopeView>()(envelopeMembers)

export const ownedMembers = {
  taskId: text,
  participant: text,
  contextID: text,
  paths: z.array(text),
  until: text
}

export const owned: z.ZodType<OwnedView> = view<OwnedView>()(ownedMembers)

export const ledger: z.ZodType<LedgerView> = view<LedgerView>()({ agent: text, tools: z.array(text) })
