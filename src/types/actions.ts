/**
 * The actions that a type offers on an agreed plan: those of its own definition, and the built-in ones for the types that
 * every node has. Both have the form of ttd1 and go through the same check. Source: protocols/policy.md, "Actions".
 */
import { canonicalText } from '../base/canonical.js'
import { type Json, type JsonObject, isObject } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail } from '../base/result.js'
import type { Action, Definition } from './field.js'
import { checkParams } from './proposal.js'

/** An action, and where in the agreed plan its params stand. */
export interface OfferedAction extends Action {
  /** Param -> path in the plan. Where the plan holds it, the param is that value and no other. */
  readonly fromPlan: Readonly<Record<string, readonly string[]>>
}

const WHEN: Action['params'] = [
  { name: 'date', kind: 'date', label: 'Date', required: true },
  { name: 'time', kind: 'time', label: 'Time', required: true },
  { name: 'timezone', kind: 'timezone', label: 'Time zone', required: true }
]
const VENUE: Action['params'] = [
  { name: 'venueName', kind: 'text', label: 'Venue', maxLength: 200 },
  { name: 'venueArea', kind: 'text', label: 'Area', maxLength: 200 }
]
const FROM_DINNER = {
  date: ['date'],
  time: ['time'],
  timezone: ['timezone'],
  partySize: ['partySize'],
  venueName: ['venue', 'name'],
  venueArea: ['venue', 'area']
}

const BUILT_IN: Readonly<Record<string, readonly OfferedAction[]>> = {
  'dinner.coordination@1': [
    {
      name: 'calendar.hold',
      label: 'Hold the time in the calendar',
      params: [
        ...WHEN,
        ...VENUE,
        { name: 'durationMinutes', kind: 'integer', label: 'Duration in minutes', minimum: 15, maximum: 1440 }
      ],
      fromPlan: FROM_DINNER
    },
    {
      name: 'reservation.book',
      label: 'Book the table',
      params: [
        ...WHEN,
        { name: 'partySize', kind: 'integer', label: 'Party size', required: true, minimum: 1, maximum: 20 },
        ...VENUE
      ],
      fromPlan: FROM_DINNER
    }
  ]
}

/** What agents may run on an agreed plan of this type. */
export function actionsOf(definition: Definition): readonly OfferedAction[] {
  const own = (definition.actions ?? []).map((action) => ({ ...action, fromPlan: {} }))
  return [...(BUILT_IN[`${definition.name}@${definition.version}`] ?? []), ...own]
}

/**
 * The params as they are approved and recorded: what the plan says is filled in, and can't be contradicted. Refuses with
 * `invalid_field`, `undeclared_field` or `missing_field` and the path of the param.
 */
export function completeParams(action: OfferedAction, plan: JsonObject, given: JsonObject): Result<JsonObject> {
  const agreed = agreedParams(action, plan)
  for (const [name, value] of Object.entries(agreed)) {
    if (!Object.hasOwn(given, name) || same(given[name] as Json, value)) continue
    const field = `params.${name}`
    return fail(badRequest('invalid_field', `${field} must be what was agreed; it may also be left out`, field))
  }
  const checked = checkParams(action, { ...given, ...agreed })
  if (checked.ok || checked.refusal.details.code !== 'missing_field') return checked
  const field = checked.refusal.details.field ?? 'params'
  return fail(badRequest('missing_field', `${field} is required: the agreed plan does not say it`, field))
}

/**
 * The params that the other side already holds: those that stand in the agreed plan, where the action says or under their
 * own name. Only these leave the node, so a confirm discloses nothing.
 */
export function sharedParams(action: OfferedAction, plan: JsonObject, params: JsonObject): JsonObject {
  const shared = Object.entries(params).filter(([name, value]) => {
    const agreed = valueAt(plan, action.fromPlan[name] ?? [name])
    return agreed !== undefined && same(agreed, value as Json)
  })
  return Object.fromEntries(shared)
}

function agreedParams(action: OfferedAction, plan: JsonObject): JsonObject {
  const found = action.params.flatMap(({ name }) => {
    const path = action.fromPlan[name]
    const value = path === undefined ? undefined : valueAt(plan, path)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

function valueAt(plan: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, name) => (at !== undefined && isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    plan
  )
}

function same(a: Json, b: Json): boolean {
  return canonicalText(a) === canonicalText(b)
}

/** The sentence that a confirm carries, made by the node from the definition alone: no word of an agent stands in it. */
export function summaryOf(action: Action): string {
  return `${action.label}: recorded. It is a record only: the node did nothing in the outside world.`
}
