import { expect } from 'chai'
import fc from 'fast-check'
import { type Throttle, createThrottle } from '../../src/api/throttle.js'

/** A throttle, and the clock that it reads. */
function create(): { readonly throttle: Throttle; readonly time: { now: number } } {
  const time = { now: 1000 }
  return { throttle: createThrottle(() => time.now), time }
}

describe('the throttle', () => {
  it('lets five failures of a second pass, holds ten more for longer and longer, and refuses the rest', () => {
    const { throttle } = create()
    const holds = Array.from({ length: 17 }, () => throttle.failed('a'))
    expect(holds.slice(0, 5)).to.deep.equal([0, 0, 0, 0, 0])
    expect(holds.slice(5, 15)).to.deep.equal([200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000])
    expect(holds.slice(15)).to.deep.equal([undefined, undefined])
  })

  it('forgets after a quiet time', () => {
    const { throttle, time } = create()
    for (let i = 0; i < 20; i++) throttle.failed('a')
    time.now = 4001
    expect(throttle.failed('a')).to.equal(0)
  })

  it('keeps sources apart', () => {
    const { throttle } = create()
    for (let i = 0; i < 20; i++) throttle.failed('a')
    expect(throttle.failed('b')).to.equal(0)
  })

  it('never answers more than five plus five a second, and never holds longer than two seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 }), (gaps) => {
        const { throttle, time } = create()
        const answers: number[] = []
        for (const gap of gaps) {
          time.now += gap
          const hold = throttle.failed('a')
          if (hold !== undefined) {
            expect(hold).to.be.within(0, 2000)
            answers.push(time.now + hold)
          }
        }
        for (const at of answers) {
          expect(answers.filter((other) => other >= at && other < at + 1000).length).to.be.at.most(10)
        }
      })
    )
  })

  it('locks no source out when the clock jumps back', () => {
    const { throttle, time } = create()
    time.now = 1_000_000_000
    for (let i = 0; i < 20; i++) throttle.failed('a')
    time.now = 1000
    for (let i = 0; i < 3; i++) throttle.failed('a')
    time.now = 5000
    expect(throttle.failed('a')).to.equal(0)
  })
})
