/** The form of vector files: `{status, revision, about, cases}`; a case either gives the expected value or is `refused`. */
import { readFileSync } from 'node:fs'

export interface VectorCase {
  readonly name: string
  /** Detail code of the refusal, or its code where it has none. Absent = accepted. */
  readonly refused?: string
  readonly [member: string]: unknown
}

export interface VectorFile {
  readonly status: 'draft' | 'stable'
  readonly revision: number
  readonly about: string
  readonly cases: readonly VectorCase[]
}

/** The vectors of bytes on the wire. */
export const WIRE_VECTORS = [
  'canonical',
  'keys',
  'ed25519',
  'messages',
  'cards',
  'receipts',
  'links',
  'frames'
] as const
export type WireVector = (typeof WIRE_VECTORS)[number]
export type VectorName = WireVector | 'transcripts' | 'payments'

export function vectorUrl(name: VectorName): URL {
  return new URL(`../../../protocols/vectors/${name}.json`, import.meta.url)
}

export function readVectors(name: VectorName): VectorFile {
  return JSON.parse(readFileSync(vectorUrl(name), 'utf8')) as VectorFile
}
