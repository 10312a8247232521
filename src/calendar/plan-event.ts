/**
 * What a plan says to a calendar, found by the kinds of the fields that its type declares: nothing here knows a certain
 * type. Source: protocols/calendar.md, "What the file says".
 */
import type { Json, JsonObject } from '../base/json.js'
import type { Definition, Field, FieldKind, SimpleField } from '../types/field.js'
import type { LocalTime } from './local-time.js'

/** The field that says where, by its name: no kind stands for a place. */
const PLACE = 'venue'

/**
 * Date, time and zone of a plan. Undefined when its type has not exactly one top-level field of each of the three kinds,
 * or when the plan leaves one of them out. `plan` satisfies `definition`.
 */
export function localTimeOf(definition: Definition, plan: JsonObject): LocalTime | undefined {
  const [date, time, timezone] = (['date', 'time', 'timezone'] as const).map((kind) => only(definition, plan, kind))
  return date === undefined || time === undefined || timezone === undefined ? undefined : { date, time, timezone }
}

function only(definition: Definition, plan: JsonObject, kind: FieldKind): string | undefined {
  const [field, another] = definition.fields.filter((candidate) => candidate.kind === kind)
  const value = field === undefined || another !== undefined ? undefined : plan[field.name]
  return typeof value === 'string' ? value : undefined
}

/** Where: the texts of the field `venue` in the order of the type, or the text that it is. Empty when nothing is said. */
export function placeOf(definition: Definition, plan: JsonObject): string {
  const field = definition.fields.find(isPlace)
  const value = field === undefined ? undefined : plan[field.name]
  return field === undefined || value === undefined ? '' : shown(field, value)
}

/** The rest of the plan, one line for each field in the order of the type: label and value. */
export function detailsOf(definition: Definition, plan: JsonObject): string[] {
  const told = definition.fields.filter((field) => plan[field.name] !== undefined && !isPlace(field) && !isWhen(field))
  return told.map((field) => `${field.label}: ${shown(field, plan[field.name] as Json)}`)
}

function isPlace(field: Field): boolean {
  return field.name === PLACE && (field.kind === 'text' || field.kind === 'group')
}

function isWhen(field: Field): boolean {
  return field.kind === 'date' || field.kind === 'time' || field.kind === 'timezone'
}

function shown(field: Field, value: Json): string {
  if (field.kind !== 'group') return shownSimple(field, value)
  const members = value as JsonObject
  return field.fields
    .filter((part) => members[part.name] !== undefined)
    .map((part) => shownSimple(part, members[part.name] as Json))
    .join(', ')
}

function shownSimple(field: SimpleField, value: Json): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return field.kind === 'amount' ? `${String(value)} ${field.unit}` : String(value)
}
