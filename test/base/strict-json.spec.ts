import { expect } from 'chai'
import fc from 'fast-check'
import { toUtf8 } from '../../src/base/bytes.js'
import { canonicalBytes, canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { asRead, readCanonicalJson, readJson } from '../../src/base/strict-json.js'
import { GOOD, BAD } from '../support/json-corpus.js'

const BOUNDS = { maxBytes: 100_000, maxDepth: 20 }

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** What we take, every parser takes, and reads the same; and it is canonical exactly when writing it gives it back. */
function agrees(text: string): void {
  const bytes = toUtf8(text)
  const read = readJson(bytes, BOUNDS)
  const canonical = readCanonicalJson(bytes, BOUNDS)
  const other = parsed(text)
  if (read.ok) {
    expect(other, text).to.not.equal(undefined)
    expect(JSON.stringify(read.value)).to.equal(JSON.stringify(other?.value))
    expect(canonical.ok, text).to.equal(canonicalText(read.value) === text)
    return
  }
  expect(canonical.ok).to.equal(false)
  if (other === undefined)
    expect(read.refusal.details.code).to.be.oneOf(['malformed_json', 'too_deep', 'duplicate_key'])
}

/** JSON-like text: mostly tokens in a row, so that many of them are nearly JSON. */
const tokens = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '"\\u0061"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '""',
    '0',
    '-0',
    '1',
    '1.0'
  ],
  ...[
    '1e5',
    '1E400',
    '-1.5',
    '01',
    'true',
    'false',
    'null',
    'nul',
    ' ',
    '\n',
    '\t',
    '\u00a0',
    '"é"',
    '"__proto__"',
    '"x\\/"',
    '"\\n"',
    "'"
  ],
  ...[
    '9007199254740991',
    '9007199254740993',
    '123456789012345',
    '1234567890123456',
    '0.1',
    '1e-7',
    '1e-400',
    '"\\u001F"',
    '"\\u001f"'
  ]
)

describe('The strict JSON reader', () => {
  it('agrees with JSON.parse on whatever it takes, for rows of tokens', () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 9 }), (row) => agrees(row.join(''))),
      { numRuns: 3000 }
    )
  })

  it('agrees with JSON.parse on JSON with blanks and escapes strewn in', () => {
    const layout = fc.constantFrom(undefined, 1, '\t', '\r\n')
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), layout, (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        agrees(text)
        agrees(text.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`))
      }),
      { numRuns: 500 }
    )
  })

  it('agrees with JSON.parse on JSON with one character changed', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 1 }), (text, where, put) => {
        const at = where % (text.length + 1)
        agrees(text.slice(0, at) + put + text.slice(at + 1))
      }),
      { numRuns: 1000 }
    )
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(readJson(bytes, BOUNDS)).to.have.property('ok')
      }),
      { numRuns: 2000 }
    )
  })

  it('reads in what we wrote just what it is said to read there, for any value and depth', () => {
    const odd = fc.constantFrom<Json>(
      -0,
      2 ** 53,
      1e300,
      2 ** 53 - 1,
      0.1,
      [[[]]],
      { constructor: 1 },
      { prototype: {} }
    )
    const near = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        odd,
        fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__x', 'constructor'), tie('value'), { maxKeys: 3 })
      )
    })).value
    fc.assert(
      fc.property(near, fc.integer({ min: 1, max: 6 }), (value, maxDepth) => {
        const read = readCanonicalJson(canonicalBytes(value), { maxBytes: 1e6, maxDepth })
        const said = asRead(value, maxDepth)
        expect(said, canonicalText(value)).to.deep.equal(read.ok ? read.value : undefined)
        // The members stand in one order, too.
        expect(JSON.stringify(said)).to.equal(read.ok ? JSON.stringify(read.value) : undefined)
      }),
      { numRuns: 2000 }
    )
  })

  const cycle: unknown[] = []
  cycle.push(cycle)
  for (const [name, value] of [
    ['undefined', undefined],
    ['a hole in a list', [1, , 2]],
    ['a date', new Date(0)],
    ['a date in a member', { at: new Date(0) }],
    ['a map', [new Map([['a', 1]])]],
    ['bytes', { bytes: Uint8Array.of(1) }],
    ['a cycle', cycle],
    ['NaN', { a: NaN }],
    ['a function', { a: () => 1 }],
    ['a lone surrogate', ['\ud800']],
    ['a lone surrogate in a name', { '\ud800': 1 }]
  ] as ReadonlyArray<readonly [string, unknown]>) {
    it(`reads in ${name}, which has no canonical form, nothing that has one`, () => {
      const said = asRead(value as Json, 10)
      if (said !== undefined) expect(() => canonicalText(said)).to.throw(TypeError)
    })
  }

  for (const [name, text] of GOOD) {
    it(`takes ${name}`, () => {
      expect(readJson(toUtf8(text), BOUNDS).ok).to.equal(true)
      agrees(text)
    })
  }

  for (const [name, text, code] of BAD) {
    it(`refuses ${name} with ${code}`, () => {
      const read = readJson(typeof text === 'string' ? toUtf8(text) : text, BOUNDS)
      expect(read.ok ? undefined : (read.refusal.details.code ?? read.refusal.code)).to.equal(code)
    })
  }

  it('makes objects that inherit nothing, at every level, and to which nobody can add', () => {
    const read = readJson(toUtf8('{"a":[{"toString":1}]}'), BOUNDS)
    const value = (read.ok ? read.value : {}) as { a: [object] }
    for (const object of [value, value.a[0]]) {
      for (const name of ['constructor', '__proto__', 'hasOwnProperty', 'valueOf'])
        expect(name in object).to.equal(false)
      expect(Reflect.ownKeys(Object.getPrototypeOf(object) as object)).to.deep.equal([])
      expect(Object.isFrozen(Object.getPrototypeOf(object))).to.equal(true)
    }
    expect('toString' in value).to.equal(false)
  })

  it('says too_large before it looks at a byte, and too_deep before it builds', () => {
    const large = readJson(new Uint8Array(11).fill(0xff), { maxBytes: 10, maxDepth: 1 })
    expect(large.ok ? undefined : large.refusal.code).to.equal('too_large')
    const deep = readJson(toUtf8('['.repeat(50_000)), { maxBytes: 100_000, maxDepth: 8 })
    expect(deep.ok ? undefined : deep.refusal.details.code).to.equal('too_deep')
  })

  it('counts objects and lists alike as levels', () => {
    const text = '{"a":[{"b":[]}]}'
    expect(readJson(toUtf8(text), { maxBytes: 100, maxDepth: 4 }).ok).to.equal(true)
    expect(readJson(toUtf8(text), { maxBytes: 100, maxDepth: 3 }).ok).to.equal(false)
  })

  it('says what is wrong with the JSON before it says that the form is not canonical', () => {
    const read = readCanonicalJson(toUtf8(' {"b":1,"a":2,"a":3}'), BOUNDS)
    expect(read.ok ? undefined : read.refusal.details.code).to.equal('duplicate_key')
  })
})
