import { expect } from 'chai'
import fc from 'fast-check'
import { createBudget, DEFAULT_BUDGET } from '../../src/net/budget.js'
import { createMeter } from '../../src/net/meter.js'

function clock(): { now: () => number; pass: (ms: number) => void } {
  let at = 0
  return { now: () => at, pass: (ms) => (at += ms) }
}

describe('a meter', () => {
  it('lets so much through at once, then so much per second', () => {
    const time = clock()
    const meter = createMeter({ perSecond: 10, atOnce: 5, maxKeys: 10 }, time.now)
    expect(Array.from({ length: 5 }, () => meter.spend('a', 1))).to.deep.equal([0, 0, 0, 0, 0])
    expect(meter.spend('a', 1)).to.equal(100)
    time.pass(100)
    expect(meter.spend('a', 1)).to.equal(100)
  })

  it('adds the cost before it compares: one large request does not slip past a nearly empty account', () => {
    const meter = createMeter({ perSecond: 100, atOnce: 100, maxKeys: 10 }, clock().now)
    expect(meter.spend('a', 80)).to.equal(0)
    expect(meter.spend('a', 200)).to.be.above(0)
  })

  it('keeps keys apart', () => {
    const meter = createMeter({ perSecond: 1, atOnce: 1, maxKeys: 10 }, clock().now)
    expect([meter.spend('a', 1), meter.spend('a', 1), meter.spend('b', 1)]).to.deep.equal([0, 1000, 0])
  })

  it('hears someone again soon after it stopped hammering', () => {
    const time = clock()
    const meter = createMeter({ perSecond: 10, atOnce: 10, maxKeys: 10 }, time.now)
    for (let i = 0; i < 10_000; i++) meter.spend('a', 1)
    time.pass(2000)
    expect(meter.spend('a', 1)).to.equal(0)
  })

  it('remembers no more keys than it may, and the most recent ones', () => {
    const meter = createMeter({ perSecond: 1, atOnce: 1, maxKeys: 3 }, clock().now)
    for (const key of ['a', 'b', 'c', 'd']) meter.spend(key, 1)
    expect([meter.spend('d', 1) > 0, meter.spend('a', 1)]).to.deep.equal([true, 0])
  })

  it('never lets more through than its rate allows, whatever the pattern', () => {
    const steps = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 500 }), cost: fc.integer({ min: 1, max: 50 }) }))
    fc.assert(
      fc.property(steps, (pattern) => {
        const time = clock()
        const meter = createMeter({ perSecond: 100, atOnce: 60, maxKeys: 2 }, time.now)
        let passed = 0
        for (const { gap, cost } of pattern) {
          time.pass(gap)
          if (meter.spend('a', cost) === 0) passed += cost
        }
        expect(passed).to.be.at.most(60 + (time.now() * 100) / 1000)
      })
    )
  })
})

describe('the budget', () => {
  const contact = (key: string): { kind: 'contact'; key: string } => ({ kind: 'contact', key })
  const stranger = { kind: 'stranger', key: '192.0.2.1' } as const

  it('does not hold back a contact that sends ten thousand messages of 1 KiB per second', () => {
    const time = clock()
    const budget = createBudget(DEFAULT_BUDGET, time.now)
    for (let ms = 0; ms < 3000; ms++) {
      time.pass(1)
      for (let i = 0; i < 10; i++) expect(budget.spend(contact('a'), 1024)).to.equal('ok')
    }
  })

  it('lets a stranger bring a contact request and a few tries, not a flood', () => {
    const budget = createBudget(DEFAULT_BUDGET, clock().now)
    expect([budget.open(stranger), budget.spend(stranger, 8192), budget.spend(stranger, 65_536)]).to.deep.equal([
      'ok',
      'ok',
      'ok'
    ])
    const flood = Array.from({ length: 1000 }, () => budget.spend(stranger, 1024))
    expect(flood.filter((spent) => spent === 'ok').length).to.be.below(250)
  })

  it('charges the fixed part too: small frames are not free', () => {
    const budget = createBudget(DEFAULT_BUDGET, clock().now)
    const flood = Array.from({ length: 1000 }, () => budget.spend(stranger, 1))
    expect(flood.filter((spent) => spent === 'ok').length).to.be.below(520)
  })

  it('leaves more than half of the whole to others when one contact floods', () => {
    const time = clock()
    const budget = createBudget(DEFAULT_BUDGET, time.now)
    for (let ms = 0; ms < 5000; ms++) {
      time.pass(1)
      const held = budget.spend(contact('flooder'), 100_000)
      if (held !== 'ok') time.pass(held.waitMs)
      expect(budget.spend(contact('quiet'), 1024)).to.equal('ok')
    }
  })

  it('does not let strangers who are cut anyway use up what the others share', () => {
    const budget = createBudget(DEFAULT_BUDGET, clock().now)
    for (let i = 0; i < 10_000; i++) budget.spend(stranger, 262_144)
    expect(budget.spend(contact('a'), 1024)).to.equal('ok')
  })
})
