import canonicalize from 'canonicalize'
import { expect } from 'chai'
import fc from 'fast-check'
import { canonicalBytes, canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { readCanonicalJson } from '../../src/base/strict-json.js'

const BOUNDS = { maxBytes: 1_000_000, maxDepth: 100 }

describe('Canonical JSON', () => {
  it('is what a second implementation of RFC 8785 writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme-composite' }), (value) => {
        expect(canonicalText(value as Json)).to.equal(canonicalize(value))
      }),
      { numRuns: 300 }
    )
  })

  it('is the same for members that stand in order, in part or in full', () => {
    const inOrder = fc
      .jsonValue({ maxDepth: 4, stringUnit: 'grapheme' })
      .map((value) => JSON.parse(canonicalize(value) ?? '') as Json)
    fc.assert(
      fc.property(inOrder, inOrder, fc.jsonValue({ maxDepth: 3 }), (first, second, any) => {
        const value = { b: [first, any as Json], a: second }
        expect(canonicalText(first)).to.equal(canonicalize(first))
        expect(canonicalText(value)).to.equal(canonicalize(value))
      }),
      { numRuns: 300 }
    )
  })

  it('orders members by code units, be they few or many, short or long', () => {
    const name = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.string({ minLength: 60, maxLength: 70 }))
    fc.assert(
      fc.property(fc.dictionary(name, fc.nat(9), { maxKeys: 40 }), (value) => {
        expect(canonicalText(value)).to.equal(canonicalize(value))
      }),
      { numRuns: 300 }
    )
  })

  it('is read as canonical by the strict reader, and comes back the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }), (value) => {
        const bytes = canonicalBytes(value as Json)
        const read = readCanonicalJson(bytes, BOUNDS)
        if (!read.ok) {
          // The reader is stricter than RFC 8785 about numbers and names alone.
          expect(read.refusal.details.code).to.equal('malformed_json')
          return
        }
        expect(canonicalBytes(read.value)).to.deep.equal(bytes)
      }),
      { numRuns: 300 }
    )
  })

  for (const [why, value, text] of [
    [
      'sorts by UTF-16 code units',
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}'
    ],
    [
      'writes numbers as ECMAScript does',
      [333333333.33333329, 1e30, 4.5, 2e-3, 1e-27, -0],
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]'
    ],
    [
      'escapes only what it must',
      '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\u005c"/',
      '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'
    ],
    ['writes literals', [null, true, false], '[null,true,false]']
  ] as ReadonlyArray<readonly [string, Json, string]>) {
    it(why, () => expect(canonicalText(value)).to.equal(text))
  }

  const cycle: unknown[] = []
  cycle.push(cycle)
  for (const [why, value] of [
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole in a list', [1, , 2]],
    ['NaN', NaN],
    ['infinity', [Infinity]],
    ['a function', { a: () => 1 }],
    ['a symbol', Symbol('x')],
    ['a big integer', 1n],
    ['a lone surrogate', 'x\ud800'],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array(2)],
    ['a map', new Map()],
    ['a cycle', cycle]
  ] as ReadonlyArray<readonly [string, unknown]>) {
    it(`does not exist for ${why}`, () => expect(() => canonicalText(value as Json)).to.throw(TypeError))
  }

  it('exists for objects without prototype', () => {
    const bare = Object.assign(Object.create(null) as Record<string, Json>, { b: 1, a: [] })
    expect(canonicalText(bare)).to.equal('{"a":[],"b":1}')
  })
})
