/**
 * `npm run sim -- --seeds N [--seed S] [--nodes n] [--stories] [--print]`: runs seeds S, S+1, … (and before them the
 * stories) and stops at the first that fails, with exit code 1 and how to replay it.
 */
import { parseArgs } from 'node:util'
import { STORIES, playStory } from './stories.js'
import { type Outcome, runSeed } from './world.js'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string' },
    stories: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false }
  }
})
const first = Number(values.seed)
const seeds = Number(values.seeds)
const nodes = values.nodes === undefined ? {} : { nodes: Number(values.nodes) }
const print = values.print ? { print: (line: string) => console.log(line) } : {}

// A promise that nobody waits for must not fail unseen.
process.on('unhandledRejection', (reason) => {
  console.log(`seed ${seed} fails: unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`)
  process.exit(1)
})

const totals = new Map<string, number>()
const began = performance.now()
let events = 0
let seed = first
if (values.stories) await tellStories()
for (; seed < first + seeds; seed++) {
  const outcome = await runSeed({ seed, ...nodes, ...print })
  events += outcome.events
  for (const [name, count] of outcome.counts) totals.set(name, (totals.get(name) ?? 0) + count)
  if (outcome.failure !== undefined) {
    await explain(outcome)
    process.exit(1)
  }
  const done = seed - first + 1
  if (!values.quiet && (done % 100 === 0 || done === seeds)) progress(done)
}
if (!values.quiet) for (const [name, count] of [...totals].sort()) console.log(`${String(count).padStart(8)} ${name}`)

async function tellStories(): Promise<void> {
  for (const name of Object.keys(STORIES)) {
    const faults = await playStory(name)
    if (faults.length === 0) continue
    console.log(`story "${name}" fails: ${faults.join('; ')}`)
    process.exit(1)
  }
}

function progress(done: number): void {
  const seconds = (performance.now() - began) / 1000
  console.log(`${done} seeds hold, ${(done / seconds).toFixed(1)} seeds/s, ${Math.round(events / done)} events each`)
}

/** A failing seed is run again: the same hash says that the report can be trusted. */
async function explain(outcome: Outcome): Promise<void> {
  const again = await runSeed({ seed: outcome.seed, ...nodes })
  console.log(`seed ${outcome.seed} fails: ${outcome.failure ?? ''}`)
  console.log(
    `trace ${outcome.hash}, ${outcome.events} events; run again: ${again.hash === outcome.hash ? 'the same' : 'ANOTHER'}`
  )
  if (!values.quiet) for (const line of outcome.tail.slice(-60)) console.log(`  ${line.slice(0, 400)}`)
  const size = values.nodes === undefined ? '' : ` --nodes ${values.nodes}`
  console.log(`replay: npm run sim -- --seeds 1 --seed ${outcome.seed}${size} --print`)
}
