/** The shape of a whole definition, put together from the kinds. Source: protocols/types.md, "Definition". */
import { type Json, type JsonObject, isObject } from '../base/json.js'
import { type Fault, type Shape, faultsOf, boolean, integer, list, object, optional, text } from '../base/shape.js'
import { KINDS } from './kinds.js'
import { TTD1 } from './limits.js'
import { also, capability, decided, label } from './members.js'
import { isActionNameOf, isFieldName, isTypeName } from './names.js'

type Members = Readonly<Record<string, Shape<unknown>>>

const HEAD: Members = {
  name: text(isFieldName, 'a lower-case letter, then letters and digits, 40 at most, and not a reserved name'),
  kind: text(() => true, 'text'),
  label: label(TTD1.labelLength),
  description: optional(label(TTD1.descriptionLength)),
  required: optional(boolean)
}
const WITH_CAPABILITY: Members = { ...HEAD, capability: optional(capability) }

const SUB_FIELDS = fieldList(simpleKinds(HEAD))
const PLAN_FIELDS = fieldList({
  ...simpleKinds(WITH_CAPABILITY),
  group: object({ ...WITH_CAPABILITY, fields: SUB_FIELDS }) as Shape<JsonObject>
})

const ACTION = object({ name: text(() => true, 'text'), label: label(TTD1.labelLength), params: SUB_FIELDS })
const ACTIONS = also(list(ACTION, { max: TTD1.actions }), (actions) =>
  distinct(actions) && actions.length > 0 ? undefined : 'must be at least one action, each with a name of its own'
)

const OUTLINE = object({
  format: text((format) => format === 'ttd1', '"ttd1"'),
  name: text(isTypeName, 'a type name, such as quote.request'),
  version: integer({ min: 1, max: TTD1.version }),
  title: label(TTD1.labelLength),
  description: optional(label(TTD1.descriptionLength)),
  fields: PLAN_FIELDS,
  actions: optional(ACTIONS)
})

/** What is wrong with a value as a definition, its size aside. */
export const DEFINITION: Shape<JsonObject> = {
  fault: (value) => OUTLINE.fault(value) ?? countFault(value as JsonObject) ?? actionNameFault(value as JsonObject),
  faults: (value) => {
    const inner = faultsOf(OUTLINE, value)
    if (inner.length > 0) return inner
    return [countFault(value as JsonObject), actionNameFault(value as JsonObject)].flatMap((fault) => fault ?? [])
  }
}

function simpleKinds(head: Members): Record<string, Shape<JsonObject>> {
  return Object.fromEntries(
    Object.entries(KINDS).map(([kind, rule]) => {
      const shape = object({ ...head, ...rule.bounds }) as Shape<JsonObject>
      return [kind, also(shape, rule.together ?? (() => undefined))]
    })
  )
}

/** At least one field, each of one of these kinds, no two with one name. */
function fieldList(kinds: Readonly<Record<string, Shape<JsonObject>>>): Shape<readonly JsonObject[]> {
  return also(list(fieldOf(kinds), { max: TTD1.fields }), (fields) =>
    distinct(fields) && fields.length > 0 ? undefined : 'must be at least one field, each with a name of its own'
  )
}

function fieldOf(kinds: Readonly<Record<string, Shape<JsonObject>>>): Shape<JsonObject> {
  const stranger: Fault = {
    code: 'invalid_field',
    path: 'kind',
    want: `must be one of ${Object.keys(kinds).join(', ')}`
  }
  const noObject = decided<JsonObject>(() => 'must be an object')
  const shapeOf = (value: Json): Shape<JsonObject> => {
    if (!isObject(value)) return noObject
    const kind = Object.hasOwn(value, 'kind') ? value.kind : undefined
    const shape = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    return shape ?? { fault: () => stranger }
  }
  return { fault: (value) => shapeOf(value).fault(value), faults: (value) => faultsOf(shapeOf(value), value) }
}

function distinct(all: readonly { readonly name?: Json }[]): boolean {
  return new Set(all.map((each) => each.name)).size === all.length
}

function countFault(definition: JsonObject): Fault | undefined {
  const fields = definition.fields as readonly JsonObject[]
  const lists = [
    fields,
    ...fields.map((field) => field.fields),
    ...actionsOf(definition).map((action) => action.params)
  ]
  const count = lists.reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0)
  const want = `must be at most ${TTD1.fields}, sub-fields and params counted`
  return count > TTD1.fields ? { code: 'invalid_field', path: 'fields', want } : undefined
}

function actionNameFault(definition: JsonObject): Fault | undefined {
  const typeName = definition.name as string
  const index = actionsOf(definition).findIndex(({ name }) => !isActionNameOf(typeName, name as string))
  const want = `must be x.${typeName}.<slug>`
  return index < 0 ? undefined : { code: 'invalid_field', path: `actions[${index}].name`, want }
}

function actionsOf(definition: JsonObject): readonly JsonObject[] {
  return Object.hasOwn(definition, 'actions') ? (definition.actions as readonly JsonObject[]) : []
}
