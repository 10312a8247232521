import type { ServerResponse } from 'node:http'
import type { AgentId } from '../base/ids.js'
import type { Clock } from '../flows/ports.js'

/** Calls that wait for something: each ends when its caller goes away, and all end when the server stops. */

export interface Waits {
  /** A signal for one waiting call. Call `release` when the call is over. */
  signalFor(
    response: ServerResponse,
    agent: AgentId | undefined
  ): { readonly signal: AbortSignal; readonly release: () => void }
  /** Runs `fn` once after `ms`, or at once when the server stops. */
  hold(clock: Clock, ms: number, fn: () => void): void
  /** Ends those of an agent: its token is good for nothing any more. */
  endOf(agent: AgentId): void
  /** Ends them all, and every later one at once. */
  end(): void
  /** Whether `end` was called: answers then close their connection. */
  readonly ended: boolean
}

export function createWaits(): Waits {
  const enders = new Map<() => void, AgentId | undefined>()
  let ended = false

  function enter(end: () => void, agent?: AgentId): () => void {
    if (ended) end()
    else enders.set(end, agent)
    return () => void enders.delete(end)
  }

  return {
    signalFor(response, agent) {
      const controller = new AbortController()
      const abort = (): void => controller.abort()
      const leave = enter(abort, agent)
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
    endOf(agent) {
      for (const [end, whose] of [...enders]) if (whose === agent) end()
    },
    end() {
      ended = true
      for (const end of [...enders.keys()]) end()
    },
    get ended() {
      return ended
    }
  }
}
