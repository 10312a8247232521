import { randomBytes } from 'node:crypto'
import type { Clock, Random } from '../flows/ports.js'

/** The machine's time and the loop's turns. */
export function createClock(): Clock {
  return {
    now: () => Date.now(),
    wake(ms, fn) {
      const timer = setTimeout(fn, ms)
      return () => clearTimeout(timer)
    },
    defer: (fn) => void setImmediate(fn)
  }
}

/** The machine's randomness. `fraction` is for jitter only, so it may be guessed. */
export function createRandom(): Random {
  return {
    bytes: (length) => new Uint8Array(randomBytes(length)),
    fraction: () => Math.random()
  }
}
