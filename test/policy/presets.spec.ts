import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import type { AgentId } from '../../src/base/ids.js'
import { KNOWN_CAPABILITIES, parseCapability } from '../../src/policy/capability.js'
import { type Effect, type Grant, decide } from '../../src/policy/grants.js'
import { PRESET_NAMES, type PresetName } from '../../src/policy/preset-names.js'
import { changeBy, parsePreset, presetDigest, rulesOf } from '../../src/policy/presets.js'

interface Vectors {
  readonly names: { readonly valid: string[]; readonly invalid: string[] }
  readonly rules: Readonly<Record<PresetName, Grant[]>>
  readonly decisions: ReadonlyArray<{
    readonly preset: PresetName
    readonly capability: string
    readonly effect: Effect
  }>
  readonly changes: ReadonlyArray<{
    readonly name: string
    readonly preset: PresetName
    readonly before: Grant[]
    readonly removes: Grant[]
    readonly sets: ReadonlyArray<Grant & { readonly was: Effect | null }>
    readonly keeps: Grant[]
    readonly after: Grant[]
  }>
  readonly digests: ReadonlyArray<{
    readonly agent: AgentId
    readonly preset: PresetName
    readonly rules: Grant[]
    readonly digest: string
  }>
}

const vectors = JSON.parse(readFileSync('protocols/vectors/presets.json', 'utf8')) as Vectors
const ANYBODY = 'al1somebody' as AgentId

describe('the vectors of presets', () => {
  for (const name of vectors.names.valid) {
    it(`know ${name}`, () => expect(parsePreset(name)).to.deep.equal({ ok: true, value: name }))
  }
  for (const name of vectors.names.invalid) {
    it(`know no ${JSON.stringify(name)}`, () => {
      const parsed = parsePreset(name)
      expect(parsed.ok ? '' : [parsed.refusal.code, parsed.refusal.details.field]).to.deep.equal([
        'not_found',
        'preset'
      ])
    })
  }

  it('have the rules of each, all of them for every contact and well named', () => {
    for (const name of PRESET_NAMES) {
      expect(rulesOf(name)).to.deep.equal(vectors.rules[name])
      for (const { contact, capability } of rulesOf(name)) {
        expect([contact, parseCapability(capability).ok]).to.deep.equal(['*', true])
      }
    }
  })

  for (const { preset, capability, effect } of vectors.decisions) {
    it(`${preset}: ${capability} is ${effect}`, () => {
      expect(decide(rulesOf(preset), ANYBODY, capability).effect).to.equal(effect)
    })
  }

  it('decide about every capability that there is', () => {
    const decided = new Set(vectors.decisions.map(({ capability }) => capability))
    expect(KNOWN_CAPABILITIES.filter((capability) => !decided.has(capability))).to.deep.equal([])
  })

  for (const { name, preset, before, ...wanted } of vectors.changes) {
    it(`${name} (${preset})`, () => {
      const { sets, ...rest } = changeBy(preset, before)
      expect({ ...rest, sets: sets.map(({ grant, was = null }) => ({ ...grant, was })) }).to.deep.equal(wanted)
    })
  }

  for (const [at, { agent, preset, rules, digest }] of vectors.digests.entries()) {
    it(`digest ${at} of ${preset}`, () => expect(presetDigest(agent, preset, rules)).to.equal(digest))
  }

  it('are the table of the page', () => {
    const [, section = ''] = readFileSync('protocols/policy.md', 'utf8').split('\n### Presets\n')
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| `[a-z]+\./.test(line))
    const cells = rows.map((row) => [...row.split('|').slice(1, -1)].map((cell) => cell.trim().replaceAll('`', '')))
    for (const [at, name] of PRESET_NAMES.entries()) {
      const said = cells.flatMap((row) => (row[at + 1] === '' ? [] : [`${row[0]} ${row[at + 1]}`]))
      expect(said).to.deep.equal(rulesOf(name).map(({ capability, effect }) => `${capability} ${effect}`))
    }
  })
})

describe('a preset', () => {
  const capability = fc.constantFrom(
    ...KNOWN_CAPABILITIES,
    'disclose.*',
    'disclose.x.parking',
    'action.x.quote.request.order'
  )
  const grant: fc.Arbitrary<Grant> = fc.record({
    contact: fc.constantFrom<AgentId | '*'>('*', 'al1bob' as AgentId, 'al1carol' as AgentId),
    capability,
    effect: fc.constantFrom<Effect>('allow', 'ask', 'deny')
  })
  const grants = fc.uniqueArray(grant, { selector: (each) => `${each.contact} ${each.capability}`, maxLength: 12 })
  const preset = fc.constantFrom(...PRESET_NAMES)

  it('lets no agent pay, whatever was said before', () => {
    fc.assert(
      fc.property(preset, grants, (name, before) => {
        const { after } = changeBy(name, before)
        const paying = KNOWN_CAPABILITIES.filter((each) => each.startsWith('pay.'))
        return paying.every((each) => decide(after, ANYBODY, each).effect !== 'allow')
      })
    )
  })

  it('is all that is said for every contact, and leaves what was said for one', () => {
    fc.assert(
      fc.property(preset, grants, (name, before) => {
        const { after } = changeBy(name, before)
        expect(after.filter(({ contact }) => contact === '*')).to.deep.equal(rulesOf(name))
        expect(after.filter(({ contact }) => contact !== '*')).to.deep.equal(
          before.filter(({ contact }) => contact !== '*')
        )
      })
    )
  })

  it('says of each rule for every contact what becomes of it, and of no other', () => {
    fc.assert(
      fc.property(preset, grants, (name, before) => {
        const { removes, sets, keeps, after } = changeBy(name, before)
        const made = before
          .filter((old) => !removes.includes(old))
          .filter((old) => !sets.some(({ grant: next }) => old.contact === '*' && next.capability === old.capability))
          .concat(sets.map((each) => each.grant))
        expect(made).to.have.deep.members([...after])
        expect(keeps.length + rulesOf(name).length).to.equal(after.length)
      })
    )
  })

  it('applied again changes nothing', () => {
    fc.assert(
      fc.property(preset, grants, (name, before) => {
        const once = changeBy(name, before).after
        const { removes, sets, after } = changeBy(name, once)
        expect([removes, sets, after]).to.deep.equal([[], [], once])
      })
    )
  })

  it('has another digest for other rules, another preset or another agent, and the same in whatever order they are kept', () => {
    const two = fc.tuple(grants, grants)
    const textOf = (all: readonly Grant[]): string =>
      all
        .map((each) => Object.values(each).join())
        .sort()
        .join('|')
    fc.assert(
      fc.property(preset, two, (name, [a, b]) => {
        const [one, other] = [a, b].map((rules) => presetDigest(ANYBODY, name, rules))
        expect(one === other).to.equal(textOf(a) === textOf(b))
        expect(presetDigest(ANYBODY, name, [...a].reverse())).to.equal(one)
        expect(presetDigest('al1other' as AgentId, name, a)).not.to.equal(one)
        expect(new Set(PRESET_NAMES.map((each) => presetDigest(ANYBODY, each, a))).size).to.equal(PRESET_NAMES.length)
      })
    )
  })
})
