import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentId } from '../../src/base/ids.js'
import { inboxKey, seqKey } from '../../src/flows/keys.js'
import { StoreFailure } from '../../src/store/failure.js'
import { createClock } from '../../src/node/clock.js'
import { openLevel } from '../../src/store/level.js'
import { type DurableStore, createStore } from '../../src/store/store.js'

/**
 * Fills a small disk to the brim, frees space, and says what became of the store: prints one FillReport as JSON.
 *
 *     node filler.js DIR     DIR is on a file system of a few megabytes
 */
export interface FillReport {
  /** Code of the failure that the full disk gave. */
  readonly code: string
  /** Code that a step got while the disk was full. */
  readonly refused: string
  readonly readableWhileFull: boolean
  /** Steps that were durable before. */
  readonly durable: number
  /** Of these, how many were not there afterwards, at first and after a restart. */
  readonly lost: number
  readonly lostAfterRestart: number
  /** Steps of which a part was there. */
  readonly torn: number
  /** Whether steps were durable again after space was freed, without a restart. */
  readonly recovered: boolean
}

const ALICE = 'al1alice' as AgentId
const BOB = 'al1bob' as AgentId
/** Set aside and freed later: enough for LevelDB to sort a full log into tables. */
const BALLAST_SHARE = 0.6
const MESSAGE_BYTES = 4000

const clock = createClock()

async function run(dir: string): Promise<FillReport> {
  const { bsize, bavail } = statfsSync(dir)
  const ballast = join(dir, 'ballast')
  writeFileSync(ballast, Buffer.alloc(Math.floor(bsize * bavail * BALLAST_SHARE), 1))
  let store = await start(dir)
  const durable: number[] = []
  const code = await fill(store, durable)
  // Time for several attempts to reopen a disk that is still full: none of them may do harm.
  await pause(1500)
  const refused = refusalOf(store)
  const readableWhileFull = isThere(store, 1) === 'whole'
  rmSync(ballast)
  const recovered = await waitUntilOpen(store)
  const lost = durable.filter((n) => isThere(store, n) !== 'whole').length
  const torn = await tornIn(store)
  const next = (durable.at(-1) ?? 0) + 1000
  await step(store, next).durable
  await store.close()
  store = await start(dir)
  const lostAfterRestart = [...durable, next].filter((n) => isThere(store, n) !== 'whole').length
  await store.close()
  return { code, refused, readableWhileFull, durable: durable.length, lost, lostAfterRestart, torn, recovered }
}

async function start(dir: string): Promise<DurableStore> {
  return createStore(await openLevel(join(dir, 'store')), { clock, cacheBytes: 0, retry: { firstMs: 100, maxMs: 400 } })
}

/** Two records of one number. The bytes are random, so that compression makes no room. */
function step(store: DurableStore, n: number): { readonly durable: Promise<void> } {
  return store.transact((tx) => {
    tx.put('received', seqKey(ALICE, BOB, n), new Uint8Array(randomBytes(MESSAGE_BYTES)))
    tx.put('inbox', inboxKey(ALICE, n), { cursor: n, kind: 'x', from: BOB, at: n })
  })
}

async function fill(store: DurableStore, durable: number[]): Promise<string> {
  for (let n = 1; ; n += 8) {
    const burst = Array.from({ length: 8 }, (_, i) => step(store, n + i).durable.then(() => durable.push(n + i)))
    const failed = (await Promise.allSettled(burst)).find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) return failed.reason instanceof StoreFailure ? failed.reason.code : String(failed.reason)
  }
}

function refusalOf(store: DurableStore): string {
  try {
    step(store, 1)
    return 'none'
  } catch (error) {
    return error instanceof StoreFailure ? error.code : String(error)
  }
}

function isThere(store: DurableStore, n: number): 'whole' | 'torn' | 'gone' {
  const parts = [
    store.get('received', seqKey(ALICE, BOB, n))?.byteLength,
    store.get('inbox', inboxKey(ALICE, n))?.cursor
  ]
  if (parts[0] === MESSAGE_BYTES && parts[1] === n) return 'whole'
  return parts[0] === undefined && parts[1] === undefined ? 'gone' : 'torn'
}

async function tornIn(store: DurableStore): Promise<number> {
  const numbers = [
    ...(await store.range('received', { prefix: '' })),
    ...(await store.range('inbox', { prefix: '' }))
  ].map(([key]) => Number(key.slice(-12)))
  return [...new Set(numbers)].filter((n) => isThere(store, n) === 'torn').length
}

async function waitUntilOpen(store: DurableStore): Promise<boolean> {
  for (let i = 0; i < 200 && store.state() !== 'open'; i++) await pause(50)
  return store.state() === 'open'
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const [, script, dir] = process.argv
if (script?.endsWith('filler.js') === true && dir !== undefined) process.stdout.write(JSON.stringify(await run(dir)))
