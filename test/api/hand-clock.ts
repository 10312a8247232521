import type { Clock } from '../../src/flows/ports.js'

/** Time that stands until it is moved. */
export interface HandClock extends Clock {
  pass(ms: number): void
  /** Wakes that are due some time. */
  pending(): number
}

export function createHandClock(): HandClock {
  let now = 1_800_000_000_000
  const wakes = new Map<() => void, number>()
  return {
    now: () => now,
    wake(ms, fn) {
      wakes.set(fn, now + ms)
      return () => void wakes.delete(fn)
    },
    defer: (fn) => void setImmediate(fn),
    pending: () => wakes.size,
    pass(ms) {
      now += ms
      for (const [fn, at] of [...wakes]) {
        if (at <= now && wakes.delete(fn)) fn()
      }
    }
  }
}
