import { expect } from 'chai'
import fc from 'fast-check'
import type { AgentId } from '../../src/base/ids.js'
import { decideDisclosure } from '../../src/policy/disclosure.js'
import { type Effect, type Grant, decide } from '../../src/policy/grants.js'

const BOB = 'al1bob' as AgentId
const contact = fc.constantFrom<AgentId | '*'>(BOB, 'al1carol' as AgentId, '*')
const known = ['disclose.budget', 'disclose.notes']
const custom = ['disclose.x.parking', 'disclose.x.garage']
const other = ['pay.solana', 'action.calendar.hold']
const capability = fc.constantFrom(...known, ...custom, ...other)
const effect = fc.constantFrom<Effect>('allow', 'ask', 'deny')
const grant: fc.Arbitrary<Grant> = fc.record({
  contact,
  capability: fc.oneof({ weight: 2, arbitrary: capability }, fc.constant('disclose.*')),
  effect
})
/** As they are stored: one for each contact and capability. */
const grants = fc.uniqueArray(grant, { selector: (each) => `${each.contact} ${each.capability}`, maxLength: 10 })

/** The table of the page, row by row, written without looking at the code that it judges. */
function oracle(all: readonly Grant[], asked: string): Effect {
  const said = (who: string, what: string): Effect | undefined =>
    all.find((each) => each.contact === who && each.capability === what)?.effect
  for (const who of [BOB, '*']) {
    const exact = said(who, asked)
    if (exact) return exact
    const wild = said(who, 'disclose.*')
    if (wild && known.includes(asked)) return wild
    if (wild === 'deny' && custom.includes(asked)) return 'deny'
  }
  return 'ask'
}

describe('decide', () => {
  it('agrees with a naive reading of the table', () => {
    fc.assert(
      fc.property(grants, capability, (all, asked) => decide(all, BOB, asked).effect === oracle(all, asked)),
      { numRuns: 5000 }
    )
  })

  it('does not depend on the order in which grants are kept', () => {
    const shuffled = fc
      .array(grant, { maxLength: 8 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }))
      )
    fc.assert(
      fc.property(
        shuffled,
        capability,
        ([a, b], asked) => decide(a, BOB, asked).effect === decide(b, BOB, asked).effect
      )
    )
  })

  it('names the grant that decided, and it says what was decided', () => {
    fc.assert(
      fc.property(grants, capability, (all, asked) => {
        const { effect, because } = decide(all, BOB, asked)
        return because === undefined ? effect === 'ask' : because.effect === effect && all.includes(because)
      })
    )
  })

  it('is never moved by what was said for another contact', () => {
    fc.assert(
      fc.property(grants, capability, (all, asked) => {
        const own = all.filter((each) => each.contact !== 'al1carol')
        expect(decide(all, BOB, asked)).to.deep.equal(decide(own, BOB, asked))
      })
    )
  })

  it('opens a custom category only by its name', () => {
    fc.assert(
      fc.property(grants, fc.constantFrom(...custom), (all, asked) => {
        const { effect, because } = decide(all, BOB, asked)
        return effect !== 'allow' || because?.capability === asked
      })
    )
  })
})

describe('decideDisclosure', () => {
  const capabilities = fc
    .dictionary(fc.constantFrom(...known, ...custom), fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }))
    .map((all) => new Map(Object.entries(all)))

  it('is the strictest of its parts, and names exactly the parts that made it so, sorted', () => {
    fc.assert(
      fc.property(grants, capabilities, (all, asked) => {
        const decision = decideDisclosure(all, BOB, asked)
        const having = (effect: Effect): string[] =>
          [...asked.keys()].filter((each) => oracle(all, each) === effect).sort()
        const [denied, open] = [having('deny'), having('ask')]
        const fields = [...new Set(denied.flatMap((each) => asked.get(each) ?? []))].sort()
        if (denied.length > 0) expect(decision).to.deep.equal({ effect: 'deny', denied, fields })
        else if (open.length > 0) expect(decision).to.deep.equal({ effect: 'ask', capabilities: open })
        else expect(decision).to.deep.equal({ effect: 'allow' })
      }),
      { numRuns: 2000 }
    )
  })
})
