import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { canonicalBytes, canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { hashOf, parseDefinition, readDefinition, uncoveredText, worstCaseBytes } from '../../src/types/definition.js'
import { TTD1 } from '../../src/types/limits.js'
import { bentDefinition, validDefinition } from './definitions.js'

const schema = JSON.parse(readFileSync('protocols/schemas/ttd1.json', 'utf8')) as Record<string, unknown>
const conforms = new Ajv2020({ strict: false }).compile(schema)
const dinnerBytes = new Uint8Array(readFileSync('protocols/types/dinner.coordination@1.json'))

/** Faults that only the page speaks of, by what our parser says of them. */
const BEYOND_THE_SCHEMA = [
  /spaces/,
  /labels may not hold/,
  /normalisation/,
  /look alike/,
  /a name of its own/,
  /above (max|min)/,
  /bounds that nothing meets/,
  /finer than its decimals/,
  /must be x\./,
  /decimals$/,
  /bytes$/,
  /counted$/
]

function definitionOf(fields: readonly unknown[], more: object = {}): Json {
  return { format: 'ttd1', name: 'quote.request', version: 1, title: 'Quote', fields, ...more } as Json
}

function text(name: string, more: object = {}): object {
  return { name, kind: 'text', label: 'Text', maxLength: 10, ...more }
}

describe('a ttd1 definition', () => {
  it('is accepted with any kinds and bounds that fit together', () => {
    fc.assert(fc.property(validDefinition, (definition) => parseDefinition(definition).ok))
  })

  it('comes back as a frozen copy with the same canonical bytes', () => {
    fc.assert(
      fc.property(validDefinition, (value) => {
        const parsed = parseDefinition(value)
        if (!parsed.ok) return false
        return (
          canonicalText(parsed.value as unknown as Json) === canonicalText(value) &&
          Object.isFrozen(parsed.value) &&
          Object.isFrozen(parsed.value.fields[0])
        )
      })
    )
  })

  it('agrees with the JSON Schema wherever a schema can speak', () => {
    fc.assert(
      fc.property(fc.oneof(validDefinition, bentDefinition), (value) => {
        const parsed = parseDefinition(value)
        const structural = conforms(value)
        if (parsed.ok) return structural
        return !structural || BEYOND_THE_SCHEMA.some((fault) => fault.test(parsed.refusal.message))
      }),
      { numRuns: 1500 }
    )
  })

  it('never throws or stalls on hostile values, and what it accepts can be hashed and read back (20,000 of them)', function () {
    this.timeout(60_000)
    const cpu = process.cpuUsage().user
    let accepted = 0
    for (const value of fc.sample(bentDefinition, { numRuns: 20_000, seed: 7 })) {
      const parsed = parseDefinition(value)
      if (!parsed.ok) {
        expect(parsed.refusal.details.code).to.equal('malformed_definition')
        continue
      }
      accepted++
      const read = readDefinition(canonicalBytes(value))
      expect(read.ok && read.value.hash).to.equal(hashOf(parsed.value))
    }
    expect(accepted).to.be.above(100)
    expect(process.cpuUsage().user - cpu).to.be.below(15_000_000)
  })

  it('is refused as a file unless its bytes are canonical, so that the file hash is the type hash', () => {
    const spaced = new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(dinnerBytes)), null, 1))
    const read = readDefinition(spaced)
    expect(read.ok ? '' : read.refusal.details.code).to.equal('not_canonical')
  })

  it('changes its hash with any of its bytes', () => {
    const parsed = parseDefinition(definitionOf([text('a')]))
    const other = parseDefinition(definitionOf([text('a')], { version: 2 }))
    expect(parsed.ok && other.ok && hashOf(parsed.value) !== hashOf(other.value)).to.equal(true)
  })

  it('is refused when its largest proposal does not fit beside it in an invite', () => {
    const heavy = definitionOf([{ name: 'a', kind: 'list', label: 'A', maxItems: 100, maxLength: 200 }])
    const parsed = parseDefinition(heavy)
    expect(parsed.ok ? '' : parsed.refusal.details.field).to.equal('fields')
  })

  it('is refused when the params of an action can outgrow a message', () => {
    const params = [{ name: 'a', kind: 'list', label: 'A', maxItems: 100, maxLength: 200 }]
    const action = { name: 'x.quote.request.send', label: 'Send', params }
    const parsed = parseDefinition(definitionOf([text('a')], { actions: [action] }))
    expect(parsed.ok ? '' : parsed.refusal.details.field).to.equal('actions[0].params')
  })

  it('counts sub-fields and params among its 64 fields', () => {
    const many = Array.from({ length: 31 }, (_, i) => ({ name: `f${i}`, kind: 'boolean', label: 'Yes' }))
    const group = { name: 'g', kind: 'group', label: 'Group', fields: many }
    const action = { name: 'x.quote.request.send', label: 'Send', params: many }
    expect(parseDefinition(definitionOf([group, text('a')], { actions: [action] })).ok).to.equal(true)
    expect(parseDefinition(definitionOf([group, text('a'), text('b')], { actions: [action] })).ok).to.equal(false)
  })

  it('holds at its deepest six levels', () => {
    const choice = { name: 'c', kind: 'choice', label: 'Choice', options: ['a'] }
    const deepest = definitionOf([{ name: 'g', kind: 'group', label: 'Group', fields: [choice] }])
    expect(readDefinition(canonicalBytes(deepest)).ok).to.equal(true)
    expect(TTD1.definitionDepth).to.equal(6)
  })

  it('lists the free text that no capability covers, for the owner to see before installing', () => {
    const group = { name: 'venue', kind: 'group', label: 'Venue', fields: [text('name')] }
    const parsed = parseDefinition(definitionOf([group, text('a'), text('b', { capability: 'disclose.notes' })]))
    expect(parsed.ok && uncoveredText(parsed.value)).to.deep.equal(['venue.name', 'a'])
  })
})

describe('dinner.coordination@1', () => {
  const read = readDefinition(dinnerBytes)
  if (!read.ok) throw new Error(read.refusal.message)
  const { definition, hash } = read.value

  it('is canonical, and has the hash that the page names', () => {
    expect(readFileSync('protocols/types.md', 'utf8')).to.include(hash)
  })

  it('has the fields, bounds and capabilities of the table', () => {
    const availability = 'disclose.availability'
    const table = definition.fields.map(({ name, kind, required, capability }) => [name, kind, required, capability])
    expect(table).to.deep.equal([
      ['date', 'date', true, availability],
      ['time', 'time', true, availability],
      ['timezone', 'timezone', true, availability],
      ['cuisine', 'text', undefined, 'disclose.preferences'],
      ['partySize', 'integer', undefined, undefined],
      ['venue', 'group', undefined, undefined],
      ['dietaryNotes', 'list', undefined, 'disclose.dietary'],
      ['budgetPerPerson', 'number', undefined, 'disclose.budget'],
      ['notes', 'text', undefined, 'disclose.notes']
    ])
  })

  it('leaves its largest proposal far below a message', () => {
    expect(worstCaseBytes(definition)).to.be.below(16_384)
  })
})
