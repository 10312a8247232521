import type { Clock, Random } from './ports.js'

/** Growing pauses between attempts, with jitter so that nodes that were cut off together don't come back together. */
export interface Backoff {
  /**
   * Waits before the next attempt, then calls `retry`. A node that does not know us yet is asked less often, and one that
   * named a pause of its own (milliseconds, 0 for none) not before that.
   */
  start(after: { readonly why: string; readonly afterMs: number }, retry: () => void): void
  waiting(): boolean
  /** Forgets the failures so far and any pause in progress. */
  reset(): void
}

/** A node that said `not_contact` has an owner who must answer first: minutes, not seconds. */
const STRANGER_FACTOR = 10

export function createBackoff(
  components: { readonly clock: Clock; readonly random: Random },
  options: { readonly firstMs: number; readonly maxMs: number }
): Backoff {
  let failures = 0
  let callOff: (() => void) | undefined

  return {
    start({ why, afterMs }, retry) {
      const first = why === 'not_contact' ? options.firstMs * STRANGER_FACTOR : options.firstMs
      const pause = Math.min(options.maxMs, first * 2 ** Math.min(failures++, 20))
      callOff?.()
      const jittered = Math.ceil(pause * (0.5 + components.random.fraction() / 2))
      callOff = components.clock.wake(Math.max(afterMs, jittered), () => {
        callOff = undefined
        retry()
      })
    },
    waiting: () => callOff !== undefined,
    reset() {
      failures = 0
      callOff?.()
      callOff = undefined
    }
  }
}
