import type { Clock, RangeOptions, Step, Store, Tx } from '../flows/ports.js'
import type { TableName, Tables } from '../flows/records/tables.js'
import type { Batch, Change } from './batch.js'
import { StoreFailure, storeFailureOf } from './failure.js'
import { freezeRecord } from './freeze.js'
import { GroupCommit } from './group-commit.js'
import type { KeyValue, KvOp } from './key-value.js'
import { kvRangeOf } from './ranges.js'
import { Recent } from './recent.js'
import { Recovery } from './recovery.js'
import { type Memory, StepTx } from './step.js'
import { TABLES, decodeAt, keyAt, placeOf } from './tables.js'

/**
 * The node's memory over a key-value disk: synchronous steps, staged in memory, share synced batches (group commit).
 *
 * When a write fails, every step that is not on disk yet is rejected and forgotten, and the store is `failed` until the
 * disk takes writes again. A rejected step may still turn out to be on disk, as a whole, once the store has recovered:
 * a disk that failed to sync doesn't say what it kept. Steps read that state then; nobody was told that it was lost.
 */
export interface StoreOptions {
  readonly clock: Pick<Clock, 'wake' | 'defer'>
  /** Steps in one batch; 64 is where a larger one gains little and waits longer. */
  readonly maxBatch?: number
  /** How long a lazy step, or a batch for which more work is at hand, waits at most, in milliseconds. */
  readonly lazyMs?: number
  /** Whether steps are about to come that had better share the batch. Whoever says so calls `kick` when they came. */
  readonly moreAtHand?: () => boolean
  /** Pauses between the attempts to bring a failed disk back, in milliseconds. */
  readonly retry?: { readonly firstMs: number; readonly maxMs: number }
  /** Memory for decoded values, measured by the bytes of their stored form. */
  readonly cacheBytes?: number
  /** `frozen` (tests): whoever changes a record, or puts what JSON would not give back, gets a TypeError. */
  readonly records?: 'shared' | 'frozen'
  /** Told whenever the state changes; `failure` says why it failed. */
  readonly onState?: (state: StoreState, failure?: StoreFailure) => void
}

export type StoreState = 'open' | 'failed' | 'closed'

/** Counters since the start. */
interface StoreStats {
  /** Synced batches. */
  readonly syncs: number
  /** Steps in them. */
  readonly steps: number
  /** Records written or deleted by them. */
  readonly ops: number
}

/** `get` and `range` work in a failed store as well: what is committed can still be read when the disk is full. */
export interface DurableStore extends Store {
  /** Work that was at hand has run out: a batch that waited for it may start. */
  kick(): void
  state(): StoreState
  stats(): StoreStats
  /** Writes what is staged, and lets go of the disk. Rejects with StoreFailure when that write failed. */
  close(): Promise<void>
}

const DEFAULTS = { maxBatch: 64, lazyMs: 20, cacheBytes: 8 * 1024 * 1024, retry: { firstMs: 250, maxMs: 15_000 } }

const ON_DISK = Promise.resolve()

/** The store over `kv`. `transact` and `transactLazily` throw StoreFailure while it is failed or closed. */
export function createStore(kv: KeyValue, options: StoreOptions): DurableStore {
  return new GroupedStore(kv, options)
}

class GroupedStore implements DurableStore {
  readonly #kv: KeyValue
  readonly #commit: GroupCommit
  readonly #recovery: Recovery
  readonly #recent: Recent
  readonly #memory: Memory
  readonly #onState: NonNullable<StoreOptions['onState']>
  /** The newest staged change of each record that is not on disk yet. */
  readonly #staged = new Map<string, Change>()
  readonly #stats = { syncs: 0, steps: 0, ops: 0 }
  #failure: StoreFailure | undefined
  #closing: Promise<void> | undefined
  #stepRuns = false

  constructor(kv: KeyValue, options: StoreOptions) {
    const { clock, maxBatch = DEFAULTS.maxBatch, lazyMs = DEFAULTS.lazyMs, moreAtHand = () => false } = options
    this.#kv = kv
    this.#onState = options.onState ?? (() => undefined)
    this.#recent = new Recent(options.cacheBytes ?? DEFAULTS.cacheBytes)
    this.#commit = new GroupCommit((batch) => this.#write(batch), { clock, maxBatch, lingerMs: lazyMs, moreAtHand })
    this.#recovery = new Recovery(kv, {
      clock,
      retry: options.retry ?? DEFAULTS.retry,
      onRecovered: () => this.#recovered(),
      onStillFailing: (failure) => (this.#failure = failure)
    })
    this.#memory = {
      staged: (place) => this.#staged.get(place),
      committed: (table, key, place) => this.#committed(table, key, place),
      share: options.records === 'frozen' ? freezeRecord : (value) => value
    }
  }

  transact<T>(step: (tx: Tx) => T): Step<T> {
    return this.#transact(step, 'now')
  }

  transactLazily<T>(step: (tx: Tx) => T): Step<T> {
    return this.#transact(step, 'lazily')
  }

  get<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    const place = placeOf(table, key)
    const staged = this.#staged.get(place)
    return staged === undefined ? this.#committed(table, key, place) : (staged.value as Tables[T] | undefined)
  }

  async range<T extends TableName>(table: T, options: RangeOptions): Promise<Array<[string, Tables[T]]>> {
    if (this.#failure === undefined) await this.durable()
    const found = await this.#kv.range(kvRangeOf(table, options))
    return found.map(([place, bytes]) => {
      const key = keyAt(table, place)
      return [key, this.#memory.share(decodeAt(table, key, bytes))]
    })
  }

  durable(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const newest = this.#commit.newest()
    if (newest === undefined) return ON_DISK
    this.#commit.want(newest)
    return newest.done
  }

  kick(): void {
    this.#commit.kick()
  }

  state(): StoreState {
    if (this.#closing !== undefined) return 'closed'
    return this.#failure === undefined ? 'open' : 'failed'
  }

  stats(): StoreStats {
    return { ...this.#stats }
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#closing = this.#close()
      this.#onState('closed')
    }
    return this.#closing
  }

  #transact<T>(step: (tx: Tx) => T, urgency: Urgency): Step<T> {
    if (this.#closing !== undefined) throw new StoreFailure('closed', 'The store is closed.')
    if (this.#failure !== undefined) throw this.#failure
    if (this.#stepRuns) throw new Error('a step must not start another')
    const tx = new StepTx(this.#memory)
    const value = this.#run(step, tx)
    return { value, durable: tx.changes.size === 0 ? this.#durableRead(tx, urgency) : this.#stage(tx, urgency) }
  }

  #run<T>(step: (tx: Tx) => T, tx: StepTx): T {
    this.#stepRuns = true
    try {
      return step(tx)
    } finally {
      this.#stepRuns = false
      tx.end()
    }
  }

  #stage(tx: StepTx, urgency: Urgency): Promise<void> {
    const batch = this.#commit.gathering()
    for (const { place, table, value } of tx.changes) {
      const change: Change = { table, value, batch }
      batch.changes.set(place, change)
      this.#staged.set(place, change)
    }
    batch.steps++
    if (urgency === 'now') this.#commit.want(batch)
    else this.#commit.kick()
    return batch.done
  }

  /** A step that wrote nothing rests on what it read, which may still be on its way. */
  #durableRead(tx: StepTx, urgency: Urgency): Promise<void> {
    if (tx.newestRead === undefined) return ON_DISK
    if (urgency === 'now') this.#commit.want(tx.newestRead)
    return tx.newestRead.done
  }

  #committed<T extends TableName>(table: T, key: string, place: string): Tables[T] | undefined {
    const recent = this.#recent.find(place)
    if (recent !== undefined) return recent.value as Tables[T] | undefined
    const bytes = this.#kv.getSync(place)
    const value = bytes === undefined ? undefined : this.#memory.share(decodeAt(table, key, bytes))
    this.#remember(table, place, value, bytes?.byteLength ?? 0)
    return value
  }

  #remember(table: TableName, place: string, value: unknown, bytes: number): void {
    if (TABLES[table].reads === 'seldom') return
    this.#recent.set(place, value instanceof Uint8Array ? compact(value) : value, bytes)
  }

  async #write(batch: Batch): Promise<void> {
    try {
      const ops = opsOf(batch)
      await this.#kv.write(ops)
      this.#written(batch, ops)
    } catch (error) {
      this.#fail(storeFailureOf(error))
    }
  }

  #written(batch: Batch, ops: readonly KvOp[]): void {
    this.#recovery.proved()
    this.#stats.syncs++
    this.#stats.steps += batch.steps
    this.#stats.ops += ops.length
    let at = 0
    batch.changes.forEach((change, place) => {
      const bytes = ops[at++]?.value
      if (this.#staged.get(place) === change) this.#staged.delete(place)
      this.#remember(change.table, place, change.value, bytes?.byteLength ?? 0)
    })
  }

  #fail(failure: StoreFailure): void {
    this.#failure = failure
    this.#staged.clear()
    this.#commit.drop(failure)
    if (this.#closing !== undefined) return
    this.#onState('failed', failure)
    this.#recovery.begin()
  }

  #recovered(): void {
    // What was read meanwhile may lack the failed batch, which is perhaps on disk after all.
    this.#recent.clear()
    this.#failure = undefined
    if (this.#closing === undefined) this.#onState('open')
  }

  async #close(): Promise<void> {
    try {
      if (this.#failure === undefined) await this.durable()
    } finally {
      await this.#recovery.stop()
      await this.#kv.close()
    }
  }
}

type Urgency = 'now' | 'lazily'

function opsOf(batch: Batch): KvOp[] {
  const ops: KvOp[] = []
  batch.changes.forEach(({ table, value }, key) => {
    ops.push({ key, value: value === undefined ? undefined : encode(table, value) })
  })
  return ops
}

function encode(table: TableName, value: unknown): Uint8Array {
  const codec: { encode(value: never): Uint8Array } = TABLES[table]
  return codec.encode(value as never)
}

/** Bytes of their own: a view would keep the whole network buffer, which it was cut from, in memory. */
function compact(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
}
