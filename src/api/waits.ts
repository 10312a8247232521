import type { ServerResponse } from 'node:http'
import type { Clock } from '../flows/ports.js'

/** Calls that wait for something: each ends when its caller goes away, and all end when the server stops. */

export interface Waits {
  /** A signal for one waiting call. Call `release` when the call is over. */
  signalFor(response: ServerResponse): { readonly signal: AbortSignal; readonly release: () => void }
  /** Runs `fn` once after `ms`, or at once when the server stops. */
  hold(clock: Clock, ms: number, fn: () => void): void
  /** Ends them all, and every later one at once. */
  end(): void
  /** Whether `end` was called: answers then close their connection. */
  readonly ended: boolean
}

export function createWaits(): Waits {
  const enders = new Set<() => void>()
  let ended = false

  function enter(end: () => void): () => void {
    if (ended) end()
    else enders.add(end)
    return () => void enders.delete(end)
  }

  return {
    signalFor(response) {
      const controller = new AbortController()
      const abort = (): void => controller.abort()
      const leave = enter(abort)
      response.on('close', abort)
      const release = (): void => {
        leave()
        response.off('close', abort)
      }
      return { signal: controller.signal, release }
    },
    hold(clock, ms, fn) {
      if (ended) return fn()
      const run = (): void => {
        callOff()
        leave()
        fn()
      }
      const callOff = clock.wake(ms, run)
      const leave = enter(run)
    },
    end() {
      ended = true
      for (const end of [...enders]) end()
    },
    get ended() {
      return ended
    }
  }
}
