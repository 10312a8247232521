import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync, readdirSync } from 'node:fs'
import type { Json, JsonObject } from '../../src/base/json.js'
import { hashOf, parseDefinition, readDefinition, worstCaseBytes } from '../../src/types/definition.js'
import { checkProposal } from '../../src/types/proposal.js'
import { bentDefinition, validDefinition } from './definitions.js'
import { planFor } from './plans.js'
import { canonical, disclosed, faultsOfDefinition, faultsOfPlan, greatest, hash, hashOfFile } from './second/reader.js'

type Bag = Record<string, unknown>
interface Refused {
  readonly code: string
  readonly field?: string
}
interface Case {
  readonly name: string
  readonly definition: Json
  readonly text: string
  readonly hash?: string
  readonly type: string
  readonly proposal: Json
  readonly action: string
  readonly params: Json
  readonly capabilities?: Record<string, string[]>
  readonly refusal?: Refused
}

const read = <T>(path: string): T => JSON.parse(readFileSync(`protocols/${path}`, 'utf8')) as T
const types = read<{ definitions: Case[]; files: Case[] }>('vectors/types.json')
const proposals = read<{ types: Record<string, Json>; proposals: Case[]; params: Case[] }>('vectors/proposals.json')

function typeOf(name: string): Bag {
  const type = proposals.types[name]
  return (typeof type === 'string' ? read(type) : type) as Bag
}

describe('a second reader of ttd1, written from the page alone', () => {
  it('gives every definition of the vectors its hash, and finds the fault that is named', () => {
    for (const { name, definition, refusal, hash: expected } of types.definitions) {
      const faults = faultsOfDefinition(definition)
      if (refusal === undefined) {
        expect([...faults.keys()], name).to.deep.equal([])
        expect(hash(definition), name).to.equal(expected)
      } else expect([...faults.keys()], name).to.include(refusal.field ?? '')
    }
  })

  it('takes and refuses the same files', () => {
    for (const { name, text, hash: expected } of types.files) {
      expect(hashOfFile(Buffer.from(text)), name).to.equal(expected)
    }
  })

  it('gives every published type the hash that the page names', () => {
    const page = readFileSync('protocols/types.md', 'utf8')
    const files = readdirSync('protocols/types').filter((name) => name.includes('@'))
    expect(files.length).to.be.greaterThan(0)
    for (const file of files) {
      const found = hashOfFile(readFileSync(`protocols/types/${file}`))
      expect(page).to.include(`| \`${file.replace('.json', '')}\` | \`${found}\` |`)
    }
  })

  it('judges every proposal of the vectors alike, and finds the fault that is named', () => {
    for (const { name, type, proposal, capabilities, refusal } of proposals.proposals) {
      const definition = typeOf(type)
      const faults = faultsOfPlan(definition.fields as Bag[], proposal)
      if (refusal !== undefined) expect(faults.get(refusal.field ?? ''), name).to.equal(refusal.code)
      else {
        expect([...faults], name).to.deep.equal([])
        expect(disclosed(definition, proposal as Bag), name).to.deep.equal(capabilities)
      }
    }
  })

  it('judges the params of actions alike', () => {
    for (const { name, type, action, params, refusal } of proposals.params) {
      const declared = (typeOf(type).actions as Bag[]).find((one) => one.name === action)
      const faults = faultsOfPlan(declared?.params as Bag[], params, 'params')
      expect(faults.get(refusal?.field ?? ''), name).to.equal(refusal?.code)
      expect(faults.size > 0, name).to.equal(refusal !== undefined)
    }
  })

  it('agrees with the product on made-up definitions, right and bent', () => {
    fc.assert(
      fc.property(fc.oneof(validDefinition, bentDefinition), (value) => {
        const parsed = parseDefinition(value)
        const faults = faultsOfDefinition(value)
        if (!parsed.ok) return faults.has(parsed.refusal.details.field ?? '')
        const bytes = Buffer.from(canonical(value))
        const file = readDefinition(bytes)
        return (
          faults.size === 0 &&
          hashOf(parsed.value) === hash(value) &&
          (file.ok ? file.value.hash : undefined) === hashOfFile(bytes) &&
          worstCaseBytes(parsed.value) === greatest((value as Bag).fields as Bag[])
        )
      }),
      { numRuns: 3000 }
    )
  })

  it('agrees with the product on proposals of made-up types, right and bent', () => {
    const cases = validDefinition.chain((definition) => fc.tuple(fc.constant(definition), planFor(definition)))
    fc.assert(
      fc.property(cases, ([value, proposal]) => {
        const definition = parseDefinition(value)
        if (!definition.ok) return false
        const checked = checkProposal(definition.value, proposal as JsonObject)
        const faults = faultsOfPlan(value.fields as unknown as Bag[], proposal)
        if (checked.ok)
          return faults.size === 0 && Buffer.byteLength(canonical(proposal)) <= worstCaseBytes(definition.value)
        return faults.get(checked.refusal.details.field ?? '') === checked.refusal.details.code
      }),
      { numRuns: 3000 }
    )
  })
})
