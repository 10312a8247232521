/**
 * Definitions of task types in the format ttd1: read, checked, hashed. A definition is data that may come from anyone:
 * it holds no code and no expressions, and the built-in types go through this file like any other.
 * Source: protocols/types.md, "Definition" and "Hash".
 */
import { canonicalBytes, canonicalText } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { TypeHash } from '../base/ids.js'
import type { Json, JsonObject } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { readCanonicalJson } from '../base/strict-json.js'
import type { Definition, Field, FieldKind, HashedDefinition } from './field.js'
import { CAPABILITY, FIELD_HEAD, KIND_RULES } from './field-rules.js'
import { TTD1 } from './limits.js'
import {
  type Fault,
  type Members,
  integerFrom,
  isObject,
  join,
  label,
  membersFault,
  named,
  needed,
  optional
} from './members.js'
import { isActionNameOf, isTypeName } from './names.js'
import { worstBytes } from './worst-case.js'

export type { Action, Definition, Field, FieldKind, HashedDefinition, SimpleField } from './field.js'

/** Where a list of fields stands: it decides which kinds and members its fields may have. */
type Place = 'plan' | 'group' | 'action'

const present = needed(() => undefined)

const DEFINITION: Members = {
  format: needed(named((text) => text === 'ttd1', 'must be "ttd1"')),
  name: needed(named(isTypeName, 'must be a type name, such as quote.request')),
  version: needed(integerFrom(1, TTD1.version)),
  title: needed(label(TTD1.labelLength)),
  description: optional(label(TTD1.descriptionLength)),
  fields: present,
  actions: optional(() => undefined)
}

/**
 * Checks a value against the format. Refuses with `malformed_definition` and the path of the first fault. The returned
 * definition is a frozen copy: it has the same canonical bytes, and nobody can change it after its hash was taken.
 */
export function parseDefinition(value: Json): Result<Definition> {
  const fault = definitionFault(value)
  if (fault) return malformed(fault)
  const text = canonicalText(value)
  const definition = freeze(JSON.parse(text) as Json) as unknown as Definition
  const tooLarge = sizeFault(definition)
  return tooLarge ? malformed(tooLarge) : ok(definition)
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
  const path = join(at, field.name)
  if (field.kind === 'group') return field.fields.flatMap((sub) => freeText(sub, path))
  return field.kind === 'text' || field.kind === 'list' ? [path] : []
}

function definitionFault(value: Json): Fault | undefined {
  const fault = membersFault(value, DEFINITION, '')
  if (fault) return fault
  const definition = value as JsonObject
  const count = countFields(definition)
  if (count > TTD1.fields)
    return { field: 'fields', problem: `must be at most ${TTD1.fields}, sub-fields and params counted` }
  return fieldsFault(definition.fields as Json, 'fields', 'plan') ?? actionsFault(definition)
}

/** Counted before anything is looked at, so that a hostile definition costs no more than an honest one. */
function countFields(definition: JsonObject): number {
  const lists = [definition.fields, ...inner(definition.fields, 'fields'), ...inner(definition.actions, 'params')]
  return lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

function inner(list: Json | undefined, member: string): (Json | undefined)[] {
  if (!Array.isArray(list)) return []
  return list
    .slice(0, TTD1.fields)
    .map((item: Json) => (isObject(item) && Object.hasOwn(item, member) ? item[member] : []))
}

function fieldsFault(list: Json, at: string, place: Place): Fault | undefined {
  if (!Array.isArray(list) || list.length === 0) return { field: at, problem: 'must be a list of at least one field' }
  const names = new Set<Json>()
  for (const [index, field] of (list as Json[]).entries()) {
    const here = `${at}[${index}]`
    const fault = fieldFault(field, here, place)
    if (fault) return fault
    const { name } = field as JsonObject
    if (names.has(name as Json)) return { field: `${here}.name`, problem: 'is taken by another field' }
    names.add(name as Json)
  }
  return undefined
}

function fieldFault(field: Json, at: string, place: Place): Fault | undefined {
  const kind = isObject(field) && Object.hasOwn(field, 'kind') ? field.kind : undefined
  const rule = typeof kind === 'string' && Object.hasOwn(KIND_RULES, kind) ? KIND_RULES[kind as FieldKind] : undefined
  const members = { ...FIELD_HEAD, ...(place === 'plan' ? CAPABILITY : {}), ...(rule?.bounds ?? ANY_BOUNDS) }
  const fault = membersFault(field, members, at)
  if (fault) return fault
  const problem = rule?.together?.(field as JsonObject)
  if (problem) return { field: at, problem }
  return kind === 'group' ? groupFault(field as JsonObject, at, place) : undefined
}

/** A field of no known kind is refused for its kind, not for its bounds. */
const ANY_BOUNDS: Members = Object.fromEntries(
  Object.values(KIND_RULES).flatMap((rule) => Object.keys(rule.bounds).map((name) => [name, optional(() => undefined)]))
)

function groupFault(field: JsonObject, at: string, place: Place): Fault | undefined {
  if (place !== 'plan') return { field: `${at}.kind`, problem: 'must not be a group: groups have one level' }
  return fieldsFault(field.fields as Json, `${at}.fields`, 'group')
}

function actionsFault(definition: JsonObject): Fault | undefined {
  if (!Object.hasOwn(definition, 'actions')) return undefined
  const { actions, name } = definition
  if (!Array.isArray(actions) || actions.length === 0 || actions.length > TTD1.actions) {
    return { field: 'actions', problem: `must be a list of 1 to ${TTD1.actions} actions` }
  }
  const names = new Set((actions as Json[]).map((action) => (isObject(action) ? action.name : undefined)))
  if (names.size !== actions.length) return { field: 'actions', problem: 'has a name twice' }
  for (const [index, action] of (actions as Json[]).entries()) {
    const fault = actionFault(action, `actions[${index}]`, name as string)
    if (fault) return fault
  }
  return undefined
}

function actionFault(action: Json, at: string, typeName: string): Fault | undefined {
  const members: Members = {
    name: needed(named((text) => isActionNameOf(typeName, text), `must be x.${typeName}.<slug>`)),
    label: needed(label(TTD1.labelLength)),
    params: present
  }
  const fault = membersFault(action, members, at)
  return fault ?? fieldsFault((action as JsonObject).params as Json, `${at}.params`, 'action')
}

function sizeFault(definition: Definition): Fault | undefined {
  const own = canonicalBytes(definition as unknown as Json).length
  if (own > TTD1.definitionBytes) return { field: '', problem: `must be at most ${TTD1.definitionBytes} bytes` }
  if (own + worstCaseBytes(definition) > TTD1.inviteBytes) {
    return {
      field: 'fields',
      problem: `allow proposals that do not fit in an invite (${TTD1.inviteBytes} bytes with the definition)`
    }
  }
  const heavy = (definition.actions ?? []).findIndex((action) => worstBytes(action.params) > TTD1.inviteBytes)
  return heavy < 0
    ? undefined
    : { field: `actions[${heavy}].params`, problem: 'allow params that do not fit in a message' }
}

function malformed(fault: Fault): ReturnType<typeof fail> {
  const subject = fault.field === '' ? 'the definition' : fault.field
  return fail(
    badRequest('malformed_definition', `${subject} ${fault.problem}`, fault.field === '' ? undefined : fault.field)
  )
}

function freeze(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member as Json)
  return Object.freeze(value)
}
