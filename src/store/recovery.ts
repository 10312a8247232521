import type { Clock } from '../flows/ports.js'
import { type StoreFailure, storeFailureOf } from './failure.js'
import type { KeyValue } from './key-value.js'
import { placeOf } from './tables.js'

/**
 * Brings the disk back after a failed write: reopens it and tries a write, again and again with growing pauses, until one
 * works. LevelDB takes no write after a failed one, even when there is space again, until it is reopened.
 */
export interface RecoveryOptions {
  readonly clock: Pick<Clock, 'wake'>
  readonly retry: { readonly firstMs: number; readonly maxMs: number }
  /** It works again. */
  readonly onRecovered: () => void
  /** Still not, for this reason. */
  readonly onStillFailing: (failure: StoreFailure) => void
}

/** Deleting what never exists is a real synced write that leaves nothing behind. */
const PROBE = placeOf('meta', '!probe')

export class Recovery {
  readonly #kv: KeyValue
  readonly #options: RecoveryOptions
  #attempts = 0
  #callOff: (() => void) | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(kv: KeyValue, options: RecoveryOptions) {
    this.#kv = kv
    this.#options = options
  }

  /** Begins to try. The pauses go on growing until `proved`. */
  begin(): void {
    if (this.#stopped || this.#callOff !== undefined) return
    const { firstMs, maxMs } = this.#options.retry
    const pause = Math.min(maxMs, firstMs * 2 ** Math.min(this.#attempts++, 30))
    this.#callOff = this.#options.clock.wake(pause, () => {
      this.#callOff = undefined
      this.#running = this.#attempt()
    })
  }

  /** A write of the store itself worked: the next failure is a new one. */
  proved(): void {
    this.#attempts = 0
  }

  /** Stops trying and waits for the attempt that runs. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#callOff?.()
    this.#callOff = undefined
    await this.#running
  }

  async #attempt(): Promise<void> {
    try {
      await this.#kv.reopen()
      await this.#kv.write([{ key: PROBE, value: undefined }])
    } catch (error) {
      this.#options.onStillFailing(storeFailureOf(error))
      this.begin()
      return
    }
    this.#options.onRecovered()
  }
}
