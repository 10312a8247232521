/**
 * A node's disk: what was synced stays, what was being written when the node crashed is there as a whole or not at all.
 * Writes complete as scheduled events. Implements the store's `KeyValue`; one incarnation of the node opens it at a time.
 */
import { StoreFailure } from '../../src/store/failure.js'
import type { KeyValue, KvOp, KvRange } from '../../src/store/key-value.js'
import type { Prng } from './prng.js'
import type { Scheduler } from './scheduler.js'

/** Share of interrupted writes that reached the platter although nobody was told. */
const LANDED = 0.5
/** A synced write takes this long at the most, in milliseconds. */
const SLOWEST_MS = 12

export interface Disk {
  /** A fresh handle; the former one becomes inert, as if its process had been killed. */
  open(): KeyValue
  /** Kills the handle: a write under way is lost or lands, by chance. */
  crash(): void
  /** Whether a key is on the platter now. */
  has(key: string): boolean
  /** The synced value of a key. */
  read(key: string): Uint8Array | undefined
  /** Synced keys with a prefix, in order, with their values. */
  entries(prefix: string): Array<[string, Uint8Array]>
  /** From now on writes are refused with `disk_full`, until it is called with `false`. */
  setFull(full: boolean): void
  /** A copy of what is synced, to come back to as a backup. */
  backup(): ReadonlyMap<string, Uint8Array>
  restore(backup: ReadonlyMap<string, Uint8Array>): void
}

export interface DiskComponents {
  readonly scheduler: Scheduler
  readonly prng: Prng
  /** Called after each write that reached the platter. */
  readonly onSynced: (ops: readonly KvOp[]) => void
}

export function createDisk(components: DiskComponents, options: { readonly name: string }): Disk {
  const { scheduler, prng, onSynced } = components
  const synced = new Map<string, Uint8Array>()
  let order: string[] | undefined
  let full = false
  let handle = 0
  let underWay: readonly KvOp[] | undefined

  function apply(ops: readonly KvOp[]): void {
    for (const { key, value } of ops) {
      if (value === undefined ? synced.delete(key) : !synced.has(key)) order = undefined
      if (value !== undefined) synced.set(key, value)
    }
    onSynced(ops)
  }

  function sorted(): string[] {
    // Keys are ASCII, so the order of UTF-16 units is the order of bytes.
    order ??= [...synced.keys()].sort((a, b) => (a < b ? -1 : 1))
    return order
  }

  function within(range: KvRange): string[] {
    const keys = sorted()
    const found = keys.slice(lowerBound(keys, range.gte), lowerBound(keys, range.lt))
    if (range.reverse === true) found.reverse()
    return found.slice(0, range.limit ?? found.length)
  }

  /** Resolves after a while, unless the handle was killed by then. */
  function later<T>(own: number, what: string, slowest: number, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      scheduler.after(prng.whole(0, slowest), `${options.name} ${what}`, () => {
        if (own !== handle) return
        try {
          resolve(act())
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    })
  }

  function write(own: number, ops: readonly KvOp[]): Promise<void> {
    if (own !== handle) return new Promise(() => undefined)
    if (underWay !== undefined) throw new Error('two writes at a time')
    underWay = ops.map(({ key, value }) => ({ key, value: value?.slice() }))
    return later(own, `synced ${ops.length}`, SLOWEST_MS, () => {
      const done = underWay ?? []
      underWay = undefined
      if (full) throw new StoreFailure('disk_full', 'the simulated disk is full')
      apply(done)
    })
  }

  return {
    open() {
      const own = ++handle
      underWay = undefined
      return {
        getSync: (key) => synced.get(key),
        write: (ops) => write(own, ops),
        range: (range) =>
          later(own, 'range', 2, () =>
            within(range).map((key): [string, Uint8Array] => [key, synced.get(key) as Uint8Array])
          ),
        keys: (range) => later(own, 'keys', 2, () => within(range)),
        reopen: () => later(own, 'reopen', SLOWEST_MS, () => undefined),
        close: () => later(own, 'close', 2, () => undefined)
      }
    },
    crash() {
      handle++
      if (underWay !== undefined && !full && prng.chance(LANDED)) apply(underWay)
      underWay = undefined
    },
    has: (key) => synced.has(key),
    read: (key) => synced.get(key),
    entries(prefix) {
      const found: Array<[string, Uint8Array]> = []
      const keys = sorted()
      for (let at = lowerBound(keys, prefix); at < keys.length; at++) {
        const key = keys[at] as string
        if (!key.startsWith(prefix)) break
        found.push([key, synced.get(key) as Uint8Array])
      }
      return found
    },
    setFull(now) {
      full = now
    },
    backup: () => new Map(synced),
    restore(backup) {
      synced.clear()
      for (const [key, value] of backup) synced.set(key, value)
      order = undefined
    }
  }
}

/** Index of the first key that is not below `bound`. */
function lowerBound(keys: readonly string[], bound: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < bound) low = middle + 1
    else high = middle
  }
  return low
}
