/** Bytes to verified messages. Source: protocols/wire.md, "Opening a message". */
import { equalBytes } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import { badRequest, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { publicKeyOf } from './keys.js'
import { maxBytesOf } from './kinds.js'
import { LIMITS } from './limits.js'
import { MESSAGE_DOMAIN, MESSAGE_TYPE, type VerifiedMessage, readPayload, tooLong } from './message.js'
import { peekEnvelope, verifyEnvelope } from './signed-envelope.js'
import { vouch, vouchedFor } from './verified.js'

const PURPOSE = { domain: MESSAGE_DOMAIN, payloadType: MESSAGE_TYPE }

/**
 * Opens a signed message that `from` is said to have written to `to`. What the message says never matters here: unknown
 * versions, kinds and bodies come out opaque. Refuses with `too_large`, `bad_envelope`, `wrong_domain`, `bad_key`,
 * `bad_signature`, `wrong_sender`, `wrong_recipient`, `malformed_message` and the codes of strict JSON.
 */
export function open(
  bytes: Uint8Array,
  expected: { readonly from: AgentId; readonly to: AgentId }
): Result<VerifiedMessage> {
  if (bytes.length > LIMITS.envelopeMessageBytes) {
    return fail(refusal('too_large', `a message has at most ${LIMITS.envelopeMessageBytes} bytes`))
  }
  const parts = peekEnvelope(bytes)
  if (!parts.ok) return parts
  const sender = publicKeyOf(expected.from)
  if (!sender.ok) return sender
  if (!equalBytes(parts.value.publicKey, sender.value)) return wrongSender('signed by another key')
  const verified = verifyEnvelope(parts.value, PURPOSE)
  if (!verified.ok) return verified
  const read = readPayload(parts.value.payload)
  if (!read.ok) return read
  const { header } = read.value
  if (header.from !== expected.from) return wrongSender('signed by another agent than it names')
  if (header.to !== expected.to) return fail(badRequest('wrong_recipient', 'addressed to another agent', 'to'))
  const max = maxBytesOf(header.kind)
  return bytes.length > max ? tooLong(header.kind, max) : ok(vouch(bytes, parts.value.payload, read.value))
}

/**
 * Reads a signed message that this node opened or sealed before and kept itself: no signature is checked. Throws when it
 * can't be read, because then our own store is damaged.
 */
export function reopen(bytes: Uint8Array): VerifiedMessage {
  return vouchedFor(bytes) ?? readBack(bytes)
}

function readBack(bytes: Uint8Array): VerifiedMessage {
  const parts = peekEnvelope(bytes)
  const read = parts.ok ? readPayload(parts.value.payload) : parts
  if (!parts.ok || !read.ok) throw new Error('a stored message can not be read back')
  return vouch(bytes, parts.value.payload, read.value)
}

function wrongSender(message: string): ReturnType<typeof fail> {
  return fail(badRequest('wrong_sender', message, 'from'))
}
