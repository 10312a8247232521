import { createMeter } from '../base/meter.js'
import { type Refusal, refusal } from '../base/refusal.js'
import { type Instant, SECOND } from '../base/time.js'

/** What one caller may ask of the API: an agent in a tight loop is slowed, and leaves the node to the others. */
export interface CallLimits {
  /** Calls of one caller per second, lasting. */
  readonly callsPerSecond: number
  /** Calls of one caller at once. */
  readonly callsAtOnce: number
  /** Long polls and event streams of one agent, together. */
  readonly waits: number
}

/** Callers remembered: the agents of a node, its owner, and who asks for pages at each listener. */
const CALLERS = 4096

/** Counts a call of `caller`; the refusal when it comes too early. */
export type CallMeter = (caller: string) => Refusal | undefined

export function createCallMeter(limits: CallLimits, now: () => Instant): CallMeter {
  const { callsPerSecond: perSecond, callsAtOnce: atOnce } = limits
  const meter = createMeter({ perSecond, atOnce, maxKeys: CALLERS }, now)
  return (caller) => {
    const waitMs = meter.take(caller, 1, 0)
    return waitMs === 0 ? undefined : tooMany(Math.ceil(waitMs / SECOND), perSecond)
  }
}

function tooMany(retryAfter: number, perSecond: number): Refusal {
  const message =
    `you call more than ${perSecond} times a second; wait ${retryAfter} s. To hear of news without asking again and again, ` +
    'read the inbox with wait, or the event stream'
  return refusal('rate_limited', message, { code: 'too_many_calls', retryAfter })
}
