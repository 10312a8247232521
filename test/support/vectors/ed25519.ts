/**
 * Cases for the strict verifier. The refused ones are made on purpose so that a lenient verifier takes them: their equation
 * holds, and only a rule about the key, R or S stands against them.
 */
import { createHash } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { concat, fromHex, toHex, toUtf8 } from '../../../src/base/bytes.js'
import { signerOf } from '../../../src/wire/ed25519.js'
import type { VectorCase } from './form.js'
import { alice, bob, seedOf } from './people.js'

export const about =
  'Strict Ed25519 (identity.md, "Signatures"). key, message and signature are hex. bad_key: the key may not be used at all; bad_signature: this signature is refused.'

/** Order of the base point. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const P = 2n ** 255n - 19n
/** Generates the eight points of low order. */
const EIGHTH = fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a') as Uint8Array

function little(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes.slice().reverse())}`)
}

function bytesOf(value: bigint): Uint8Array {
  return (fromHex(value.toString(16).padStart(64, '0')) as Uint8Array).reverse()
}

function sha512(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(
    createHash('sha512')
      .update(concat(...parts))
      .digest()
  )
}

/** The secret scalar of a seed (RFC 8032 section 5.1.5). */
function scalarOf(seed: Uint8Array): bigint {
  const half = sha512(seed).slice(0, 32)
  half[0] = (half[0] as number) & 248
  half[31] = ((half[31] as number) & 63) | 64
  return little(half) % L
}

/** Reduced, as verifiers without cofactor do before they multiply. */
function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
  return little(sha512(r, key, message)) % L
}

/** The first of a row of messages whose challenge is a multiple of eight: torsion falls out of the equation. */
function messageFor(r: Uint8Array, key: Uint8Array): Uint8Array {
  for (let i = 0; ; i++) {
    const message = toUtf8(`message ${i}`)
    if (challenge(r, key, message) % 8n === 0n) return message
  }
}

const torsion = Point.fromBytes(EIGHTH, true)
const IDENTITY = bytesOf(1n)
const SIGN = 1n << 255n

/** Keys that no one may use, with the reason. */
export function unsoundKeys(): Array<{ readonly name: string; readonly key: Uint8Array }> {
  const lowOrder = [1, 2, 3, 4, 5, 6, 7].map((times) => ({
    name: `small order: ${times} times the point of order 8`,
    key: new Uint8Array(torsion.multiplyUnsafe(BigInt(times)).toBytes())
  }))
  const mixed = new Uint8Array(Point.fromBytes(alice.signer.publicKey, false).add(torsion).toBytes())
  return [
    { name: 'small order: the identity', key: IDENTITY },
    ...lowOrder,
    { name: 'mixed order: a good key plus a point of order 8', key: mixed },
    { name: 'not canonical: the identity with y = p + 1', key: bytesOf(P + 1n) },
    { name: 'not canonical: y = p', key: bytesOf(P) },
    { name: 'not canonical: x = 0 with the sign bit', key: bytesOf(1n + SIGN) },
    { name: 'not canonical: a point of large order with y = p + 3', key: bytesOf(P + 3n) },
    { name: 'no point of the curve: y = 2', key: bytesOf(2n) },
    { name: 'all ones', key: new Uint8Array(32).fill(0xff) }
  ]
}

function vector(
  name: string,
  parts: { key: Uint8Array; message: Uint8Array; signature: Uint8Array },
  refused?: string
): VectorCase {
  const hex = { key: toHex(parts.key), message: toHex(parts.message), signature: toHex(parts.signature) }
  return refused === undefined ? { name, ...hex } : { name, ...hex, refused }
}

function goodCases(): VectorCase[] {
  return [alice, bob].flatMap(({ signer }, who) =>
    ['', 'x', 'a longer message, 日本語', 'z'.repeat(300)].map((text) => {
      const message = toUtf8(text)
      const signature = signer.sign(message)
      return vector(`signature ${who + 1} over ${message.length} bytes`, { key: signer.publicKey, message, signature })
    })
  )
}

/** Signatures of a key whose owner cheats: the equation S·B = R + h·A holds for each. */
function cheats(): VectorCase[] {
  const key = alice.signer.publicKey
  const a = scalarOf(alice.seed)
  const message = toUtf8('pay the bearer')
  const forR = (r: Uint8Array): Uint8Array => concat(r, bytesOf((challenge(r, key, message) * a) % L))
  const lowOrderR = [IDENTITY, bytesOf(P + 1n), bytesOf(1n + SIGN)].map((r, i) =>
    vector(`R is the identity, encoding ${i + 1}`, { key, message, signature: forR(r) }, 'bad_signature')
  )
  const honest = alice.signer.sign(message)
  const s = little(honest.slice(32))
  const shifted = [1n, 2n].map((times) =>
    vector(
      `S is not reduced: S + ${times} L`,
      { key, message, signature: concat(honest.slice(0, 32), bytesOf(s + times * L)) },
      'bad_signature'
    )
  )
  return [...lowOrderR, ...shifted, mixedR(key, a), ...mixedKey(a)]
}

/** R with a part of order 8: a verifier that multiplies by the cofactor takes it. */
function mixedR(key: Uint8Array, a: bigint): VectorCase {
  const k = 12345n
  const r = new Uint8Array(Point.BASE.multiply(k).add(torsion).toBytes())
  const message = toUtf8('cofactored')
  const signature = concat(r, bytesOf((k + challenge(r, key, message) * a) % L))
  return vector(
    'R has a part of order 8: only the cofactored equation holds',
    { key, message, signature },
    'bad_signature'
  )
}

function mixedKey(a: bigint): VectorCase[] {
  const k = 54321n
  const r = new Uint8Array(Point.BASE.multiply(k).toBytes())
  return unsoundKeys()
    .filter(({ name }) => !name.startsWith('no point') && name !== 'all ones' && !name.includes('p + 3'))
    .map(({ name, key }) => {
      const message = messageFor(r, key)
      const own = name.startsWith('mixed') ? a : 0n
      const signature = concat(r, bytesOf((k + challenge(r, key, message) * own) % L))
      return vector(`the equation holds for a key of ${name}`, { key, message, signature }, 'bad_key')
    })
}

function spoiled(): VectorCase[] {
  const { publicKey: key } = alice.signer
  const message = toUtf8('hello')
  const signature = alice.signer.sign(message)
  const flipped = (at: number): Uint8Array => signature.map((byte, i) => (i === at ? byte ^ 1 : byte))
  const zeros = new Uint8Array(64)
  const bad = (
    name: string,
    parts: Partial<{ key: Uint8Array; message: Uint8Array; signature: Uint8Array }>
  ): VectorCase =>
    vector(name, { key, message, signature, ...parts }, parts.key === undefined ? 'bad_signature' : 'bad_key')
  return [
    bad('another message', { message: toUtf8('hellp') }),
    vector('another key', { key: bob.signer.publicKey, message, signature }, 'bad_signature'),
    bad('a bit of R flipped', { signature: flipped(0) }),
    bad('the sign bit of R flipped', { signature: signature.map((byte, i) => (i === 31 ? byte ^ 0x80 : byte)) }),
    bad('a bit of S flipped', { signature: flipped(32) }),
    bad('the top bit of S set', { signature: signature.map((byte, i) => (i === 63 ? byte | 0x80 : byte)) }),
    bad('63 bytes', { signature: signature.slice(0, 63) }),
    bad('65 bytes', { signature: concat(signature, Uint8Array.of(0)) }),
    bad('no bytes', { signature: new Uint8Array(0) }),
    bad('all zeros', { signature: zeros }),
    bad('R and S swapped', { signature: concat(signature.slice(32), signature.slice(0, 32)) }),
    bad('S is L', { signature: concat(signature.slice(0, 32), bytesOf(L)) }),
    bad('S is 0', { signature: concat(signature.slice(0, 32), bytesOf(0n)) }),
    bad('a key of 31 bytes', { key: key.slice(0, 31) }),
    bad('a key of 33 bytes', { key: concat(key, Uint8Array.of(0)) }),
    bad('no key', { key: new Uint8Array(0) })
  ]
}

export function cases(): VectorCase[] {
  const many = [4, 5, 6, 7, 8].map((byte) => {
    const signer = signerOf(seedOf(byte))
    const message = toUtf8(`seed ${byte}`)
    return vector(`seed of bytes ${byte}`, { key: signer.publicKey, message, signature: signer.sign(message) })
  })
  return [...goodCases(), ...many, ...cheats(), ...spoiled()]
}
