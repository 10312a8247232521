/** Receipts: the signed word that messages are on disk. Source: protocols/wire.md, "Receipt". */
import { equalBytes } from '../base/bytes.js'
import { canonicalBytes } from '../base/canonical.js'
import type { AgentId, MessageId } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { badRequest, refusal } from '../base/refusal.js'
import { type Result, fail } from '../base/result.js'
import { type Shape, checkAs, integer, list, object, oneOf } from '../base/shape.js'
import { readCanonicalJson } from '../base/strict-json.js'
import type { Signer } from './ed25519.js'
import { agentId, instant, messageId } from './forms.js'
import { publicKeyOf } from './keys.js'
import { LIMITS } from './limits.js'
import { peekEnvelope, sealEnvelope, verifyEnvelope } from './signed-envelope.js'

export interface Receipt {
  /** Who stored. */
  readonly from: AgentId
  /** Whose chain it is. */
  readonly to: AgentId
  /** Everything up to and with this message is on disk. */
  readonly upTo: { readonly seq: number; readonly id: MessageId }
  /** Last `seq` of the storer's own chain towards `to`, at that commit; 0 for none. */
  readonly head: number
  /** Only what was not plainly stored. */
  readonly results: ReadonlyArray<{ readonly seq: number; readonly code: 'opaque' | 'duplicate' }>
  readonly at: string
}

export const RECEIPT_PURPOSE = { domain: 'agentlink/receipt/1', payloadType: '/agentlink/receipt' } as const

const receiptShape: Shape<Receipt> = object({
  from: agentId,
  to: agentId,
  upTo: object({ seq: integer({ min: 1 }), id: messageId }),
  head: integer({ min: 0 }),
  results: list(object({ seq: integer({ min: 1 }), code: oneOf(['opaque', 'duplicate']) }), {
    max: LIMITS.receiptResults
  }),
  at: instant
})

/** Signs a receipt. Throws when it is malformed or names another storer than the signer. */
export function sealReceipt(receipt: Receipt, signer: Signer): Uint8Array {
  const { from, to, upTo, head, results, at } = receipt
  const value = { from, to, upTo, head, results, at } as unknown as Json
  const key = publicKeyOf(from)
  if (!key.ok || !equalBytes(key.value, signer.publicKey))
    throw new Error('the receipt names another storer than the signer')
  const checked = checkAs('malformed_message', receiptShape, value)
  if (!checked.ok) throw new Error(`a receipt that no one would take: ${checked.refusal.message}`)
  return sealEnvelope(signer, RECEIPT_PURPOSE.domain, RECEIPT_PURPOSE.payloadType, canonicalBytes(value))
}

/**
 * Opens a receipt that `from` is said to have written about the chain of `to`. Refuses with `too_large`, `bad_envelope`,
 * `wrong_domain`, `bad_key`, `bad_signature`, `wrong_sender`, `wrong_recipient`, `malformed_message`, codes of strict JSON.
 */
export function openReceipt(
  bytes: Uint8Array,
  expected: { readonly from: AgentId; readonly to: AgentId }
): Result<Receipt> {
  if (bytes.length > LIMITS.receiptBytes)
    return fail(refusal('too_large', `a receipt has at most ${LIMITS.receiptBytes} bytes`))
  const parts = peekEnvelope(bytes)
  if (!parts.ok) return parts
  const storer = publicKeyOf(expected.from)
  if (!storer.ok) return storer
  if (!equalBytes(parts.value.publicKey, storer.value))
    return fail(badRequest('wrong_sender', 'signed by another key', 'from'))
  const verified = verifyEnvelope(parts.value, RECEIPT_PURPOSE)
  return verified.ok ? readReceipt(parts.value.payload, expected) : verified
}

function readReceipt(payload: Uint8Array, expected: { readonly from: AgentId; readonly to: AgentId }): Result<Receipt> {
  const json = readCanonicalJson(payload, { maxBytes: LIMITS.receiptBytes, maxDepth: LIMITS.jsonDepth })
  if (!json.ok) return json
  const receipt = checkAs('malformed_message', receiptShape, json.value)
  if (!receipt.ok) return receipt
  if (receipt.value.from !== expected.from) return fail(badRequest('wrong_sender', 'names another storer', 'from'))
  if (receipt.value.to !== expected.to) return fail(badRequest('wrong_recipient', 'about the chain of another', 'to'))
  return receipt
}
