/** The two digests that ids, hashes and proofs are made of (FIPS 180-4 SHA-256, RFC 2104 HMAC). */
import { createHmac, hash } from 'node:crypto'

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}

/** SHA-256 as 64 lower-case hex digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** HMAC-SHA-256, 32 bytes. */
export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac('sha256', key).update(bytes).digest())
}
