import type { ServerResponse } from 'node:http'
import { SECOND } from '../base/time.js'
import type { Clock } from '../flows/ports.js'

/** What every stream of server-sent events does: it writes no faster than it is read, and waits without holding anything. */

/** Seconds of silence before a comment is sent, so that both sides notice a dead connection. */
export const HEARTBEAT_SECONDS = 15
/** Milliseconds for a reader to take what was written. One that takes nothing for longer loses its place in the limit. */
const READER_MS = 60 * SECOND

/** Opens the stream: from here on the router answers nothing. */
export function openStream(raw: ServerResponse): void {
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' })
  raw.write(`retry: ${SECOND}\n\n`)
}

/** Writes, and waits until there is room for more: a slow reader costs one write, not memory. False: the stream is over. */
export async function sent(raw: ServerResponse, text: string, signal: AbortSignal, clock: Clock): Promise<boolean> {
  if (signal.aborted) return false
  if (raw.write(text)) return true
  const drained = await new Promise<boolean>((resolve) => {
    const settle = (outcome: boolean): void => {
      callOff()
      raw.off('drain', onDrain)
      signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const onDrain = (): void => settle(true)
    const onAbort = (): void => settle(false)
    const callOff = clock.wake(READER_MS, onAbort)
    raw.on('drain', onDrain)
    signal.addEventListener('abort', onAbort)
  })
  if (!drained) raw.destroy()
  return drained
}

/** Resolves after `ms`, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      callOff()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const callOff = clock.wake(ms, done)
    signal.addEventListener('abort', done)
  })
}
