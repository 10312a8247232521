import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { toUtf8 } from '../../src/base/bytes.js'
import type { Json } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import { type Definition, hashOf, parseDefinition, readDefinition } from '../../src/types/definition.js'
import { capabilitiesIn, checkParams, checkProposal } from '../../src/types/proposal.js'

interface Refused {
  readonly code: string
  readonly field?: string
}
interface DefinitionCase {
  readonly name: string
  readonly definition: Json
  readonly hash?: string
  readonly refusal?: Refused
}
interface FileCase {
  readonly name: string
  readonly text: string
  readonly hash?: string
  readonly refusal?: Refused
}
interface ProposalCase {
  readonly name: string
  readonly type: string
  readonly proposal: Json
  readonly capabilities?: Record<string, string[]>
  readonly refusal?: Refused
}

interface ParamsCase {
  readonly name: string
  readonly type: string
  readonly action: string
  readonly params: Json
  readonly refusal?: Refused
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(`protocols/${path}`, 'utf8')) as T
}

function refusalOf(result: Result<unknown>): Refused | undefined {
  if (result.ok) return undefined
  const { code = result.refusal.code, field } = result.refusal.details
  return field === undefined ? { code } : { code, field }
}

const types = read<{ definitions: DefinitionCase[]; files: FileCase[] }>('vectors/types.json')
const proposals = read<{ types: Record<string, Json>; proposals: ProposalCase[]; params: ParamsCase[] }>(
  'vectors/proposals.json'
)

describe('the vectors of definitions', () => {
  for (const { name, definition, hash, refusal } of types.definitions) {
    it(`${refusal ? 'refuse' : 'accept'} ${name}`, () => {
      const parsed = parseDefinition(definition)
      expect(refusalOf(parsed)).to.deep.equal(refusal)
      expect(parsed.ok ? hashOf(parsed.value) : undefined).to.equal(hash)
    })
  }

  for (const { name, text, hash, refusal } of types.files) {
    it(`${refusal ? 'refuse' : 'accept'} ${name}`, () => {
      const file = readDefinition(toUtf8(text))
      expect(refusalOf(file)?.code).to.equal(refusal?.code)
      expect(file.ok ? file.value.hash : undefined).to.equal(hash)
    })
  }

  it('are refusals for the most part', () => {
    const refused = types.definitions.filter((each) => each.refusal)
    expect(refused.length * 2).to.be.above(types.definitions.length)
  })
})

describe('the vectors of proposals', () => {
  const definitions = new Map(Object.entries(proposals.types).map(([name, type]) => [name, definitionOf(type)]))

  function definitionOf(type: Json): Definition {
    const parsed = parseDefinition(typeof type === 'string' ? read<Json>(type) : type)
    if (!parsed.ok) throw new Error(parsed.refusal.message)
    return parsed.value
  }

  for (const { name, type, proposal, capabilities, refusal } of proposals.proposals) {
    it(`${refusal ? 'refuse' : 'accept'} ${name}`, () => {
      const definition = definitions.get(type) as Definition
      const checked = checkProposal(definition, proposal)
      expect(refusalOf(checked)).to.deep.equal(refusal)
      if (!checked.ok) return
      expect(Object.fromEntries(capabilitiesIn(definition, checked.value))).to.deep.equal(capabilities)
    })
  }

  for (const { name, type, action, params, refusal } of proposals.params) {
    it(`of the params of ${action} ${refusal ? 'refuse' : 'accept'} ${name}`, () => {
      const declared = definitions.get(type)?.actions?.find((one) => one.name === action)
      if (declared === undefined) throw new Error(`no action ${action}`)
      expect(refusalOf(checkParams(declared, params))).to.deep.equal(refusal)
    })
  }

  it('are refusals for the most part', () => {
    const refused = proposals.proposals.filter((each) => each.refusal)
    expect(refused.length * 2).to.be.above(proposals.proposals.length)
  })
})
