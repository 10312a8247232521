import { expect } from 'chai'
import { playLives } from './executed.js'

/** Lives of six crossings each that every run of the tests plays; `npm run executed -- --runs N --seed S` plays any number. */
const RUNS = 2000

describe('what took effect under a yes', function () {
  this.timeout(300_000)

  it(`is, byte for byte, what the owner saw, in ${RUNS} lives with answers, rules and contacts that cross`, async () => {
    const { fault, runs, seed, counts } = await playLives(RUNS, 1)
    expect(fault, `replay: npm run executed -- --runs 1 --seed ${seed}`).to.equal(undefined)
    expect(runs).to.be.at.least(RUNS)
    const kinds = ['task.invite', 'task.propose', 'action', 'envelope.submit', 'type']
    expect(kinds.filter((kind) => (counts.get(kind) ?? 0) === 0)).to.deep.equal([])
  })
})
