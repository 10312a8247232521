import { expect } from 'chai'
import fc from 'fast-check'
import { hostile, wrongWith } from './hostile.js'

/** A slice; `npm run fuzz:types` takes 200,000. */
const CASES = 2000

describe('hostile definitions', () => {
  it(`are judged as the page says, in bounded time and without a throw (${CASES} of them)`, function () {
    this.timeout(120_000)
    const odd = fc.sample(hostile, { numRuns: CASES, seed: 4 }).flatMap((one) => wrongWith(one) ?? [])
    expect(odd).to.deep.equal([])
  })
})
