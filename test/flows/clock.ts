/** A clock that stands still until a test moves it, and the turns of the loop, taken one by one. */
import type { Clock } from '../../src/flows/ports.js'

export interface ManualClock extends Clock {
  /** Sets the time without letting timers run: a clock that jumps. */
  jump(ms: number): void
  /** Runs everything at hand, then lets `ms` pass, each timer at its time. */
  run(ms: number): Promise<void>
  /** Something is under way outside of this world, on a socket say: time stands still until it is over. */
  outside<T>(promise: Promise<T>): Promise<T>
  /** Timers that wait, in milliseconds from now. */
  timers(): readonly number[]
}

interface Timer {
  readonly at: number
  readonly fn: () => void
}

/** 2026-11-01T12:00:00Z. */
const NOON = 1_793_534_400_000

/** `elapsed` is what timers go by, so that a jump of the time of day does not touch them. */
export function manualClock(): ManualClock {
  let elapsed = 0
  let offset = NOON
  let timers: Timer[] = []
  const turns: Array<() => void> = []
  const outside = new Set<Promise<void>>()

  /** Whether anything happened. */
  async function turn(): Promise<boolean> {
    // Nothing inside of these worlds waits for the loop itself, so one turn of it empties the queue of microtasks.
    await new Promise((resolve) => setImmediate(resolve))
    const next = turns.splice(0)
    for (const fn of next) fn()
    return next.length > 0
  }

  async function settle(): Promise<void> {
    for (;;) {
      while (await turn());
      if (outside.size === 0) return
      await Promise.race(outside)
    }
  }

  return {
    now: () => offset + elapsed,
    wake(ms, fn) {
      const timer = { at: elapsed + ms, fn }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    defer: (fn) => void turns.push(fn),
    outside(promise) {
      const over = promise.then(
        () => void outside.delete(over),
        () => void outside.delete(over)
      )
      outside.add(over)
      return promise
    },
    jump(ms) {
      offset += ms
    },
    async run(ms) {
      const end = elapsed + ms
      await settle()
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        timers = timers.filter((timer) => timer !== next)
        elapsed = Math.max(elapsed, next.at)
        next.fn()
        await settle()
      }
      elapsed = end
    },
    timers: () => timers.map((timer) => timer.at - elapsed)
  }
}
