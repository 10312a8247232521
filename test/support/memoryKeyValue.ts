import { StoreFailure } from '../../src/store/failure.js'
import type { KeyValue, KvOp, KvRange } from '../../src/store/key-value.js'

/**
 * A disk in memory with the crash semantics of a synced LevelDB: a batch takes effect as a whole when it is synced, which
 * `schedule` decides; a crash forgets what was not synced, except by chance. The disk outlives the key-value opened on it.
 */
export interface MemoryDiskOptions {
  /** Calls `finish` when a write has reached the disk. Default: in a later microtask. */
  readonly schedule?: (finish: () => void) => void
  /** Whether a batch that was under way when the crash came is on disk after all. Default: never. */
  readonly survives?: () => boolean
}

interface PendingWrite {
  readonly ops: readonly KvOp[]
  readonly resolve: () => void
  readonly reject: (failure: StoreFailure) => void
}

export class MemoryDisk {
  readonly #options: MemoryDiskOptions
  readonly #synced = new Map<string, Uint8Array>()
  #pending: PendingWrite[] = []
  #opened = 0
  #fault: ((what: 'write' | 'reopen') => StoreFailure | undefined) | undefined
  /** Batches that took effect. */
  writes = 0

  constructor(options: MemoryDiskOptions = {}) {
    this.#options = options
  }

  /** Opens the disk; what was opened before is dead: it reads nothing and its writes never end. */
  open(): KeyValue {
    return new MemoryKeyValue(this, ++this.#opened)
  }

  /** The process is gone: what was opened is dead, and writes under way are lost or not, oldest first. */
  crash(): void {
    const pending = this.#pending
    this.#pending = []
    this.#opened++
    for (const { ops } of pending) {
      if (this.#options.survives?.() !== true) return
      this.#apply(ops)
    }
  }

  /**
   * From now on every write and reopening asks `fault` whether it fails, and how. Like LevelDB, what is open takes no write
   * after a failed one until it is reopened. `undefined` heals the disk.
   */
  failWith(fault: ((what: 'write' | 'reopen') => StoreFailure | undefined) | undefined): void {
    this.#fault = fault
  }

  /** The synced records, in key order; those below `lt` from `gte` on, if it is said. */
  contents({ gte, lt }: Partial<Pick<KvRange, 'gte' | 'lt'>> = {}): Array<[string, Uint8Array]> {
    const inside = (key: string): boolean =>
      (gte === undefined || compareBytes(key, gte) >= 0) && (lt === undefined || compareBytes(key, lt) < 0)
    return [...this.#synced].filter(([key]) => inside(key)).sort(([a], [b]) => compareBytes(a, b))
  }

  /** Changes a record behind the back of whoever has the disk open: what a bad disk does. */
  tamper(key: string, value: Uint8Array | undefined): void {
    this.#apply([{ key, value }])
  }

  isOpen(generation: number): boolean {
    return generation === this.#opened
  }

  get(key: string): Uint8Array | undefined {
    const value = this.#synced.get(key)
    return value === undefined ? undefined : Uint8Array.from(value)
  }

  fault(what: 'write' | 'reopen'): StoreFailure | undefined {
    return this.#fault?.(what)
  }

  write(generation: number, ops: readonly KvOp[]): Promise<void> {
    const own = ops.map(({ key, value }) => ({ key, value: value === undefined ? undefined : Uint8Array.from(value) }))
    return new Promise((resolve, reject) => {
      const write: PendingWrite = { ops: own, resolve, reject }
      this.#pending.push(write)
      const schedule = this.#options.schedule ?? queueMicrotask
      schedule(() => this.#finish(generation, write))
    })
  }

  #finish(generation: number, write: PendingWrite): void {
    if (!this.isOpen(generation)) return
    this.#pending = this.#pending.filter((other) => other !== write)
    const failure = this.fault('write')
    if (failure !== undefined) {
      write.reject(failure)
      return
    }
    this.#apply(write.ops)
    write.resolve()
  }

  #apply(ops: readonly KvOp[]): void {
    this.writes++
    for (const { key, value } of ops) {
      if (value === undefined) this.#synced.delete(key)
      else this.#synced.set(key, value)
    }
  }
}

class MemoryKeyValue implements KeyValue {
  readonly #disk: MemoryDisk
  readonly #generation: number
  #state: 'open' | 'readonly' | 'closed' = 'open'

  constructor(disk: MemoryDisk, generation: number) {
    this.#disk = disk
    this.#generation = generation
  }

  getSync(key: string): Uint8Array | undefined {
    this.#mustBeOpen()
    return this.#disk.get(key)
  }

  async write(ops: readonly KvOp[]): Promise<void> {
    this.#mustBeOpen()
    if (this.#state === 'readonly') throw new StoreFailure('io', 'no write after a failed one')
    try {
      await this.#disk.write(this.#generation, ops)
    } catch (error) {
      this.#state = 'readonly'
      throw error
    }
  }

  async range(range: KvRange): Promise<Array<[string, Uint8Array]>> {
    this.#mustBeOpen()
    await Promise.resolve()
    const found = this.#disk.contents(range)
    if (range.reverse === true) found.reverse()
    return found.slice(0, range.limit).map(([key, value]) => [key, Uint8Array.from(value)])
  }

  async keys(range: KvRange): Promise<string[]> {
    return (await this.range(range)).map(([key]) => key)
  }

  async reopen(): Promise<void> {
    await Promise.resolve()
    const failure = this.#disk.fault('reopen')
    this.#state = failure === undefined ? 'open' : 'closed'
    if (failure !== undefined) throw failure
  }

  async close(): Promise<void> {
    await Promise.resolve()
    this.#state = 'closed'
  }

  #mustBeOpen(): void {
    if (this.#state === 'closed' || !this.#disk.isOpen(this.#generation)) {
      throw new StoreFailure('io', 'the disk is not open')
    }
  }
}

function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
