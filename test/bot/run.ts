/**
 * `npm run bot -- --calls N [--seed S] [--quiet]`: an agent that was taken over calls every route, N times. Exit code 1
 * when something that must not happen did, with the calls of that round and how to replay it.
 */
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { attack } from './bot.js'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    quiet: { type: 'boolean', default: false }
  }
})
setFlagsFromString('--expose-gc')
global.gc ??= runInNewContext('gc') as NonNullable<typeof global.gc>

const began = performance.now()
const report = await attack({
  calls: Number(values.calls),
  seed: Number(values.seed),
  onProgress: (done) => {
    if (!values.quiet && done % 1000 === 0)
      console.log(`${done} calls in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
})
if (!values.quiet)
  for (const [what, times] of [...report.counts].sort()) console.log(`${String(times).padStart(7)} ${what}`)
if (report.fault !== undefined) {
  console.log(`bot seed ${values.seed} fails: ${report.fault}`)
  for (const line of report.last) console.log(`  ${line}`)
  console.log(`replay: ${report.replay}`)
  process.exitCode = 1
}
