/** The two digests that ids, hashes and proofs are made of (FIPS 180-4 SHA-256, RFC 2104 HMAC). */
import { createHash, createHmac } from 'node:crypto'

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest())
}

/** SHA-256 as 64 lower-case hex digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** HMAC-SHA-256, 32 bytes. */
export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac('sha256', key).update(bytes).digest())
}
