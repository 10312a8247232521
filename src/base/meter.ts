import type { Instant } from './time.js'

/**
 * A rate limit for many keys (GCRA): one number per key, the moment at which what it used would be paid off. The cost
 * is added before it is compared, so that one large request can't slip past a nearly empty account. Pure: the clock is
 * an argument.
 */
export interface MeterOptions {
  /** Cost that may be used per second, lasting. */
  readonly perSecond: number
  /** Cost that may be used at once. */
  readonly atOnce: number
  /** Keys remembered; the oldest is forgotten first, paid-off ones before that. */
  readonly maxKeys: number
}

export interface Meter {
  /** Adds `cost` to what `key` used; answers the milliseconds until that is within the limit, 0 = it is now. */
  spend(key: string, cost: number): number
  /**
   * The same for who can be sent away: what would not be within the limit after `patienceMs` is not added, so that asking
   * in vain makes nobody wait longer. Answers the milliseconds all the same.
   */
  take(key: string, cost: number, patienceMs: number): number
}

export function createMeter(options: MeterOptions, now: () => Instant): Meter {
  const paidOffAt = new Map<string, number>()
  const perMs = options.perSecond / 1000
  const slackMs = options.atOnce / perMs

  function makeRoom(at: Instant): void {
    for (const [key, until] of paidOffAt) if (until <= at) paidOffAt.delete(key)
    const oldest = paidOffAt.keys().next()
    if (paidOffAt.size >= options.maxKeys && oldest.done !== true) paidOffAt.delete(oldest.value)
  }

  /** From when on the key's next cost counts, at most `furthest`: a clock that jumped back locks nobody out. */
  function startOf(key: string, at: Instant, furthest: number): number {
    const known = paidOffAt.get(key)
    if (known === undefined && paidOffAt.size >= options.maxKeys) makeRoom(at)
    return Math.min(Math.max(known ?? at, at), furthest)
  }

  return {
    spend(key, cost) {
      const at = now()
      // Debt is bounded, so that whoever kept hammering is heard again soon after it stops.
      const furthest = at + 2 * slackMs
      const until = Math.min(startOf(key, at, furthest) + cost / perMs, furthest)
      paidOffAt.set(key, until)
      return Math.max(0, until - at - slackMs)
    },
    take(key, cost, patienceMs) {
      const at = now()
      const start = startOf(key, at, at + slackMs + patienceMs)
      const until = start + cost / perMs
      const waitMs = Math.max(0, until - at - slackMs)
      paidOffAt.set(key, waitMs > patienceMs ? start : until)
      return waitMs
    }
  }
}
