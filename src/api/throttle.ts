import { type Instant, SECOND } from '../base/time.js'

/**
 * Slows down whoever fails to authenticate. Only failures are slowed: a program that guesses can't lock out the ones that
 * know their token.
 */

/** Failures per second and source that are answered at once. */
const FREE_PER_SECOND = 5
const GAP_MS = SECOND / FREE_PER_SECOND
/** Longest time that a failure is held before its answer; beyond it the answer is `rate_limited` at once. */
const HOLD_MS = 2 * SECOND
/** Sources remembered; loopback alone has 16 million addresses. */
const SOURCES = 1024

export interface Throttle {
  /** Counts a failure of `source`: milliseconds to hold its answer, undefined when it holds too many already. */
  failed(source: string, now: Instant): number | undefined
}

export function createThrottle(): Throttle {
  /** When the source will have paid for its failures so far. */
  const paidAt = new Map<string, Instant>()
  return {
    failed(source, now) {
      const known = paidAt.get(source) ?? 0
      // Further ahead than anybody can be: the clock jumped back, and must not lock the source out.
      const jumped = known > now + SECOND + HOLD_MS
      const paid = (jumped ? now : Math.max(known, now)) + GAP_MS
      const hold = Math.max(0, paid - now - SECOND)
      if (hold > HOLD_MS) return undefined
      if (!paidAt.has(source) && paidAt.size >= SOURCES) forgetOldest(paidAt)
      paidAt.set(source, paid)
      return hold
    }
  }
}

function forgetOldest(paidAt: Map<string, Instant>): void {
  const [oldest] = paidAt.keys()
  if (oldest !== undefined) paidAt.delete(oldest)
}
