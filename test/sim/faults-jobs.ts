import type { Mutant } from '../support/planted-faults.js'

/** Faults to plant in paid jobs; `faults.ts` says how they are read. */
export const JOBS: readonly Mutant[] = [
  {
    name: 'a payment is sent before the other node has its promise',
    file: 'flows/job-attempts.ts',
    replace: "    if (!isSettled(own, promise.n, chainOf(tx, task).in.seq)) return 'wait'\n",
    by: "    if (!isSettled(own, promise.n, chainOf(tx, task).in.seq) && now < 0) return 'wait'\n"
  },
  {
    name: 'a transaction leaves before it is on the disk',
    file: 'flows/job-payer.ts',
    replace: '    // Stored before the first byte leaves',
    by: '    await chain.send(signed.value.bytes)\n    // Stored before the first byte leaves'
  },
  {
    name: 'a transaction is called dead while a block can still take it',
    file: 'flows/job-payer.ts',
    replace: 'if (!over || !hasPassed(clock.now(), attempt.signed.at, DEAD_AFTER)) {',
    by: 'if (!over && clock.now() < 0) {',
    also: { file: 'flows/job-payer.ts', replace: 'const CLEAN_ROUNDS = 10', by: 'const CLEAN_ROUNDS = 1' }
  },
  {
    name: 'a job whose payment is under way is looked at once',
    file: 'flows/job-attempts.ts',
    replace: '    if (pending === undefined) jobs.rest(',
    by: '    jobs.rest('
  },
  {
    name: 'nobody is told that a payment is dead',
    file: 'flows/job-endings.ts',
    replace: "if (ending.state === 'dead' && status === 'paying' &&",
    by: "if (ending.state === 'dead' && status === 'open' &&"
  }
]
