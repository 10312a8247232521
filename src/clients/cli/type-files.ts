import { readFileSync, writeFileSync } from 'node:fs'
import { canonicalBytes, canonicalText } from '../../base/canonical.js'
import type { Json } from '../../base/json.js'
import { readJson } from '../../base/strict-json.js'
import { visible } from '../../base/visible.js'
import { type HashedDefinition, faultsIn, hashOf, parseDefinition, readDefinition } from '../../types/definition.js'
import { type Inspection, inspect } from '../../types/inspection.js'
import { TTD1 } from '../../types/limits.js'
import { CommandFailure, EXIT } from './failure.js'

/** Definition files, read and checked without a node (protocols/types.md). */

/** One thing that is wrong with a file: where, and what would be right. */
export interface FileFault {
  /** Path of the member; empty for the file as a whole. */
  readonly field: string
  readonly problem: string
}

export interface CheckedFile {
  readonly faults: readonly FileFault[]
  /** Set when nothing is wrong. */
  readonly type?: HashedDefinition
  /** The canonical text, when that is all that is wrong with the file. */
  readonly canonical?: string
}

/**
 * The bytes of a file.
 * @throws CommandFailure (exit code 2) when it can't be read or is larger than any definition
 */
export function readBytes(path: string): Uint8Array {
  try {
    const bytes = new Uint8Array(readFileSync(path))
    if (bytes.length <= TTD1.definitionBytes * 2) return bytes
  } catch (error) {
    throw new CommandFailure(EXIT.usage, `${visible(path)} can't be read: ${(error as Error).message}`)
  }
  throw new CommandFailure(EXIT.usage, `${visible(path)} is larger than any definition, ${TTD1.definitionBytes} bytes`)
}

/** Everything that is wrong with a file, by field. */
export function checkFile(bytes: Uint8Array): CheckedFile {
  const json = readJson(bytes, { maxBytes: TTD1.definitionBytes * 2, maxDepth: TTD1.definitionDepth })
  if (!json.ok) return { faults: [{ field: '', problem: `can't be read as JSON: ${json.refusal.message}` }] }
  const faults = faultsIn(json.value).map(({ path, want }) => ({ field: path, problem: want }))
  if (faults.length > 0) return { faults }
  const file = readDefinition(bytes)
  if (file.ok) return { faults: [], type: file.value }
  const canonical = canonicalText(json.value)
  const problem = 'is not canonical: members in order, no spaces, no line feed at the end; --fix writes it so'
  return { faults: [{ field: '', problem }], canonical }
}

/**
 * The definition in a file.
 * @throws CommandFailure (exit code 1) that names each fault
 */
export function definitionIn(path: string): HashedDefinition {
  const { faults, type } = checkFile(readBytes(path))
  if (type !== undefined) return type
  throw new CommandFailure(EXIT.refused, faultText(path, faults), { file: path, faults })
}

/** One line for each fault. Paths and problems may repeat words of the file's author. */
export function faultText(path: string, faults: readonly FileFault[]): string {
  const lines = faults.map(
    ({ field, problem }) => `  ${visible(field === '' ? 'the file' : field)} ${visible(problem)}`
  )
  return [`${visible(path)} is no definition:`, ...lines].join('\n')
}

/**
 * Writes a definition as the canonical bytes of its file.
 * @throws CommandFailure when it is none, or when the file is there already and may not be replaced
 */
export function writeDefinition(path: string, value: Json, how: 'new' | 'replace'): HashedDefinition {
  const parsed = parseDefinition(value)
  if (!parsed.ok) {
    const faults = faultsIn(value).map((fault) => ({ field: fault.path, problem: fault.want }))
    throw new CommandFailure(EXIT.refused, faultText('this', faults), { faults })
  }
  try {
    writeFileSync(path, canonicalBytes(value), { flag: how === 'new' ? 'wx' : 'w' })
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    const why = exists ? 'is there already; --force replaces it' : `can't be written: ${(error as Error).message}`
    throw new CommandFailure(EXIT.usage, `${visible(path)} ${why}`)
  }
  return { definition: parsed.value, hash: hashOf(parsed.value) }
}

/** What a file's definition asks for; nothing is known here of what a node holds. */
export function inspectFile({ definition, hash }: HashedDefinition): Inspection & {
  readonly name: string
  readonly version: number
  readonly hash: string
} {
  const { name, version } = definition
  return { name, version, hash, ...inspect(definition) }
}
