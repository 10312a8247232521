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

export const VECTOR_NAMES = [
  'canonical',
  'keys',
  'ed25519',
  'messages',
  'cards',
  'receipts',
  'links',
  'frames'
] as const
export type VectorName = (typeof VECTOR_NAMES)[number]

export function vectorUrl(name: VectorName): URL {
  return new URL(`../../../protocols/vectors/${name}.json`, import.meta.url)
}

export function readVectors(name: VectorName): VectorFile {
  return JSON.parse(readFileSync(vectorUrl(name), 'utf8')) as VectorFile
}
