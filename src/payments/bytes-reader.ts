import { SIGNATURE_BYTES } from '../wire/ed25519.js'

/** Reads the parts of a Solana transaction one after the other. Every `take` is undefined when the bytes don't have it. */
export class BytesReader {
  private at: number

  constructor(
    private readonly bytes: Uint8Array,
    start = 0
  ) {
    this.at = start
  }

  /** How many bytes were read. */
  get offset(): number {
    return this.at
  }

  get done(): boolean {
    return this.at === this.bytes.length
  }

  byte(): number | undefined {
    return this.take(1)?.[0]
  }

  /** A view of the next `length` bytes. */
  take(length: number): Uint8Array | undefined {
    if (length > this.bytes.length - this.at) return undefined
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  /** A length as Solana writes it ("compact-u16"): 7 bits in each byte, at most 3 bytes, in the shortest way only. */
  length(): number | undefined {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte()
      if (byte === undefined) return undefined
      value += (byte & 0x7f) << shift
      if (byte < 0x80) return byte === 0 && shift > 0 ? undefined : inRange(value)
    }
    return undefined
  }

  /** A list that begins with its length. */
  list<T>(one: () => T | undefined): readonly T[] | undefined {
    const length = this.length()
    if (length === undefined || length > this.bytes.length - this.at) return undefined
    const items: T[] = []
    for (let i = 0; i < length; i++) {
      const item = one()
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

  signatures(): readonly Uint8Array[] | undefined {
    return this.list(() => this.take(SIGNATURE_BYTES))
  }

  /** Bytes that begin with their length. */
  block(): Uint8Array | undefined {
    const length = this.length()
    return length === undefined ? undefined : this.take(length)
  }
}

function inRange(value: number): number | undefined {
  return value <= 0xffff ? value : undefined
}
