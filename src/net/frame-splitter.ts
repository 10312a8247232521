/**
 * Cuts a stream of bytes into frames: an unsigned varint with the length, then so many bytes (protocols/streams.md).
 * Synchronous and pure. It stands in for `it-length-prefixed`, which is the oracle of its tests: that one costs four
 * times as much per frame (1.3 against 0.35 µs), keeps a frame that comes byte by byte as so many buffers (some 50 MB
 * for 256 KiB), and takes lengths of zero and in longer forms than needed.
 */
export interface FrameSplitter {
  /** Adds what arrived. Call `next` until it answers undefined before the next `push`. */
  push(bytes: Uint8Array): void
  /** The next whole frame, or undefined when more bytes are needed. A frame that arrived in one piece is not copied. */
  next(): Uint8Array | undefined
  /** Whether a frame has begun and is not complete. */
  pending(): boolean
}

/** A length that the protocol does not allow: zero, too large, or not in its shortest form. */
export class FrameLengthError extends Error {
  override readonly name = 'FrameLengthError'
}

const NONE = new Uint8Array(0)
/** First room for a frame that arrives in pieces; it doubles as bytes come, so that a claimed length costs nothing. */
const FIRST_ROOM = 4096

/** `maxBytes`: largest frame, in bytes without its prefix; at most 2^28 - 1. `next` throws `FrameLengthError` on junk. */
export function createFrameSplitter(maxBytes: number): FrameSplitter {
  let chunk: Uint8Array = NONE
  let at = 0
  let length = 0
  let shift = 0
  let need = -1
  let body: Uint8Array = NONE
  let filled = 0

  function readLength(): void {
    while (at < chunk.length) {
      const byte = chunk[at++] ?? 0
      length += (byte & 0x7f) * 2 ** shift
      if (length > maxBytes || shift > 21) throw new FrameLengthError(`a frame may have ${maxBytes} bytes at most`)
      if (byte < 0x80) return acceptLength(byte)
      shift += 7
    }
  }

  function acceptLength(lastByte: number): void {
    if (lastByte === 0) throw new FrameLengthError('a frame length is not zero and in its shortest form')
    need = length
    length = 0
    shift = 0
  }

  function collect(): void {
    const take = Math.min(need - filled, chunk.length - at)
    if (filled + take > body.length) grow(filled + take)
    body.set(chunk.subarray(at, at + take), filled)
    filled += take
    at += take
  }

  function grow(least: number): void {
    const room = Math.min(need, Math.max(FIRST_ROOM, body.length * 2, least))
    const larger = new Uint8Array(room)
    larger.set(body.subarray(0, filled))
    body = larger
  }

  // What was eaten is let go, so that a quiet stream doesn't hold on to its last chunk.
  function starve(): undefined {
    chunk = NONE
    at = 0
    return undefined
  }

  function finish(frame: Uint8Array): Uint8Array {
    need = -1
    body = NONE
    filled = 0
    return frame
  }

  return {
    push(bytes) {
      chunk = bytes
      at = 0
    },
    next() {
      if (need < 0) readLength()
      if (need < 0) return starve()
      if (filled === 0 && chunk.length - at >= need) {
        at += need
        return finish(chunk.subarray(at - need, at))
      }
      collect()
      return filled === need ? finish(body) : starve()
    },
    pending: () => need >= 0 || shift > 0
  }
}

/** The unsigned varint that stands before a frame of `length` bytes. */
export function lengthPrefix(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  if (length < 0x4000) return Uint8Array.of((length & 0x7f) | 0x80, length >>> 7)
  if (length < 0x200000) return Uint8Array.of((length & 0x7f) | 0x80, ((length >>> 7) & 0x7f) | 0x80, length >>> 14)
  throw new RangeError(`no frame has ${length} bytes`)
}
