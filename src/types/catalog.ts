/** The types that a node has installed, and how a caller's word for one is resolved. Source: protocols/types.md, "References". */
import type { TypeHash } from '../base/ids.js'
import { badRequest, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Definition } from './field.js'

export interface InstalledType {
  readonly name: string
  readonly version: number
  readonly hash: TypeHash
  readonly definition: Definition
  readonly builtin: boolean
  /** Its owner took it out of use: tasks that pinned it go on, new ones are refused. */
  readonly retired: boolean
}

const HASH = /^[0-9a-f]{64}$/

/**
 * Resolves a hash (64 lower-case hex digits), `name@version` or a bare name to the one installed, not retired type that
 * it means. Refuses with `unknown_task_type`, or with the conflict `type_ambiguous` and `details.hashes`.
 */
export function resolveType(catalog: readonly InstalledType[], ref: string): Result<InstalledType> {
  const meant = catalog.filter((type) => !type.retired && answersTo(type, ref))
  const [only, another] = meant
  if (!only)
    return fail(badRequest('unknown_task_type', 'No installed type has this name or hash; list the task types', 'type'))
  if (!another) return ok(only)
  return ambiguous(meant)
}

/**
 * The same for an owner, who also speaks of retired types. Refuses with `not_found`, or with the conflict
 * `type_ambiguous` and `details.hashes`.
 */
export function findType(catalog: readonly InstalledType[], ref: string): Result<InstalledType> {
  const meant = catalog.filter((type) => answersTo(type, ref))
  const [only, another] = meant
  if (another) return ambiguous(meant)
  if (only) return ok(only)
  const message = 'No installed type has this name or hash. `agentlink type list` shows them.'
  return fail(refusal('not_found', message, { field: 'type' }))
}

function ambiguous(meant: readonly InstalledType[]): ReturnType<typeof fail> {
  const hashes = meant.map((type) => type.hash).sort()
  const names = meant.map((type) => `${type.name}@${type.version} ${type.hash}`).sort()
  const message = `More than one installed type has this name; say which by its hash: ${names.join(', ')}`
  return fail(conflict('type_ambiguous', message, { hashes }))
}

function answersTo(type: InstalledType, ref: string): boolean {
  if (HASH.test(ref)) return type.hash === ref
  return ref === type.name || ref === `${type.name}@${type.version}`
}
