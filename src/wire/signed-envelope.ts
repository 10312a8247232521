/**
 * The libp2p signed envelope (RFC 0002), strictly: one byte string per envelope. Source: protocols/wire.md, "Signed envelope".
 * The protobuf has fields 1 public key, 2 payload type, 3 payload, 5 signature, in this order, each once, nothing else.
 */
import { concat, equalBytes, toUtf8 } from '../base/bytes.js'
import { Memory } from '../base/memory.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES, type Signer, isSoundKey, verifyStrict } from './ed25519.js'
import { LIBP2P_KEY_PREFIX } from './keys.js'

/** The parts of an envelope as they stand in its bytes; nothing has been verified. */
export interface EnvelopeParts {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  readonly payloadType: Uint8Array
  readonly payload: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
}

/** What an envelope is for: the domain is signed but never sent, the payload type is both. */
export interface Purpose {
  readonly domain: string
  readonly payloadType: string
}

const TAG = { publicKey: 0x0a, payloadType: 0x12, payload: 0x1a, signature: 0x2a } as const
const KEY_BYTES = LIBP2P_KEY_PREFIX.length + PUBLIC_KEY_BYTES
/** What stands before the 32 bytes of the key, the length of the payload, and the 64 bytes of the signature. */
const KEY_HEAD = concat(Uint8Array.of(TAG.publicKey, KEY_BYTES), LIBP2P_KEY_PREFIX)
const PAYLOAD_HEAD = Uint8Array.of(TAG.payload)
const SIGNATURE_HEAD = Uint8Array.of(TAG.signature, SIGNATURE_BYTES)
/** Four 7-bit groups: 256 MiB, far above every limit. */
const MAX_VARINT_BYTES = 4
const PURPOSES = 64

/** Seals a payload. The result is what is sent, stored and exported. */
export function sealEnvelope(signer: Signer, domain: string, payloadType: string, payload: Uint8Array): Uint8Array {
  const { signed, type } = writtenPurpose({ domain, payloadType })
  const length = varint(payload.length)
  const signature = signer.sign(concat(signed, length, payload))
  const typeField = [Uint8Array.of(TAG.payloadType), varint(type.length), type]
  return concat(KEY_HEAD, signer.publicKey, ...typeField, PAYLOAD_HEAD, length, payload, SIGNATURE_HEAD, signature)
}

/**
 * Opens an envelope made for exactly this purpose. Refuses with `bad_envelope` (not the one encoding), `wrong_domain`
 * (another payload type), `bad_key`, `bad_signature` (which is also what another domain gives).
 */
export function openEnvelope(
  bytes: Uint8Array,
  domain: string,
  payloadType: string
): Result<{ publicKey: Uint8Array; payload: Uint8Array }> {
  const parts = peekEnvelope(bytes)
  if (!parts.ok) return parts
  const verified = verifyEnvelope(parts.value, { domain, payloadType })
  return verified.ok ? ok({ publicKey: parts.value.publicKey, payload: parts.value.payload }) : verified
}

/** Splits an envelope without verifying it. The parts are views of `bytes`. Refuses with `bad_envelope`. */
export function peekEnvelope(bytes: Uint8Array): Result<EnvelopeParts> {
  const cursor = { bytes, at: 0 }
  const key = takeField(cursor, TAG.publicKey)
  const payloadType = key && takeField(cursor, TAG.payloadType)
  const payload = payloadType && takeField(cursor, TAG.payload)
  const signature = payload && takeField(cursor, TAG.signature)
  if (!signature || cursor.at !== bytes.length) return bad('not a signed envelope')
  if (signature.length !== SIGNATURE_BYTES) return bad(`the signature must have ${SIGNATURE_BYTES} bytes`)
  if (key.length !== KEY_BYTES || !equalBytes(key.subarray(0, LIBP2P_KEY_PREFIX.length), LIBP2P_KEY_PREFIX)) {
    return bad('the key must be an Ed25519 key')
  }
  return ok({ publicKey: key.subarray(LIBP2P_KEY_PREFIX.length), payloadType, payload, signature })
}

/** Checks type, key and signature of split parts. Refuses like `openEnvelope`. */
export function verifyEnvelope(parts: EnvelopeParts, purpose: Purpose): Result<void> {
  const { signed, type } = writtenPurpose(purpose)
  if (!equalBytes(parts.payloadType, type)) {
    return fail(badRequest('wrong_domain', `the payload type is not ${purpose.payloadType}`))
  }
  const whole = concat(signed, varint(parts.payload.length), parts.payload)
  if (verifyStrict(parts.publicKey, whole, parts.signature)) return ok()
  if (!isSoundKey(parts.publicKey)) return fail(badRequest('bad_key', 'the signing key may not be used'))
  return fail(badRequest('bad_signature', 'the signature is not one of this key over these bytes for this purpose'))
}

interface WrittenPurpose {
  /** What is signed before the payload: length and domain, length and type. */
  readonly signed: Uint8Array
  readonly type: Uint8Array
}

const purposes = new Memory<string, WrittenPurpose>(PURPOSES)

function writtenPurpose({ domain, payloadType }: Purpose): WrittenPurpose {
  return purposes.recall(`${domain}\n${payloadType}`, () => {
    const [name, type] = [toUtf8(domain), toUtf8(payloadType)]
    return { signed: concat(varint(name.length), name, varint(type.length), type), type }
  })
}

function varint(value: number): Uint8Array {
  const groups: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) groups.push((rest & 0x7f) | 0x80)
  return Uint8Array.of(...groups, rest)
}

interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

/** The content of a field of wire type 2 (length-delimited), which has to stand here. */
function takeField(cursor: Cursor, tag: number): Uint8Array | undefined {
  if (cursor.bytes[cursor.at] !== tag) return undefined
  cursor.at++
  const length = takeVarint(cursor)
  // protobuf leaves out empty fields, so an empty one has two encodings; none of ours is empty.
  if (length === undefined || length === 0 || cursor.at + length > cursor.bytes.length) return undefined
  const start = cursor.at
  cursor.at += length
  return cursor.bytes.subarray(start, cursor.at)
}

/** A varint in its shortest form. */
function takeVarint(cursor: Cursor): number | undefined {
  let value = 0
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const group = cursor.bytes[cursor.at++]
    if (group === undefined || (i > 0 && group === 0)) return undefined
    value |= (group & 0x7f) << (7 * i)
    if (group < 0x80) return value
  }
  return undefined
}

function bad(message: string): ReturnType<typeof fail> {
  return fail(badRequest('bad_envelope', message))
}
