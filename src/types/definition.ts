/**
 * Definitions of task types in the format ttd1: read, checked, hashed. A definition is data that may come from anyone:
 * it holds no code and no expressions, and the built-in types go through this file like any other.
 * Source: protocols/types.md, "Definition" and "Hash".
 */
import { canonicalBytes, canonicalText } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { TypeHash } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Fault, faultsOf } from '../base/shape.js'
import { readCanonicalJson } from '../base/strict-json.js'
import { DEFINITION } from './definition-shape.js'
import type { Definition, Field, HashedDefinition } from './field.js'
import { TTD1 } from './limits.js'
import { worstBytes } from './worst-case.js'

export type { Definition, Field, HashedDefinition, SimpleField } from './field.js'

/**
 * Checks a value against the format. Refuses with `malformed_definition` and the path of the first fault. The returned
 * definition is a frozen copy: it has the same canonical bytes, and nobody can change it after its hash was taken.
 */
export function parseDefinition(value: Json): Result<Definition> {
  const fault = DEFINITION.fault(value)
  if (fault) return malformed(fault)
  const text = canonicalText(value)
  const definition = freeze(JSON.parse(text) as Json) as unknown as Definition
  const tooHeavy = sizeFault(definition)
  return tooHeavy ? malformed(tooHeavy) : ok(definition)
}

/** Everything that is wrong with a value as a definition, for its author; none = `parseDefinition` takes it. */
export function faultsIn(value: Json): readonly Fault[] {
  const faults = faultsOf(DEFINITION, value)
  if (faults.length > 0) return faults
  const heavy = sizeFault(value as unknown as Definition)
  return heavy === undefined ? [] : [heavy]
}

/** SHA-256 of the canonical bytes of the whole definition: what identifies a type. */
export function hashOf(definition: Definition): TypeHash {
  return sha256Hex(canonicalBytes(definition as unknown as Json)) as TypeHash
}

/**
 * Reads a definition file. Its bytes must be the canonical bytes (`not_canonical` otherwise), so that the hash of the
 * file is the hash of the type. Refuses also as the strict reader and `parseDefinition` do.
 */
export function readDefinition(bytes: Uint8Array): Result<HashedDefinition> {
  const json = readCanonicalJson(bytes, { maxBytes: TTD1.definitionBytes, maxDepth: TTD1.definitionDepth })
  if (!json.ok) return json
  const parsed = parseDefinition(json.value)
  if (!parsed.ok) return parsed
  return ok({ definition: parsed.value, hash: sha256Hex(bytes) as TypeHash })
}

/** The most bytes that the canonical form of a proposal of this type can have. */
export function worstCaseBytes(definition: Definition): number {
  return worstBytes(definition.fields)
}

/**
 * Paths of fields that carry free text (text, list, or a group with one) and need no capability. The owner sees them
 * before installing a type: through them its agent can say anything.
 */
export function uncoveredText(definition: Definition): readonly string[] {
  return definition.fields.filter((field) => field.capability === undefined).flatMap((field) => freeText(field, ''))
}

function freeText(field: Field, at: string): string[] {
  const path = at === '' ? field.name : `${at}.${field.name}`
  if (field.kind === 'group') return field.fields.flatMap((sub) => freeText(sub, path))
  return field.kind === 'text' || field.kind === 'list' ? [path] : []
}

function sizeFault(definition: Definition): Fault | undefined {
  const own = canonicalBytes(definition as unknown as Json).length
  if (own > TTD1.definitionBytes) return tooLarge('', `must be at most ${TTD1.definitionBytes} bytes`)
  if (own + worstCaseBytes(definition) > TTD1.inviteBytes) {
    return tooLarge('fields', `must allow no proposal that with the definition exceeds ${TTD1.inviteBytes} bytes`)
  }
  const heavy = (definition.actions ?? []).findIndex((action) => worstBytes(action.params) > TTD1.inviteBytes)
  const want = `must allow no params that exceed ${TTD1.inviteBytes} bytes`
  return heavy < 0 ? undefined : tooLarge(`actions[${heavy}].params`, want)
}

function tooLarge(path: string, want: string): Fault {
  return { code: 'invalid_field', path, want }
}

function malformed({ path, want }: Fault): ReturnType<typeof fail> {
  if (path === '') return fail(badRequest('malformed_definition', `the definition ${want}`))
  return fail(badRequest('malformed_definition', `${path} ${want}`, path))
}

function freeze(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member as Json)
  return Object.freeze(value)
}
