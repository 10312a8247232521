import type { Clock } from '../../src/flows/ports.js'

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  #now = 0
  #alarms: Array<{ readonly at: number; readonly fn: () => void }> = []

  now(): number {
    return this.#now
  }

  wake(ms: number, fn: () => void): () => void {
    const alarm = { at: this.#now + ms, fn }
    this.#alarms.push(alarm)
    return () => (this.#alarms = this.#alarms.filter((other) => other !== alarm))
  }

  defer(fn: () => void): void {
    setImmediate(fn)
  }

  /** Milliseconds until the next alarm; undefined when none is set. */
  pause(): number | undefined {
    return this.#alarms.length === 0 ? undefined : Math.min(...this.#alarms.map(({ at }) => at)) - this.#now
  }

  /** Moves on, and runs what falls due on the way. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#alarms.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#alarms = this.#alarms.filter((other) => other !== next)
      this.#now = next.at
      next.fn()
    }
    this.#now = end
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
