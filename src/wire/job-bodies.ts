/** What the messages of a paid job and a provider's offers hold. Source: protocols/jobs.md, "Messages". */
import { type Infer, integer, list, object, optional, pattern, refine, string, text } from '../base/shape.js'
import { fromBase58 } from './base58.js'
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from './ed25519.js'
import { artifact, evidence } from './envelope-bodies.js'
import { hex32, messageId } from './forms.js'
import { LIMITS } from './limits.js'

/** An account of the chain, or a reference that is listed like one: base58 of 32 bytes. */
const chainAddress = text((value) => fromBase58(value, PUBLIC_KEY_BYTES) !== undefined, 'base58 of 32 bytes')
/** A transaction's name: base58 of its first signature, 64 bytes. */
const chainSignature = text((value) => fromBase58(value, SIGNATURE_BYTES) !== undefined, 'base58 of 64 bytes')

/** Which try to pay it is: 1, 2, 3 … within a task. */
const attempt = integer({ min: 1, max: LIMITS.taskMessages })

/** Decimal digits of SOL, at most nine after the point; more than nothing. */
const price = refine(
  pattern(/^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,9})?$/, 'an amount in SOL such as 0.25'),
  (value) => /[1-9]/.test(value),
  'must be more than nothing'
)

/** What a provider sells, as its contacts see it. */
export const offer = object({
  offerId: hex32,
  title: string({ min: 1, max: LIMITS.offerTitle }),
  description: string({ min: 1, max: LIMITS.offerText }),
  deliverable: string({ min: 1, max: LIMITS.offerText }),
  price,
  turnaroundHours: integer({ min: 1, max: 720 })
})

export type Offer = Infer<typeof offer>

const deliverMembers = object({
  artifacts: list(artifact, { max: LIMITS.artifacts }),
  evidence: optional(evidence),
  summary: optional(string({ min: 1, max: LIMITS.reasonLength }))
})

/** Bodies by kind. */
export const JOB_BODIES = {
  offers: object({ offers: list(offer, { max: LIMITS.offers }) }),
  pay: object({ proposalId: messageId, attempt, reference: chainAddress, payer: chainAddress }),
  unpaid: object({ attempt }),
  paid: object({ attempt, signature: chainSignature, slot: integer({ min: 0 }) }),
  deliver: refine(
    deliverMembers,
    (body) => body.artifacts.length > 0 || body.evidence !== undefined,
    'has an artifact or evidence'
  ),
  complete: object({})
} as const
