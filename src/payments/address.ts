import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { fromBase58 } from '../wire/base58.js'
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../wire/ed25519.js'

/** Names on the chain. Source: protocols/payments.md, "Terms". */

/** An account: base58 of 32 bytes. */
export type Address = string
/** A transaction, by its first signature: base58 of 64 bytes. */
export type Signature = string

/** Parses an address. Refuses with `malformed_id`. */
export function parseAddress(text: string, field = 'address'): Result<Address> {
  if (fromBase58(text, PUBLIC_KEY_BYTES) !== undefined) return ok(text)
  return fail(badRequest('malformed_id', `${field} must be a Solana address, base58 of 32 bytes`, field))
}

/** Parses a transaction signature. Refuses with `malformed_id`. */
export function parseSignature(text: string, field = 'signature'): Result<Signature> {
  if (fromBase58(text, SIGNATURE_BYTES) !== undefined) return ok(text)
  return fail(badRequest('malformed_id', `${field} must be a transaction signature, base58 of 64 bytes`, field))
}
