import type { ServerResponse } from 'node:http'
import type { AgentId } from '../base/ids.js'
import { type Refusal, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Clock } from '../flows/ports.js'

/** Calls that wait for something: each ends when its caller goes away, and all end when the server stops. */

export interface Waits {
  /** A signal for one waiting call of an agent, or of the owner. Call `release` when the call is over. Refuses with `too_many_waits`. */
  signalFor(response: ServerResponse, whose: AgentId | 'owner'): Result<Wait>
  /** Runs `fn` once after `ms`, or at once when the server stops. */
  hold(clock: Clock, ms: number, fn: () => void): void
  /** Ends those of an agent: its token is good for nothing any more. */
  endOf(agent: AgentId): void
  /** Ends them all, and every later one at once. */
  end(): void
  /** Whether `end` was called: answers then close their connection. */
  readonly ended: boolean
}

export interface Wait {
  readonly signal: AbortSignal
  readonly release: () => void
  /** Aborts the signal: what the caller showed is good for nothing any more. */
  readonly end: () => void
}

/** `most`: long polls and streams that one agent, or the owner, may have open, together. */
export function createWaits(most: number): Waits {
  const enders = new Map<() => void, AgentId | 'owner' | undefined>()
  let ended = false

  function enter(end: () => void, whose?: AgentId | 'owner'): () => void {
    if (ended) end()
    else enders.set(end, whose)
    return () => void enders.delete(end)
  }

  function openOf(caller: AgentId | 'owner'): number {
    return [...enders.values()].filter((whose) => whose === caller).length
  }

  return {
    signalFor(response, whose) {
      if (openOf(whose) >= most) return fail(tooMany(most))
      const controller = new AbortController()
      const abort = (): void => controller.abort()
      const leave = enter(abort, whose)
      response.on('close', abort)
      const release = (): void => {
        leave()
        response.off('close', abort)
      }
      return ok({ signal: controller.signal, release, end: abort })
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

function tooMany(most: number): Refusal {
  const message = `a caller has at most ${most} open long polls and streams; end one`
  return refusal('rate_limited', message, { code: 'too_many_waits', retryAfter: 1 })
}
