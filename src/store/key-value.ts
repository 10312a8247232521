/**
 * What the store needs of a disk: an ordered map of text keys to bytes, with atomic synced batches. `level.ts` is the real
 * one; the simulator brings its own. Keys are ordered by their UTF-8 bytes. Every failure is a `StoreFailure`.
 */

/** One change of a batch; without a value the key is deleted. */
export interface KvOp {
  readonly key: string
  readonly value: Uint8Array | undefined
}

/** Keys in [gte, lt), in order or in reverse, at most `limit` of them. */
export interface KvRange {
  readonly gte: string
  readonly lt: string
  readonly reverse?: boolean
  readonly limit?: number
}

export interface KeyValue {
  /** The committed value. The caller does not change the bytes. */
  getSync(key: string): Uint8Array | undefined
  /** Writes all of it or nothing, and resolves when it is on the disk (fsync). One write at a time. */
  write(ops: readonly KvOp[]): Promise<void>
  range(range: KvRange): Promise<Array<[string, Uint8Array]>>
  /** Like `range`, without the cost of the values. */
  keys(range: KvRange): Promise<string[]>
  /**
   * Closes and opens it again, which is what LevelDB needs after a failed write before it takes another. What became of
   * the failed batch is known only then: it is there as a whole, or not at all.
   */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A map that can be read as it is at one moment while it goes on. */
export interface Disk extends KeyValue {
  /** Everything that is committed when this is called, in order. Fails with `StoreFailure` while it is read. */
  snapshot(): AsyncIterable<readonly [string, Uint8Array]>
}
