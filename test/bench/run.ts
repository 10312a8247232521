import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { table } from '../../src/clients/cli/table.js'
import { type Ask, type Counted, type SliceRequest, type SliceResult, median, spread } from './end.js'
import { measurePage } from './page.js'

/**
 * The product pair and a pair that does the bare job, both alive at once, in alternating slices: ratios mean something even
 * though the machine drifts. Then the start of a node, and its owner's page. `npm run bench -- --slices 40`.
 */

const { values: options } = parseArgs({ options: { slices: { type: 'string', default: '20' } } })
const SLICES = Number(options.slices)
/** Rounds of all cases that are not counted: they run on code that is not compiled yet, of which the product has more. */
const WARM_UPS = 4
const COMMAND = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url))

class End {
  readonly #child: ChildProcess

  constructor(file: string) {
    this.#child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: ['--import', 'tsx'] })
  }

  ask<T>(ask: Ask): Promise<T> {
    return new Promise((resolve, reject) => {
      const gone = (code: number | null): void => reject(new Error(`a bench process ended with ${String(code)}`))
      this.#child.once('exit', gone)
      this.#child.once('message', (answer: { value: T } | { error: string }) => {
        this.#child.off('exit', gone)
        if ('error' in answer) reject(new Error(answer.error))
        else resolve(answer.value)
      })
      this.#child.send(ask)
    })
  }
}

interface Measured extends SliceResult {
  readonly perSecond: number
  readonly cpuUs: number
  readonly sender: { readonly syncs: number; readonly perCommit: number }
  readonly receiver: { readonly syncs: number; readonly perCommit: number }
}

class Pair {
  readonly #sender: End
  readonly #receiver: End

  constructor(file: string) {
    this.#receiver = new End(file)
    this.#sender = new End(file)
  }

  async meet(): Promise<void> {
    const there = await this.#receiver.ask<object>({ ask: 'place' })
    const here = await this.#sender.ask<object>({ ask: 'place' })
    await this.#receiver.ask({ ask: 'meet', peer: { ...here, dial: false } })
    await this.#sender.ask({ ask: 'meet', peer: { ...there, dial: true } })
  }

  async measure(slice: SliceRequest): Promise<Measured> {
    await this.#sender.ask({ ask: 'prepare', slice })
    const before = await this.count()
    const result = await this.#sender.ask<SliceResult>({ ask: 'slice', slice })
    const after = await this.count()
    const cpuUs = after.sender.cpuUs - before.sender.cpuUs + after.receiver.cpuUs - before.receiver.cpuUs
    const side = (which: 'sender' | 'receiver'): Measured['sender'] => {
      const syncs = after[which].syncs - before[which].syncs
      return { syncs: syncs / slice.messages, perCommit: slice.messages / Math.max(1, syncs) }
    }
    return {
      ...result,
      perSecond: (slice.messages / result.ms) * 1000,
      cpuUs: cpuUs / slice.messages,
      sender: side('sender'),
      receiver: side('receiver')
    }
  }

  async count(): Promise<{ sender: Counted; receiver: Counted }> {
    return { sender: await this.#sender.ask({ ask: 'count' }), receiver: await this.#receiver.ask({ ask: 'count' }) }
  }

  async stop(): Promise<void> {
    await this.#sender.ask({ ask: 'stop' })
    await this.#receiver.ask({ ask: 'stop' })
  }
}

interface Case {
  readonly name: string
  readonly slice: SliceRequest
}

const CASES: readonly Case[] = [
  { name: 'window 256', slice: { window: 256, messages: 2000, door: 'direct' } },
  { name: 'window 32', slice: { window: 32, messages: 1000, door: 'direct' } },
  { name: 'window 1', slice: { window: 1, messages: 80, door: 'direct' } },
  { name: 'window 1, through the API', slice: { window: 1, messages: 80, door: 'api' } }
]

async function measureCase(product: Pair, ceiling: Pair, { name, slice }: Case): Promise<string[]> {
  const ours: Measured[] = []
  const bare: Measured[] = []
  for (let i = 0; i < SLICES; i++) {
    process.stderr.write(`\r${name}: slice ${i + 1} of ${SLICES}   `)
    ours.push(await product.measure(slice))
    bare.push(await ceiling.measure({ ...slice, door: 'direct' }))
  }
  process.stderr.write('\r\u001b[K')
  const ratios = (of: (one: Measured) => number): number[] => ours.map((one, i) => of(one) / of(bare[i] as Measured))
  const of = (list: readonly Measured[], what: (one: Measured) => number): number => median(list.map(what))
  return [
    name,
    `${of(ours, (one) => one.perSecond).toFixed(0)} / ${of(bare, (one) => one.perSecond).toFixed(0)}`,
    spread(ratios((one) => one.perSecond)),
    `${of(ours, (one) => one.p50).toFixed(2)} / ${of(bare, (one) => one.p50).toFixed(2)}`,
    spread(ratios((one) => one.p50)),
    `${of(ours, (one) => one.cpuUs).toFixed(0)} / ${of(bare, (one) => one.cpuUs).toFixed(0)}`,
    spread(ratios((one) => one.cpuUs)),
    `${of(ours, (one) => one.sender.syncs).toFixed(2)} + ${of(ours, (one) => one.receiver.syncs).toFixed(2)}`,
    `${of(ours, (one) => one.sender.perCommit).toFixed(1)} + ${of(ours, (one) => one.receiver.perCommit).toFixed(1)}`
  ]
}

/** From the start of the process to its ready line, and what it holds in memory when idle. */
async function measureStart(): Promise<{ readyMs: number; idleMb: number }> {
  const home = mkdtempSync(join(tmpdir(), 'agentlink-bench-home-'))
  await promisify(execFile)(process.execPath, [COMMAND, 'init', '--home', home])
  const begun = performance.now()
  const args = [COMMAND, 'start', '--home', home, '--listen', '/ip4/127.0.0.1/tcp/0']
  const daemon = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise((resolve) => createInterface({ input: daemon.stdout }).once('line', resolve))
  const readyMs = performance.now() - begun
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8')
  const ended = new Promise((resolve) => daemon.once('exit', resolve))
  daemon.kill('SIGTERM')
  await ended
  rmSync(home, { recursive: true, force: true })
  return { readyMs, idleMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024 }
}

const product = new Pair('./product-end.ts')
const ceiling = new Pair('./ceiling-end.ts')
await Promise.all([product.meet(), ceiling.meet()])
for (let round = 0; round < WARM_UPS; round++) {
  for (const { slice } of CASES) {
    await product.measure(slice)
    await ceiling.measure({ ...slice, door: 'direct' })
  }
}
const HEADINGS = [
  '',
  'messages/s',
  'ratio',
  'p50 ms',
  'ratio',
  'CPU us/message',
  'ratio',
  'syncs/message',
  'messages/commit'
]
const rows: string[][] = []
for (const one of CASES) rows.push(await measureCase(product, ceiling, one))
const memory = await product.count()
await Promise.all([product.stop(), ceiling.stop()])

const starts: Array<{ readyMs: number; idleMb: number }> = []
for (let i = 0; i < 5; i++) starts.push(await measureStart())
const page = await measurePage()

console.log(`product / bare job, ${SLICES} slices each, medians and [10th..90th percentile] of slice ratios`)
console.log(`node ${process.version}, ${cpus().length} cores; syncs and commits: sender + receiver`)
console.log(table(HEADINGS, rows))
console.log(
  `start to ready: ${spread(
    starts.map((one) => one.readyMs),
    0
  )} ms`
)
console.log(
  `idle memory: ${spread(
    starts.map((one) => one.idleMb),
    0
  )} MB`
)
console.log(
  `memory after the load: sender ${memory.sender.rssMb.toFixed(0)} MB, receiver ${memory.receiver.rssMb.toFixed(0)} MB`
)
console.log(page)
