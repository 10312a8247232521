/** Bytes and their text forms. What goes out is always a plain `Uint8Array`; `Buffer` stays inside. */

const HEX = /^(?:[0-9a-f]{2})*$/
const BASE64URL = /^[A-Za-z0-9_-]*$/
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return view(bytes).toString('hex')
}

/** Reads lower-case hex; undefined for anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  return HEX.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : undefined
}

/** base64url (RFC 4648 section 5) without padding. */
export function toBase64url(bytes: Uint8Array): string {
  return view(bytes).toString('base64url')
}

/** Reads exactly what `toBase64url` writes; undefined for padding, other alphabets and stray trailing bits. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!BASE64URL.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? new Uint8Array(bytes) : undefined
}

/** UTF-8 of a text. Lone surrogates become U+FFFD, so check texts that came from elsewhere first. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Text of UTF-8 bytes; undefined when they are not valid UTF-8. A byte order mark is kept as U+FEFF. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** All parts after each other, in fresh memory. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Whether both hold the same bytes. Takes as long as the common prefix: not for secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
