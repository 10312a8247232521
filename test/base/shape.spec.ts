import { expect } from 'chai'
import fc from 'fast-check'
import type { Json } from '../../src/base/json.js'
import {
  type Infer,
  type Shape,
  anyObject,
  anything,
  boolean,
  check,
  checkAs,
  exactly,
  integer,
  list,
  object,
  oneOf,
  optional,
  pattern,
  refine,
  string,
  text
} from '../../src/base/shape.js'

const venue = object({ name: string({ min: 1, max: 5 }), area: optional(string({ max: 5 })) })
const plan = object({
  day: pattern(/^\d+$/, 'digits'),
  size: integer({ min: 1, max: 20 }),
  open: optional(boolean),
  mode: optional(oneOf(['a', 'b'])),
  v: optional(exactly(1)),
  venue: optional(venue),
  notes: optional(list(string({ max: 3 }), { max: 2 })),
  rest: optional(anyObject),
  any: optional(anything),
  even: optional(text((value) => value.length % 2 === 0, 'an even text'))
})

const GOOD: Json = { day: '1', size: 2 }

function fault(value: Json, shape: Shape<unknown> = plan): { code: unknown; field: unknown } | undefined {
  const checked = check(shape, value, 'plan')
  return checked.ok ? undefined : { code: checked.refusal.details.code, field: checked.refusal.details.field }
}

describe('Shapes', () => {
  it('let a value through as it is, typed', () => {
    const checked = check(plan, GOOD)
    const value: Infer<typeof plan> | undefined = checked.ok ? checked.value : undefined
    expect(value).to.equal(GOOD)
  })

  for (const [name, value, code, field] of [
    ['a list in place of an object', [], 'invalid_field', 'plan'],
    ['null in place of an object', null, 'invalid_field', 'plan'],
    ['an unknown member', { ...(GOOD as object), more: 1 }, 'unknown_member', 'plan.more'],
    ['a missing member', { day: '1' }, 'missing_field', 'plan.size'],
    ['null in place of an optional member', { ...(GOOD as object), open: null }, 'invalid_field', 'plan.open'],
    ['a text that does not match', { ...(GOOD as object), day: 'x' }, 'invalid_field', 'plan.day'],
    ['an integer out of bounds', { ...(GOOD as object), size: 21 }, 'invalid_field', 'plan.size'],
    ['a fraction', { ...(GOOD as object), size: 1.5 }, 'invalid_field', 'plan.size'],
    ['an unknown choice', { ...(GOOD as object), mode: 'c' }, 'invalid_field', 'plan.mode'],
    ['another number', { ...(GOOD as object), v: 2 }, 'invalid_field', 'plan.v'],
    ['a fault inside', { ...(GOOD as object), venue: { name: '' } }, 'invalid_field', 'plan.venue.name'],
    ['an unknown member inside', { ...(GOOD as object), venue: { name: 'x', x: 1 } }, 'unknown_member', 'plan.venue.x'],
    ['a fault in a list', { ...(GOOD as object), notes: ['abc', 'abcd'] }, 'invalid_field', 'plan.notes[1]'],
    ['a list that is too long', { ...(GOOD as object), notes: ['', '', ''] }, 'invalid_field', 'plan.notes'],
    ['a text for a list', { ...(GOOD as object), notes: 'abc' }, 'invalid_field', 'plan.notes'],
    ['a list for an object', { ...(GOOD as object), rest: [] }, 'invalid_field', 'plan.rest'],
    ['a number for a truth', { ...(GOOD as object), open: 1 }, 'invalid_field', 'plan.open'],
    ['a text that our function does not like', { ...(GOOD as object), even: 'x' }, 'invalid_field', 'plan.even'],
    ['an inherited name', { ...(GOOD as object), toString: 1 }, 'unknown_member', 'plan.toString']
  ] as ReadonlyArray<readonly [string, Json, string, string]>) {
    it(`refuse ${name}, and say where`, () => expect(fault(value)).to.deep.equal({ code, field }))
  }

  it('count characters as code points', () => {
    const shape = string({ min: 2, max: 2 })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5 }), (value) => {
        expect(check(shape, value).ok).to.equal([...value].length === 2)
      })
    )
  })

  it('take one more rule over the whole value', () => {
    const shape = refine(
      object({ a: integer({ min: 0 }), b: integer({ min: 0 }) }),
      ({ a, b }) => a < b,
      'has a below b'
    )
    expect(check(shape, { a: 1, b: 2 }).ok).to.equal(true)
    expect(fault({ a: 2, b: 1 }, shape)).to.deep.equal({ code: 'invalid_field', field: 'plan' })
  })

  it('can speak with one code for all', () => {
    const checked = checkAs('malformed_card', plan, {}, 'card')
    expect(checked.ok ? undefined : checked.refusal.details).to.deep.equal({
      code: 'malformed_card',
      field: 'card.day'
    })
  })

  it('show no more than the start of a stranger’s member name', () => {
    expect(fault({ ['x'.repeat(1000)]: 1 })).to.deep.equal({ code: 'unknown_member', field: `plan.${'x'.repeat(40)}` })
  })

  it('never throw, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(check(plan, value as Json)).to.have.property('ok')
      })
    )
  })
})
