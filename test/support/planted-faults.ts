/** Plants faults into a copy of `src`, one at a time, and sees whether a command of ours finds each of them. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Mutant extends Edit {
  readonly name: string
  /** The second place of a rule that is kept in two: one alone changes nothing, because the other still holds. */
  readonly also?: Edit
}

interface Edit {
  /** Below `src/`. */
  readonly file: string
  /** A piece of that file that occurs exactly once. */
  readonly replace: string
  readonly by: string
}

export interface Hunt {
  readonly mutants: readonly Mutant[]
  /** Only those whose name has this in it. */
  readonly only: string | undefined
  readonly jobs: number
  /** What the copy needs beside `src`, `protocols` and the linked packages. */
  readonly parts: readonly string[]
  /** Arguments of Node: the command that has to fail. */
  readonly command: readonly string[]
  /** The line by which it says what it found. */
  readonly verdict: RegExp
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PARTS = ['src', 'protocols', 'package.json', 'tsconfig.json']
/** A run that takes longer than this has hung, milliseconds. */
const RUN_DEADLINE_MS = 30 * 60_000

/** Prints each fault and by what it was found; sets the exit code to 1 when one was not. */
export async function hunt({ mutants, only, jobs, parts, command, verdict }: Hunt): Promise<void> {
  const chosen = mutants.filter((mutant) => only === undefined || mutant.name.includes(only))
  const waiting = [...chosen]
  const missed: string[] = []
  await Promise.all(Array.from({ length: jobs }, worker))
  console.log(`${chosen.length - missed.length} of ${chosen.length} planted faults were found`)
  for (const name of missed) console.log(`  not found: ${name}`)
  process.exitCode = missed.length === 0 && chosen.length > 0 ? 0 : 1

  async function worker(): Promise<void> {
    const place = mkdtempSync(join(tmpdir(), 'agentlink-mutants-'))
    try {
      for (const part of [...PARTS, ...parts]) cpSync(join(ROOT, part), join(place, part), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) await judge(place, mutant)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }

  async function judge(place: string, mutant: Mutant): Promise<void> {
    const planted = plant(join(place, 'src'), mutant)
    if (typeof planted === 'string') return void missed.push(planted)
    const began = performance.now()
    const { code, output } = await run(place, command)
    planted()
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    const found = verdict.exec(output)
    if (found === null) missed.push(`${mutant.name} (${code === 0 ? 'all held' : output.slice(-400)})`)
    console.log(
      `${found === null ? 'MISSED' : 'found '} ${mutant.name} in ${seconds} s: ${found?.[0].slice(0, 200) ?? ''}`
    )
  }
}

/** The faults whose places do not occur exactly once: they would be planted nowhere. */
export function misplaced(mutants: readonly Mutant[]): string[] {
  return mutants.flatMap((mutant) =>
    editsOf(mutant).flatMap(
      ({ file, replace }) => misfit(mutant, file, readFileSync(join(ROOT, 'src', file), 'utf8'), replace) ?? []
    )
  )
}

/** Replaces one piece of source, or two; a fault that no longer fits is told by a line. Answers what undoes it. */
function plant(src: string, mutant: Mutant): (() => void) | string {
  const undo: Array<() => void> = []
  for (const { file, replace, by } of editsOf(mutant)) {
    const path = join(src, file)
    const before = readFileSync(path, 'utf8')
    const fault = misfit(mutant, file, before, replace)
    if (fault !== undefined) {
      undoAll(undo)
      return fault
    }
    writeFileSync(
      path,
      before.replace(replace, () => by)
    )
    undo.push(() => writeFileSync(path, before))
  }
  return () => undoAll(undo)
}

function editsOf(mutant: Mutant): readonly Edit[] {
  return mutant.also === undefined ? [mutant] : [mutant, mutant.also]
}

function misfit({ name }: Mutant, file: string, text: string, piece: string): string | undefined {
  const times = text.split(piece).length - 1
  return times === 1 ? undefined : `${name} (its place occurs ${times} times in ${file})`
}

/** The last edit first, for two may be of one file. */
function undoAll(undo: Array<() => void>): void {
  for (const step of undo.reverse()) step()
}

function run(place: string, command: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { cwd: place, timeout: RUN_DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: stdout + stderr })
    )
  })
}
