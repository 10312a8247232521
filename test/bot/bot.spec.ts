import { expect } from 'chai'
import { misplaced } from '../support/planted-faults.js'
import { MUTANTS as SIM_MUTANTS } from '../sim/faults.js'
import { type Report, attack } from './bot.js'
import { MUTANTS } from './faults.js'

/** Calls that every run of the tests makes; `npm run bot -- --calls N --seed S` takes any number. */
const CALLS = 20_000
/** In portions, each with a seed and a node of its own. */
const PORTION = 5_000

describe('an agent that was taken over', function () {
  // Generous: what counts is that all holds, not how fast this machine is.
  this.timeout(600_000)
  const counts = new Map<string, number>()

  for (let seed = 1; seed <= CALLS / PORTION; seed++) {
    it(`gets nothing out and runs nothing on its own in ${PORTION} calls of seed ${seed}`, async () => {
      const report = await attack({ calls: PORTION, seed })
      expect(report.fault, faultIn(report)).to.equal(undefined)
      expect(report.calls).to.equal(PORTION)
      for (const [what, times] of report.counts) counts.set(what, (counts.get(what) ?? 0) + times)
    })
  }

  it('came everywhere that the promises are about', () => {
    expect(EXPECTED.filter((what) => (counts.get(what) ?? 0) < 5)).to.deep.equal([])
  })
})

describe('the faults to plant', () => {
  it('have their places in the source', () => {
    expect(misplaced([...MUTANTS, ...SIM_MUTANTS])).to.deep.equal([])
  })
})

function faultIn({ last, replay }: Report): string {
  return `${last.join('\n')}\nreplay: ${replay}`
}

/** Answers, refusals and messages without which a run would prove nothing. */
const EXPECTED: readonly string[] = [
  'tasks.create 201',
  'tasks.create 202',
  'tasks.create 403',
  'tasks.propose 200',
  'tasks.propose 202',
  'tasks.propose 403',
  'tasks.respond 200',
  'actions.run 200',
  'actions.run 202',
  'actions.run 403',
  'envelopes.submit 202',
  'envelopes.submit 403',
  'envelopes.claim 200',
  'envelopes.complete 202',
  'task.invite under a yes',
  'task.propose under a yes',
  'task.confirm under a yes',
  'envelope.submit under a yes',
  'envelope.result under a yes',
  'owner.approvals.answer 401',
  'owner.grants.set 404',
  'refused conflict approval_mismatch',
  'refused conflict approval_expired',
  'refused bad_request undeclared_field',
  'refused bad_request unknown_member',
  'refused bad_request duplicate_key',
  'refused bad_request too_deep',
  'refused too_large'
]
