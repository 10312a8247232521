import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

/** The built program, as `npm run build` leaves it; real processes start several times faster without a loader. */
const PROGRAM = 'dist/node/main.js'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const running = new Set<ChildProcessWithoutNullStreams>()

/** Ends whatever a failed test left running; it would keep the test run from ending. */
export async function endAll(): Promise<void> {
  const closed = [...running].map((child) => once(child, 'close'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(closed)
}

/** Runs one command to its end. */
export async function agentlink(words: readonly string[], stdin = ''): Promise<Ended> {
  const child = started(words)
  child.stdin.end(stdin)
  return ended(child)
}

/** Runs one command that must work, and reads its `--json` answer. */
export async function answer<T>(words: readonly string[], stdin = ''): Promise<T> {
  const { code, out, err } = await agentlink([...words, '--json'], stdin)
  if (code !== 0) throw new Error(`agentlink ${words.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out) as T
}

/** A node in the foreground, once it has said that it is ready. */
export interface Foreground {
  readonly pid: number
  readonly firstLine: string
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

export async function foreground(words: readonly string[]): Promise<Foreground> {
  const child = started(words)
  const end = ended(child)
  const ready = once(child.stdout, 'data') as Promise<[string]>
  const first = await Promise.race([ready.then(([text]) => text), end])
  if (typeof first !== 'string') throw new Error(`it ended with ${first.code}: ${first.err}`)
  return { pid: child.pid ?? 0, firstLine: first.trimEnd(), kill: (signal) => child.kill(signal), ended: end }
}

export function started(words: readonly string[]): ChildProcessWithoutNullStreams {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: npm run build`)
  // Whatever the tests are run with, a loader say, is not for the program: it trebles the time of a start.
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: { ...process.env, NODE_OPTIONS: '' } })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  return child
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout.on('data', (text: string) => (out += text))
  child.stderr.on('data', (text: string) => (err += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** Asks until the answer passes, for as long as `patienceMs`; then the last answer is in the error. */
export async function until<T>(ask: () => Promise<T>, passes: (answer: T) => boolean, patienceMs = 15_000): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    const last = await ask()
    if (passes(last)) return last
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(last)} after ${patienceMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
