import { expect } from 'chai'
import fc from 'fast-check'
import type { AgentId, TaskUid } from '../../src/base/ids.js'
import {
  agentPrefix,
  countPart,
  dueKey,
  dueUntil,
  inboxKey,
  onceKey,
  pairKey,
  pairOf,
  pairPrefix,
  seqKey,
  taskOrderKey,
  timePart
} from '../../src/flows/keys.js'

const ALICE = 'al1alice' as AgentId
const BOB = 'al1bob' as AgentId
const UID = 'ab'.repeat(16) as TaskUid
const counts = fc.integer({ min: 0, max: 999_999_999_999 })
const times = fc.integer({ min: 0, max: 999_999_999_999_998 })

describe('the keys of the records', () => {
  it('sort as the numbers in them do', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        expect(seqKey(ALICE, BOB, a) < seqKey(ALICE, BOB, b)).to.equal(a < b)
        expect(inboxKey(ALICE, a) < inboxKey(ALICE, b)).to.equal(a < b)
        expect(taskOrderKey(ALICE, a, UID) < taskOrderKey(ALICE, b, UID)).to.equal(a < b)
      })
    )
  })

  it('bound what is due: everything up to now, and nothing after', () => {
    fc.assert(
      fc.property(times, times, (at, now) => {
        expect(dueKey(at, 'task', UID) < dueUntil(now)).to.equal(at < now)
      })
    )
  })

  it('start with the prefix of their agent and pair', () => {
    expect(seqKey(ALICE, BOB, 7)).to.equal('al1alice/al1bob/000000000007')
    expect(seqKey(ALICE, BOB, 7)).to.equal(pairPrefix(ALICE, BOB) + countPart(7))
    expect(inboxKey(ALICE, 7)).to.equal(agentPrefix(ALICE) + countPart(7))
    expect(taskOrderKey(ALICE, 7, UID)).to.equal(`${agentPrefix(ALICE)}${timePart(7)}/${UID}`)
  })

  it('give the pair back', () => {
    expect(pairOf(pairKey(ALICE, BOB))).to.deep.equal({ agent: ALICE, peer: BOB })
    for (const bad of ['', 'al1alice', '/al1bob', 'al1alice/']) expect(() => pairOf(bad)).to.throw(RangeError)
  })

  it('throw on what is no count or time: then we are broken', () => {
    for (const bad of [-1, 1.5, NaN, Infinity, 2 ** 53, 1_000_000_000_000]) {
      expect(() => countPart(bad), String(bad)).to.throw(RangeError)
    }
    expect(timePart(Date.UTC(2500, 0))).to.have.length(15)
    for (const bad of [-1, 0.5, 1_000_000_000_000_000]) expect(() => timePart(bad), String(bad)).to.throw(RangeError)
  })

  it('tell any two idempotent calls apart', () => {
    const part = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('/', '%', '2', 'F', 'a', ':') })
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (a, b) => {
        expect(onceKey(...a) === onceKey(...b)).to.equal(a.join('\n') === b.join('\n'))
      })
    )
  })
})
