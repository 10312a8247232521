/** Messages to signed bytes. Source: protocols/wire.md, "Sealing a message". */
import { equalBytes } from '../base/bytes.js'
import { canonicalBytes } from '../base/canonical.js'
import type { Json } from '../base/json.js'
import { asRead } from '../base/strict-json.js'
import { type Result, ok } from '../base/result.js'
import type { Signer } from './ed25519.js'
import { publicKeyOf } from './keys.js'
import { maxBytesOf } from './kinds.js'
import { LIMITS } from './limits.js'
import {
  type Draft,
  MESSAGE_DOMAIN,
  MESSAGE_TYPE,
  MESSAGE_VERSION,
  type VerifiedMessage,
  readMembers,
  tooLong
} from './message.js'
import { sealEnvelope } from './signed-envelope.js'
import { vouch } from './verified.js'

/**
 * Signs a message. Refuses with `too_large`. Throws when the draft is not what the other side could read, or when the
 * signer is not the agent that the draft names: then we are broken, and no such bytes may ever enter a chain.
 */
export function seal(draft: Draft, signer: Signer): Result<VerifiedMessage> {
  const sender = publicKeyOf(draft.from)
  if (!sender.ok || !equalBytes(sender.value, signer.publicKey))
    throw new Error('the draft names another sender than the signer')
  const message: Draft & { v?: number } = { ...draft }
  message.v = MESSAGE_VERSION
  // Holding our own message to what the receiver will hold it to is what keeps an unreadable one out of the chain.
  const value = asRead(message as unknown as Json, LIMITS.messageDepth)
  if (value === undefined) throw new Error(`a ${draft.kind} draft that no one could read`)
  const payload = canonicalBytes(value)
  const max = maxBytesOf(draft.kind)
  if (payload.length > max) return tooLong(draft.kind, max)
  const read = readMembers(value)
  if (!read.ok) throw new Error(`a draft that no one could read: ${read.refusal.message}`)
  if (read.value.content === undefined) throw new Error(`the body of a ${draft.kind} draft does not have its shape`)
  const bytes = sealEnvelope(signer, MESSAGE_DOMAIN, MESSAGE_TYPE, payload)
  return bytes.length > max ? tooLong(draft.kind, max) : ok(vouch(bytes, payload, read.value))
}
