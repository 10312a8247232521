/**
 * A proposal against its definition: the complete plan, holding only declared fields, each within its bounds. The same
 * check runs on what our agent writes, on what a peer sent, and on the params of an action.
 * Source: protocols/types.md, "Proposals".
 */
import { type Json, type JsonObject, isObject } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Action, Definition, Field } from './field.js'
import { valueFault } from './values.js'

/** Longest piece of a foreign member name that a refusal repeats. */
const ECHO = 40

/**
 * Checks a proposal. Refuses with `undeclared_field`, `missing_field` or `invalid_field` and the path of the first field
 * at fault, `field` being the path of the proposal itself. The value comes back as it was.
 */
export function checkProposal(definition: Definition, value: Json, field = 'proposal'): Result<JsonObject> {
  return checkFields(definition.fields, value, field)
}

/** Checks the params of one of the type's own actions, by the same rules. */
export function checkParams(action: Action, value: Json, field = 'params'): Result<JsonObject> {
  return checkFields(action.params, value, field)
}

/**
 * What a proposal discloses: capability -> names of the top-level fields that need it, both in the order of the
 * definition. The proposal must have passed `checkProposal`.
 */
export function capabilitiesIn(definition: Definition, proposal: JsonObject): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { name, capability } of definition.fields) {
    if (capability === undefined || !Object.hasOwn(proposal, name)) continue
    found.set(capability, [...(found.get(capability) ?? []), name])
  }
  return found
}

function checkFields(fields: readonly Field[], value: Json, at: string): Result<JsonObject> {
  if (!isObject(value)) return invalid(at, 'must be an object')
  for (const name of Object.keys(value)) if (!declares(fields, name)) return undeclared(at, name, fields)
  for (const field of fields) {
    const checked = checkMember(field, value, at)
    if (!checked.ok) return checked
  }
  return ok(value)
}

/** A definition has few fields: a walk over them is the quickest look-up. */
function declares(fields: readonly Field[], name: string): boolean {
  for (const field of fields) if (field.name === name) return true
  return false
}

/** `at`: path of the object. */
function checkMember(field: Field, object: JsonObject, at: string): Result<void> {
  const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined
  if (value === undefined) return field.required ? missing(join(at, field.name)) : ok()
  if (field.kind === 'group') {
    const group = checkFields(field.fields, value, join(at, field.name))
    return group.ok ? ok() : group
  }
  const fault = valueFault(field, value)
  if (fault === undefined) return ok()
  return invalid(join(at, field.name) + (fault.item === undefined ? '' : `[${fault.item}]`), fault.problem)
}

type Refused = ReturnType<typeof fail>

function undeclared(at: string, name: string, fields: readonly Field[]): Refused {
  const path = join(at, name.slice(0, ECHO))
  const known = fields.map((field) => field.name).join(', ')
  return fail(badRequest('undeclared_field', `${path} is not a field of this type; its fields are ${known}`, path))
}

function missing(at: string): Refused {
  return fail(badRequest('missing_field', `${at} is required: every proposal is the complete plan`, at))
}

function invalid(at: string, problem: string): Refused {
  return fail(badRequest('invalid_field', `${at} ${problem}`, at))
}

function join(at: string, name: string): string {
  return `${at}.${name}`
}
