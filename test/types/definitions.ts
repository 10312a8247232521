import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/base/json.js'

/** Makers of definitions for tests: right ones, and right ones with one thing bent. */

const name = fc.constantFrom('date', 'price', 'place', 'count', 'notes', 'kindOfWork', 'a', 'z9')
const label = fc.constantFrom('Price', 'Ort der Übergabe', 'Цена', '価格 (SOL)', 'Price Цена')
const capability = fc.constantFrom('disclose.notes', 'disclose.budget', 'disclose.x.parking')
const decimal = fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100)

function bounded(low: fc.Arbitrary<Json>, high: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    fc.record({ minimum: low, maximum: high }, { requiredKeys: [] }),
    fc.record({ exclusiveMinimum: low, exclusiveMaximum: high }, { requiredKeys: [] })
  )
}

const bounds: readonly fc.Arbitrary<JsonObject>[] = [
  fc.record({ kind: fc.constant('text'), maxLength: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constantFrom('boolean', 'date', 'time', 'timezone', 'address') }),
  fc.record({ kind: fc.constant('choice'), options: fc.constant(['small', 'large']) }),
  fc.record({ kind: fc.constant('list'), maxItems: fc.integer({ min: 1, max: 9 }), maxLength: fc.constant(50) }),
  bounded(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 9, max: 99 }))
    .filter((each) => !('exclusiveMinimum' in each || 'exclusiveMaximum' in each))
    .map((each) => ({ kind: 'integer', ...each })),
  bounded(decimal, fc.integer({ min: 1000, max: 2000 })).map((each) => ({ kind: 'number', ...each })),
  bounded(fc.constantFrom('0', '0.5'), fc.constantFrom('1', '900.25')).map((each) => ({
    kind: 'amount',
    scale: 9,
    unit: 'SOL',
    ...each
  }))
]

const simple = fc
  .tuple(fc.oneof(...bounds), fc.record({ name, label, required: fc.boolean() }, { requiredKeys: ['name', 'label'] }))
  .map(([bound, head]): JsonObject => ({ ...bound, ...head }))
const byName = { selector: (field: JsonObject): Json => field.name ?? '', minLength: 1 }
const simples = fc.uniqueArray(simple, { ...byName, maxLength: 4 })
const group = fc.record({ name, label, kind: fc.constant('group'), fields: simples }).map((field): JsonObject => field)
const field = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: simple }, group), fc.option(capability, { nil: undefined }))
  .map(([each, right]): JsonObject => (right === undefined ? each : { ...each, capability: right }))

const action = fc.record({
  name: fc.constantFrom('x.quote.request.send', 'x.quote.request.withdraw'),
  label,
  params: simples
})
const actions = fc.uniqueArray(action, { selector: (each) => each.name, minLength: 1, maxLength: 2 })

/** Definitions that ttd1 allows. */
export const validDefinition: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.record({
      format: fc.constant('ttd1'),
      name: fc.constant('quote.request'),
      version: fc.integer({ min: 1, max: 9 }),
      title: label,
      fields: fc.uniqueArray(field, { ...byName, maxLength: 6 })
    }),
    fc.option(actions, { nil: undefined })
  )
  .map(([definition, some]): JsonObject => (some === undefined ? definition : { ...definition, actions: some }))

/** Values that go wrong in most places. */
const odd: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  ...[
    null,
    true,
    -1,
    0,
    1.5,
    1e21,
    1e-7,
    2 ** 53,
    '',
    'x',
    '\u202e',
    'p\u0430y',
    'e\u0301',
    '\ud800',
    '__proto__',
    [],
    {}
  ],
  ...[
    'constructor',
    'disclose.*',
    'group',
    'text',
    ['a', 'a'],
    [null],
    { kind: 'text' },
    '9'.repeat(40),
    'a'.repeat(600)
  ]
)
const strangeName = fc.constantFrom(
  '__proto__',
  'constructor',
  'pattern',
  'capability',
  'minimum',
  'fields',
  'options',
  'name'
)

/** A right definition in which some places were replaced, removed or added to. */
export const bentDefinition: fc.Arbitrary<Json> = fc
  .tuple(validDefinition, fc.array(fc.tuple(fc.nat(), odd, strangeName, fc.nat(3)), { minLength: 1, maxLength: 3 }))
  .map(([definition, bends]) =>
    bends.reduce<Json>((value, [place, value2, member, how]) => bend(value, place, value2, member, how), definition)
  )

/** Walks to a place and bends it there: 0 replaces, 1 removes, 2 adds a member, 3 repeats an item. */
function bend(value: Json, place: number, odd: Json, member: string, how: number): Json {
  if (typeof value !== 'object' || value === null) return how === 1 ? value : odd
  const keys = Object.keys(value)
  const key = keys[place % Math.max(1, keys.length)]
  const goDeeper = key !== undefined && Math.floor(place / 7) % 4 !== 0
  if (Array.isArray(value)) {
    const items = [...(value as Json[])]
    const index = Number(key ?? 0)
    if (goDeeper) items[index] = bend(items[index] as Json, place >> 3, odd, member, how)
    else if (how === 1) items.splice(index, 1)
    else items.push(how === 3 && items.length > 0 ? (items[index] as Json) : odd)
    return items
  }
  const copy = Object.assign(Object.create(null), value) as Record<string, Json>
  if (goDeeper) copy[key] = bend(copy[key] as Json, place >> 3, odd, member, how)
  else if (how === 1 && key !== undefined) delete copy[key]
  else copy[how === 2 ? member : (key ?? member)] = odd
  return copy
}
