import type { Instant } from '../base/time.js'

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

  return {
    spend(key, cost) {
      const at = now()
      const known = paidOffAt.get(key)
      if (known === undefined && paidOffAt.size >= options.maxKeys) makeRoom(at)
      // Debt is bounded, so that whoever kept hammering is heard again soon after it stops.
      const until = Math.min(Math.max(known ?? at, at) + cost / perMs, at + 2 * slackMs)
      paidOffAt.set(key, until)
      return Math.max(0, until - at - slackMs)
    }
  }
}
