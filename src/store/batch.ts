import type { TableName } from '../flows/records/tables.js'
import type { StoreFailure } from './failure.js'

/** What one record becomes when its batch is on disk; without a value it is gone. */
export interface Change {
  readonly table: TableName
  readonly value: unknown
  readonly batch: Batch
}

/** Steps that share one synced write. Changes of one record collapse to the last. */
export class Batch {
  readonly number: number
  readonly changes = new Map<string, Change>()
  /** Steps staged so far. */
  steps = 0
  /** Whether somebody waits for it: a batch of lazy steps alone may linger. */
  wanted = false
  /** Whether it lingered as long as it may. */
  overdue = false
  /** Whether it is on its way to the disk and takes no more steps. */
  started = false
  /** Resolves when it is on disk; all of its steps share it. */
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (failure: StoreFailure) => void

  constructor(number: number) {
    this.number = number
    let settle: [() => void, (failure: StoreFailure) => void] | undefined
    this.done = new Promise<void>((resolve, reject) => (settle = [resolve, reject]))
    // A step whose durability nobody asked about must not end the process when the disk fails.
    this.done.catch(() => undefined)
    ;[this.resolve, this.reject] = settle as NonNullable<typeof settle>
  }
}
