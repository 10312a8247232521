import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { StoreFailure, corruptMessage, storeFailureOf } from './failure.js'
import type { KeyValue, KvOp, KvRange } from './key-value.js'

/**
 * The store's disk: LevelDB in one directory, which one process holds at a time. Every write is synced, because LevelDB's
 * default write is lost on power cut. After a failed write LevelDB takes no more until it is opened again.
 */

/** Memory (and log file) that gathers writes before LevelDB sorts them into a table file, in bytes. */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024

/**
 * Opens the LevelDB in `dir`, which is made if it is missing.
 * Rejects with StoreFailure: `locked` (another daemon), `corrupt`, `disk_full`, `io`.
 */
export async function openLevel(dir: string): Promise<KeyValue> {
  const db = new Level<string, Uint8Array>(dir, {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    writeBufferSize: WRITE_BUFFER_BYTES
  })
  await open(db, dir)
  return new LevelKeyValue(db, dir)
}

type Db = Level<string, Uint8Array>

class LevelKeyValue implements KeyValue {
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

  async reopen(): Promise<void> {
    await this.close()
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

async function open(db: Db, dir: string): Promise<void> {
  refuseHeadless(dir)
  try {
    await db.open()
  } catch (error) {
    throw isLocked(error) ? lockedFailure(dir, error) : openFailure(dir, error)
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

/** A file that LevelDB lists and can't read or find is damage, whatever it calls it. */
function openFailure(dir: string, error: unknown): StoreFailure {
  const failure = storeFailureOf(error)
  const lost = /no such file|missing files|not a file|is not an sstable/i.test(failure.message) && existsSync(dir)
  return lost ? new StoreFailure('corrupt', corruptMessage(failure.message), error) : failure
}
