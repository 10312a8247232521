import { createMeter } from '../base/meter.js'
import { type Instant, SECOND } from '../base/time.js'

/**
 * Slows down whoever fails to authenticate. Only failures are slowed: a program that guesses can't lock out the ones that
 * know their token.
 */

/** Failures per second and source, lasting and at once; loopback alone has 16 million addresses to remember. */
const FAILURES = { perSecond: 5, atOnce: 5, maxKeys: 1024 }
/** Longest time that a failure is held before its answer; beyond it the answer is `rate_limited` at once. */
const HOLD_MS = 2 * SECOND

export interface Throttle {
  /** Counts a failure of `source`: milliseconds to hold its answer, undefined when it holds too many already. */
  failed(source: string): number | undefined
}

export function createThrottle(now: () => Instant): Throttle {
  const meter = createMeter(FAILURES, now)
  return {
    failed(source) {
      const hold = meter.take(source, 1, HOLD_MS)
      return hold > HOLD_MS ? undefined : hold
    }
  }
}
