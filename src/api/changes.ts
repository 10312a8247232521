import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECOND } from '../base/time.js'
import type { OwnerDoor } from '../flows/doors.js'
import type { Clock, Log } from '../flows/ports.js'
import type { ChangedRoom } from '../flows/views/pages.js'
import { refuse } from './answer.js'
import { failed } from './fault.js'
import type { Identify } from './identify.js'
import { type Perform, readCall } from './perform.js'
import type { RouteName } from './routes.js'
import { HEARTBEAT_SECONDS, openStream, pause, sent } from './stream.js'
import type { Waits } from './waits.js'

/**
 * What changed, for the page of the owner: names of rooms, which it then reads again. A stream holds at most those names,
 * however much happens and however slowly it is read. Spec: protocols/socket-api.md, "Changes".
 */

/** Milliseconds between two events of a stream at least: what happens meanwhile is told together. */
const BETWEEN_MS = 300

export interface ChangesComponents {
  readonly owner: Pick<OwnerDoor, 'watch'>
  readonly clock: Clock
  readonly log: Log
  readonly waits: Waits
  readonly identify: Identify
}

export function createChangesStream({ owner, clock, log, waits, identify }: ChangesComponents): Perform {
  return async (name, request, reply) => {
    const call = readCall(name, request)
    if (!call.ok) return refuse(reply, call.refusal)
    const wait = waits.signalFor(reply.raw, 'owner')
    if (!wait.ok) return refuse(reply, wait.refusal)
    const { signal, end, release } = wait.value
    const stay = identify.onEnded(request.raw, end)
    try {
      await stream(name, request, reply, signal)
    } catch (error) {
      failed(log, error, request)
    } finally {
      stay()
      release()
      reply.raw.end()
    }
    return reply
  }

  async function stream(
    name: RouteName,
    request: FastifyRequest,
    reply: FastifyReply,
    signal: AbortSignal
  ): Promise<void> {
    const { raw } = reply.hijack()
    openStream(raw)
    const pending = new Set<ChangedRoom>()
    let wake = (): void => undefined
    const unwatch = owner.watch((rooms) => {
      for (const room of rooms) pending.add(room)
      wake()
    })
    try {
      while (!signal.aborted) {
        if (pending.size === 0) await news((fn) => (wake = fn), signal)
        // A session ends by itself some time, and nobody tells of that.
        if (signal.aborted || !identify.caller(name, request.raw).ok) return
        const text = pending.size === 0 ? ': nothing new\n\n' : eventOf(pending)
        pending.clear()
        if (!(await sent(raw, text, signal, clock))) return
        await pause(BETWEEN_MS, signal, clock)
      }
    } finally {
      unwatch()
    }
  }

  /** Resolves when something changed, the time for a comment has come, or the stream is to end. */
  function news(onNews: (fn: () => void) => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        callOff()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const callOff = clock.wake(HEARTBEAT_SECONDS * SECOND, done)
      signal.addEventListener('abort', done)
      onNews(done)
    })
  }
}

function eventOf(rooms: ReadonlySet<ChangedRoom>): string {
  return `event: changed\ndata: ${JSON.stringify({ what: [...rooms].sort() })}\n\n`
}
