/** Makers of proposals for a definition given as plain JSON: values at and around the bounds of each kind. */
import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/base/json.js'

const ODD: readonly Json[] = [null, true, '', 'x', -1, 0, 0.001, 1e-7, 5, 1e21, '1.', '01', '0.5', [], ['a'], [1], {}]
const TEXTS = ['', 'a', 'é', '\u{1f35d}', '\ud800', '\u0007', '\ufeff', '\u{e0041}', '\ufffe', 'line\nfeed', 'a\u202eb']
const BY_KIND: Readonly<Record<string, readonly Json[]>> = {
  boolean: [true, false],
  date: ['2028-02-29', '2027-02-29', '2026-04-31', '0000-01-01', '2026-1-1'],
  time: ['00:00', '23:59', '24:00', '7:00', '19:60'],
  timezone: ['UTC', 'Europe/Kyiv', 'Europe/Kiev', 'utc'],
  address: ['1'.repeat(32), '1'.repeat(31), 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', `${'z'.repeat(44)}`],
  choice: ['small', 'large', 'Small'],
  integer: [-6, -5, 0, 5, 9, 42, 99, 100, 0.5, -0],
  number: [0, 0.01, 5.5, 999.99, 1500.25, 2000, 0.1234567, -0],
  amount: ['0', '0.5', '0.25', '1', '900.25', '900.250000001', '1.0', '-1']
}

function valueFor(field: JsonObject): fc.Arbitrary<Json> {
  const length = Number(field.maxLength ?? 1)
  const texts = fc.constantFrom(...TEXTS, 'b'.repeat(length), 'b'.repeat(length + 1), '\u{1f35d}'.repeat(length))
  const items = fc.array(texts, { maxLength: Number(field.maxItems ?? 0) + 1 })
  const group = (field.fields ?? []) as readonly JsonObject[]
  const own =
    field.kind === 'text'
      ? texts
      : field.kind === 'list'
        ? items
        : field.kind === 'group'
          ? planOf(group)
          : fc.constantFrom<Json>(...(BY_KIND[String(field.kind)] ?? []))
  return fc.oneof({ weight: 8, arbitrary: own as fc.Arbitrary<Json> }, fc.constantFrom(...ODD))
}

function planOf(fields: readonly JsonObject[]): fc.Arbitrary<JsonObject> {
  const members = Object.fromEntries(fields.map((field) => [String(field.name), valueFor(field)]))
  const strange = fc.constantFrom('__proto__', 'toString', 'pattern', 'Date')
  return fc.tuple(fc.record(members, { requiredKeys: [] }), strange, fc.nat(9)).map(([plan, name, luck]) => {
    const all = Object.assign(Object.create(null), plan) as Record<string, Json>
    if (luck === 0) all[name] = 1
    return all
  })
}

/** A proposal for it: mostly one that may stand, often with something wrong. */
export function planFor(definition: JsonObject): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 20, arbitrary: planOf(definition.fields as readonly JsonObject[]) },
    fc.constantFrom(...ODD)
  )
}
