/** base58 (the alphabet of Bitcoin): what Solana writes addresses, signatures and block hashes in. */
import { base58 } from '@scure/base'

/** The text of bytes. Its cost grows with the square of their number: for keys and signatures, not for messages. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}

/** The bytes of a text that stands for exactly `length` of them; undefined for any other text. */
export function fromBase58(text: string, length: number): Uint8Array | undefined {
  const bytes = fromBase58UpTo(text, length)
  return bytes?.length === length ? bytes : undefined
}

/** The bytes of a text that stands for at most `most` of them; undefined for any other text. */
export function fromBase58UpTo(text: string, most: number): Uint8Array | undefined {
  // A byte takes at most 1.37 characters; what is longer is not even tried.
  if (text.length > Math.ceil(most * 1.37)) return undefined
  const bytes = decodeUnsafe(text)
  return bytes !== undefined && bytes.length <= most ? bytes : undefined
}

function decodeUnsafe(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text)
  } catch {
    // The decoder throws for letters outside of the alphabet.
    return undefined
  }
}
