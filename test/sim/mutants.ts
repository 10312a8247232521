/**
 * `npm run sim:mutants`: the test of the simulator. Plants one fault at a time into a copy of `src` and expects that the
 * stories or a bounded number of seeds find it. Exits 0 when every fault was found.
 */
import { parseArgs } from 'node:util'
import { hunt } from '../support/planted-faults.js'
import { MUTANTS } from './faults.js'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '400' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' }
  }
})
await hunt({
  mutants: MUTANTS,
  only: values.only,
  jobs: Number(values.jobs),
  parts: ['test/sim', 'test/support'],
  command: ['--import', 'tsx', 'test/sim/run.ts', '--stories', '--quiet', '--seeds', values.seeds],
  verdict: /^(seed|story) .* fails: .*$/m
})
