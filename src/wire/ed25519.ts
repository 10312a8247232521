/**
 * The one strict Ed25519 verifier and the signer. Source: protocols/identity.md, "Keys" and "Signatures".
 * `node:crypto` does the work of every message; `@noble/ed25519` checks points once per key.
 */
import { type KeyObject, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { concat, fromHex, toHex } from '../base/bytes.js'
import { Memory } from '../base/memory.js'

/** Signs with one key. The seed stays inside. */
export interface Signer {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** The 64-byte signature of RFC 8032 (pure Ed25519, deterministic). */
  sign(bytes: Uint8Array): Uint8Array
}

export const PUBLIC_KEY_BYTES = 32
export const SIGNATURE_BYTES = 64
const SEED_BYTES = 32
const CHECKED_KEYS = 4096

/** DER frames of RFC 8410 around a raw key. */
const SPKI_PREFIX = fromHex('302a300506032b6570032100') as Uint8Array
const PKCS8_PREFIX = fromHex('302e020100300506032b657004220420') as Uint8Array

/** The order of the base point, big-endian: S must be below it (RFC 8032 section 5.1.7). */
const GROUP_ORDER = fromHex('1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed') as Uint8Array

/**
 * y of every encoding of a point of order 1, 2, 4 or 8, sign bit cleared: 0, 1, -1, the two of order 8, and 0 and 1 once
 * more as p and p + 1. With either sign bit that makes 14 encodings.
 */
const LOW_ORDER_Y: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'
])

/** Checked keys ready for `node:crypto` (importing one costs four times a check), and null for keys that failed. */
const checkedKeys = new Memory<string, KeyObject | null>(CHECKED_KEYS)

/** Whether a key may be used at all: 32 bytes, canonical encoding of a point, not of small order, torsion free. */
export function isSoundKey(publicKey: Uint8Array): boolean {
  return checkedKey(publicKey) !== null
}

/**
 * Whether `signature` is one of `publicKey` over `bytes`, by the strict rules: sound key, 64 bytes, S below the group
 * order, R canonical and not of low order. Never throws.
 */
export function verifyStrict(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || !isReduced(signature.subarray(32)) || isLowOrder(signature)) return false
  const key = checkedKey(publicKey)
  return key !== null && verify(null, bytes, key, signature)
}

/** A signer from the 32-byte secret seed of RFC 8032. Throws RangeError for another length. */
export function signerOf(seed: Uint8Array): Signer {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`)
  const key = createPrivateKey({ key: Buffer.from(concat(PKCS8_PREFIX, seed)), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: new Uint8Array(spki.subarray(SPKI_PREFIX.length)),
    sign: (bytes) => new Uint8Array(sign(null, bytes, key))
  }
}

function checkedKey(publicKey: Uint8Array): KeyObject | null {
  if (publicKey.length !== PUBLIC_KEY_BYTES) return null
  return checkedKeys.recall(toHex(publicKey), check)
}

function check(hex: string): KeyObject | null {
  const publicKey = fromHex(hex) as Uint8Array
  return isSoundPoint(publicKey) ? importKey(publicKey) : null
}

function isSoundPoint(publicKey: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(publicKey, false)
    return !point.isSmallOrder() && point.isTorsionFree()
  } catch {
    // noble throws for bytes that are no canonical point.
    return false
  }
}

function importKey(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(concat(SPKI_PREFIX, publicKey)), format: 'der', type: 'spki' })
}

/** Whether a little-endian S is below the group order. */
function isReduced(s: Uint8Array): boolean {
  for (let i = 0; i < GROUP_ORDER.length; i++) {
    const difference = (s[31 - i] as number) - (GROUP_ORDER[i] as number)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** Whether the first half of a signature encodes a point of low order. */
function isLowOrder(signature: Uint8Array): boolean {
  // A copy: `slice` of a Buffer would be a view, and clearing the sign bit would damage what is being verified.
  const y = Uint8Array.from(signature.subarray(0, 32))
  y[31] = (y[31] as number) & 0x7f
  return LOW_ORDER_Y.has(toHex(y))
}
