/**
 * `npm run bot:mutants`: the test of the bot. Plants one fault at a time into a copy of `src` and expects that a bounded
 * number of calls finds it. Exits 0 when every fault was found.
 */
import { parseArgs } from 'node:util'
import { hunt } from '../support/planted-faults.js'
import { MUTANTS } from './faults.js'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '20000' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' }
  }
})
await hunt({
  mutants: MUTANTS,
  only: values.only,
  jobs: Number(values.jobs),
  parts: ['test/bot', 'test/flows', 'test/sim', 'test/support', 'test/tasks'],
  command: ['--import', 'tsx', 'test/bot/run.ts', '--quiet', '--calls', values.calls],
  verdict: /^bot seed \d+ fails: .*$/m
})
