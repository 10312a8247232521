import type { Clock } from '../flows/ports.js'
import { Batch } from './batch.js'
import type { StoreFailure } from './failure.js'

/**
 * Group commit: while one batch is on its way to the disk the next one gathers. A batch starts when the disk is free and
 * it is full, or somebody waits for it and no more work is at hand; at the latest `lingerMs` after it could have started.
 * In a crowd it also waits for as long as each turn of the loop brings more steps: a batch costs the same for one step as
 * for many, and whoever writes alone waits for nobody.
 */
export interface GroupCommitOptions {
  readonly clock: Pick<Clock, 'wake' | 'defer'>
  /** Steps in one batch. */
  readonly maxBatch: number
  readonly lingerMs: number
  /** Whether steps are about to come that had better share the batch. */
  readonly moreAtHand: () => boolean
}

/** Steps of one batch that are a crowd: the next batch will have several as well. */
const CROWD = 4

export class GroupCommit {
  readonly #write: (batch: Batch) => Promise<void>
  readonly #options: GroupCommitOptions
  /** Oldest first. Only the last one takes steps; those before it are full or started. */
  #queue: Batch[] = []
  #batches = 0
  #checkIsDue = false
  #callOffLinger: (() => void) | undefined
  /** Whether the batch that was started last held a crowd. */
  #crowded = false
  /** Whether the turn is not over yet that may bring the gathering batch more steps. */
  #turnIsOpen = false
  /** Steps that the gathering batch held at the end of the last turn. */
  #counted = 0

  /** `write` settles the batch on success and calls `drop` on failure; it never rejects. */
  constructor(write: (batch: Batch) => Promise<void>, options: GroupCommitOptions) {
    this.#write = write
    this.#options = options
  }

  /** The batch that takes the next step. */
  gathering(): Batch {
    const last = this.newest()
    if (last !== undefined && !last.started && last.steps < this.#options.maxBatch) return last
    const next = new Batch(++this.#batches)
    this.#queue.push(next)
    return next
  }

  /** The youngest batch that is not on disk yet. */
  newest(): Batch | undefined {
    return this.#queue.at(-1)
  }

  /** Somebody waits for this batch: it no longer lingers for the sake of lazy steps. */
  want(batch: Batch): void {
    batch.wanted = true
    this.kick()
  }

  /** Looks, after the code that runs now, whether a batch can start. */
  kick(): void {
    if (this.#checkIsDue || this.#queue.length === 0) return
    this.#checkIsDue = true
    queueMicrotask(() => {
      this.#checkIsDue = false
      this.#check()
    })
  }

  /** Rejects every batch that is not on disk. */
  drop(failure: StoreFailure): void {
    const dropped = this.#queue
    this.#queue = []
    this.#stopLingering()
    for (const batch of dropped) batch.reject(failure)
  }

  #check(): void {
    const batch = this.#queue[0]
    if (batch === undefined || batch.started) return
    if (batch.overdue || batch.steps >= this.#options.maxBatch) return void this.#start(batch)
    if (!batch.wanted || this.#options.moreAtHand()) return this.#linger(batch)
    if (!this.#crowded || (!this.#turnIsOpen && batch.steps === this.#counted)) return void this.#start(batch)
    this.#waitForTurn(batch)
  }

  #waitForTurn(batch: Batch): void {
    if (this.#turnIsOpen) return
    this.#turnIsOpen = true
    this.#counted = batch.steps
    this.#options.clock.defer(() => {
      this.#turnIsOpen = false
      this.#check()
    })
  }

  #linger(batch: Batch): void {
    this.#callOffLinger ??= this.#options.clock.wake(this.#options.lingerMs, () => {
      this.#callOffLinger = undefined
      batch.overdue = true
      this.kick()
    })
  }

  #stopLingering(): void {
    this.#callOffLinger?.()
    this.#callOffLinger = undefined
  }

  async #start(batch: Batch): Promise<void> {
    batch.started = true
    this.#crowded = batch.steps >= CROWD
    this.#counted = 0
    this.#stopLingering()
    await this.#write(batch)
    if (this.#queue[0] !== batch) return
    this.#queue.shift()
    batch.resolve()
    // After the resolve, so that what the waiting code stages right now still joins the next batch.
    this.kick()
  }
}
