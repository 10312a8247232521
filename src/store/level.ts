import { existsSync, readdirSync } from 'node:fs'
import { readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { StoreFailure, corruptMessage, storeFailureOf } from './failure.js'
import type { Disk, KvOp, KvRange } from './key-value.js'

/**
 * The store's disk: LevelDB in one directory, which one process holds at a time. Every write is synced, because LevelDB's
 * default write is lost on power cut. After a failed write LevelDB takes no more until it is opened again.
 */

/** Memory (and log file) that gathers writes before LevelDB sorts them into a table file, in bytes. */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024

/** Room beside the log for the files that LevelDB makes when it opens, and for the first writes, in bytes. */
const ROOM_BYTES = 1024 * 1024
/** LevelDB leaves files alone whose names it doesn't know. */
const PROBE_FILE = 'probe.tmp'
const PROBE_BYTES = 4096

/**
 * Opens the LevelDB in `dir`, which is made if it is missing.
 * Rejects with StoreFailure: `locked` (another daemon), `corrupt`, `disk_full`, `io`.
 */
export async function openLevel(dir: string): Promise<Disk> {
  // First, because a Level that has been made opens itself in the next turn, asked or not.
  refuseHeadless(dir)
  const db = new Level<string, Uint8Array>(dir, {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    writeBufferSize: WRITE_BUFFER_BYTES
  })
  await open(db, dir)
  return new LevelKeyValue(db, dir)
}

type Db = Level<string, Uint8Array>

class LevelKeyValue implements Disk {
  readonly #db: Db
  readonly #dir: string

  constructor(db: Db, dir: string) {
    this.#db = db
    this.#dir = dir
  }

  getSync(key: string): Uint8Array | undefined {
    try {
      return this.#db.getSync(key)
    } catch (error) {
      throw storeFailureOf(error)
    }
  }

  async write(ops: readonly KvOp[]): Promise<void> {
    try {
      // Chained: half the cost of an array of operations.
      const batch = this.#db.batch()
      for (const { key, value } of ops) {
        if (value === undefined) batch.del(key)
        else batch.put(key, value)
      }
      await batch.write({ sync: true })
    } catch (error) {
      throw storeFailureOf(error)
    }
  }

  async range(range: KvRange): Promise<Array<[string, Uint8Array]>> {
    try {
      return await this.#db.iterator({ ...range }).all()
    } catch (error) {
      throw storeFailureOf(error)
    }
  }

  async keys(range: KvRange): Promise<string[]> {
    try {
      return await this.#db.keys({ ...range }).all()
    } catch (error) {
      throw storeFailureOf(error)
    }
  }

  snapshot(): AsyncIterable<readonly [string, Uint8Array]> {
    // LevelDB's view is of the moment at which the iterator is made.
    return entriesOf(this.#db.iterator())
  }

  async reopen(): Promise<void> {
    // What is open can at least be read: it is given up only for one that has a chance.
    await refuseHopeless(this.#dir)
    await this.close()
    refuseHeadless(this.#dir)
    await open(this.#db, this.#dir)
  }

  async close(): Promise<void> {
    try {
      await this.#db.close()
    } catch (error) {
      throw storeFailureOf(error)
    }
  }
}

async function* entriesOf(
  iterator: AsyncIterable<[string, Uint8Array]>
): AsyncGenerator<readonly [string, Uint8Array]> {
  try {
    yield* iterator
  } catch (error) {
    throw storeFailureOf(error)
  }
}

async function open(db: Db, dir: string): Promise<void> {
  try {
    await db.open()
  } catch (error) {
    throw isLocked(error) ? lockedFailure(dir, error) : storeFailureOf(error)
  }
}

/** Opening sorts the log into a table file, so it needs room for that before it makes any. */
async function refuseHopeless(dir: string): Promise<void> {
  try {
    const logs = (await readdir(dir)).filter((name) => name.endsWith('.log'))
    const sizes = await Promise.all(logs.map(async (name) => (await stat(join(dir, name))).size))
    const needed = sizes.reduce((sum, size) => sum + size, ROOM_BYTES)
    const { bavail, bsize } = await statfs(dir)
    if (bavail * bsize < needed) {
      throw new StoreFailure('disk_full', `The disk is full: ${dir} needs ${Math.ceil(needed / 1e6)} MB to go on.`)
    }
    // A quota, a broken disk or one that was mounted read-only shows only when it is written to.
    await writeFile(join(dir, PROBE_FILE), new Uint8Array(PROBE_BYTES), { flush: true })
    await rm(join(dir, PROBE_FILE))
  } catch (error) {
    throw storeFailureOf(error)
  }
}

/** Without its CURRENT file LevelDB would quietly start an empty store beside the files of the old one. */
function refuseHeadless(dir: string): void {
  if (!existsSync(dir) || existsSync(join(dir, 'CURRENT'))) return
  const left = readdirSync(dir).find((name) => /^\d+\.(ldb|sst|log)$|^MANIFEST-(?!000001$)/.test(name))
  if (left !== undefined) {
    throw new StoreFailure('corrupt', corruptMessage(`${join(dir, 'CURRENT')} is missing, but ${left} is there`))
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && (error.cause as { code?: unknown } | undefined)?.code === 'LEVEL_LOCKED'
}

function lockedFailure(dir: string, error: unknown): StoreFailure {
  const message = `Another daemon is running on this home (${dir} is locked). Stop it first, or use another home.`
  return new StoreFailure('locked', message, error)
}
