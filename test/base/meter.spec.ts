import { expect } from 'chai'
import fc from 'fast-check'
import { createMeter } from '../../src/base/meter.js'

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

  it('takes nothing for what it sends away, and says when it will be taken', () => {
    const gaps = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 60 }), patience: fc.constantFrom(0, 20, 200) }))
    fc.assert(
      fc.property(gaps, (pattern) => {
        const time = clock()
        const meter = createMeter({ perSecond: 50, atOnce: 3, maxKeys: 2 }, time.now)
        for (const { gap, patience } of pattern) {
          time.pass(gap)
          const wait = meter.take('a', 1, patience)
          if (wait <= patience) continue
          time.pass(wait - patience)
          expect(meter.take('a', 1, patience)).to.be.at.most(patience + 1e-6)
        }
      })
    )
  })

  it('gives who asks again and again without waiting as much as who waits', () => {
    const time = clock()
    const meter = createMeter({ perSecond: 10, atOnce: 5, maxKeys: 10 }, time.now)
    let taken = 0
    for (let ms = 0; ms < 10_000; ms++) {
      if (meter.take('a', 1, 0) === 0) taken++
      time.pass(1)
    }
    expect(taken).to.be.within(104, 105)
  })

  it('locks nobody out when the clock jumps back', () => {
    const time = clock()
    time.pass(1_000_000_000)
    const meter = createMeter({ perSecond: 10, atOnce: 5, maxKeys: 10 }, time.now)
    for (let i = 0; i < 20; i++) meter.take('a', 1, 0)
    time.pass(-999_000_000)
    expect(meter.take('a', 1, 0)).to.be.at.most(100)
    time.pass(500)
    expect(meter.take('a', 1, 0)).to.equal(0)
  })
})
