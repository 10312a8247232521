/** `npm run executed -- --runs N [--seed S]`: lives of questions from a seed on; exit code 1 and a replay at the first fault. */
import { parseArgs } from 'node:util'
import { playLives } from './executed.js'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } }
})
const { fault, runs, seed, counts } = await playLives(Number(values.runs), Number(values.seed))
for (const [kind, times] of [...counts].sort()) console.log(`${String(times).padStart(7)} ${kind} under a yes`)
console.log(fault === undefined ? `${runs} lives hold` : `seed ${seed} fails: ${fault}`)
if (fault !== undefined) {
  console.log(`replay: npm run executed -- --runs 1 --seed ${seed}`)
  process.exitCode = 1
}
