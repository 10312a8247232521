/**
 * `npm run sim:mutants`: the test of the simulator. Plants one fault at a time into a copy of `src` and expects that the
 * stories or a bounded number of seeds find it. Exits 0 when every fault was found.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MUTANTS, type Mutant } from './faults.js'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '400' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' }
  }
})
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What a copy needs beside the linked packages. */
const PARTS = ['src', 'test/sim', 'test/support', 'protocols', 'package.json', 'tsconfig.json']
/** A run of seeds that takes longer than this has hung, milliseconds. */
const RUN_DEADLINE_MS = 30 * 60_000

const chosen = MUTANTS.filter((mutant) => values.only === undefined || mutant.name.includes(values.only))
const waiting = [...chosen]
const missed: string[] = []
await Promise.all(Array.from({ length: Number(values.jobs) }, worker))
console.log(`${chosen.length - missed.length} of ${chosen.length} planted faults were found`)
for (const name of missed) console.log(`  not found: ${name}`)
process.exitCode = missed.length === 0 && chosen.length > 0 ? 0 : 1

async function worker(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'agentlink-mutants-'))
  try {
    for (const part of PARTS) cpSync(join(ROOT, part), join(place, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) await judge(place, mutant)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function judge(place: string, mutant: Mutant): Promise<void> {
  const undo = plant(place, mutant)
  if (undo === undefined) return
  const began = performance.now()
  const verdict = await run(place)
  undo()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const found = /^(seed|story) .* fails: .*$/m.exec(verdict.output)
  if (found === null) missed.push(`${mutant.name} (${verdict.code === 0 ? 'all held' : verdict.output.slice(-400)})`)
  console.log(
    `${found === null ? 'MISSED' : 'found '} ${mutant.name} in ${seconds} s: ${found?.[0].slice(0, 200) ?? ''}`
  )
}

/** Replaces one piece of source, which must be there exactly once: a fault that no longer fits counts as not found. */
function plant(place: string, mutant: Mutant): (() => void) | undefined {
  const undo: Array<() => void> = []
  for (const { file, replace, by } of [mutant, ...(mutant.also === undefined ? [] : [mutant.also])]) {
    const path = join(place, 'src', file)
    const before = readFileSync(path, 'utf8')
    const times = before.split(replace).length - 1
    if (times !== 1) {
      missed.push(`${mutant.name} (its place occurs ${times} times in ${file})`)
      undoAll(undo)
      return undefined
    }
    writeFileSync(
      path,
      before.replace(replace, () => by)
    )
    undo.push(() => writeFileSync(path, before))
  }
  return () => undoAll(undo)
}

/** The last edit first, for two may be of one file. */
function undoAll(undo: Array<() => void>): void {
  for (const step of undo.reverse()) step()
}

function run(place: string): Promise<{ code: number; output: string }> {
  const args = ['--import', 'tsx', 'test/sim/run.ts', '--stories', '--quiet', '--seeds', values.seeds]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: place, timeout: RUN_DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: stdout + stderr })
    )
  })
}
