import './polyfill.js'
import type { Stream } from '@libp2p/interface'
import type { PeerId } from '../base/ids.js'
import type { Channel } from '../flows/ports.js'
import { pauseReading, readFrames } from './frame-reader.js'
import { createFrameWriter } from './frame-writer.js'

/**
 * A libp2p stream as the `Channel` that the flows know: whole frames in order, both ways, with backpressure. Junk, a
 * broken peer or a slow one ends this channel and touches nothing else.
 */
export interface ChannelOptions {
  readonly maxFrameBytes: number
  /** Time for the bytes of one frame to arrive once it has begun, milliseconds. */
  readonly frameMs: number
  /** How long the remote may read nothing while we have something to send, milliseconds. */
  readonly drainMs: number
  /** After our side was closed: time for the remote to close its own, milliseconds. */
  readonly lingerMs: number
  /** Bytes that may wait in memory to be sent. */
  readonly maxQueuedBytes: number
}

export interface ChannelComponents {
  readonly peerId: PeerId
  /** See `FrameReaderOptions.charge`. */
  readonly charge: (bytes: number) => number | undefined
  /** Told once why a channel broke; not called when it ended in order. */
  readonly onBroken: (reason: string) => void
}

export function createChannel(stream: Stream, components: ChannelComponents, options: ChannelOptions): Channel {
  let live = true
  let reading = false
  let broken = false
  let streamEnded = false
  let linger: NodeJS.Timeout | undefined
  let resolveClosed!: () => void
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve))
  const writer = createFrameWriter(stream, { ...options, abort, onFinished })

  // Until someone reads, the remote may send no more than its window.
  pauseReading(stream)
  if (stream.status === 'open') stream.addEventListener('close', onStreamEnd)
  else onStreamEnd()

  function abort(reason: string): void {
    if (streamEnded) return settle()
    live = false
    broken ||= report(reason)
    stream.abort(new Error(reason))
  }

  function report(reason: string): true {
    components.onBroken(reason)
    return true
  }

  function onStreamEnd(): void {
    streamEnded = true
    writer.end()
    // A stream that ended in order may still hold frames that nobody was given yet; a broken one holds nothing.
    if (stream.status === 'closed' && reading && live) startLinger(settle)
    else settle()
  }

  function settle(): void {
    live = false
    clearTimeout(linger)
    resolveClosed()
  }

  function onFinished(): void {
    if (!streamEnded) startLinger(() => stream.abort(new Error('the remote did not close its side')))
  }

  function startLinger(atEnd: () => void): void {
    clearTimeout(linger)
    linger = setTimeout(atEnd, options.lingerMs)
  }

  function close(): void {
    if (streamEnded) return settle()
    live = false
    if (!reading) discard()
    writer.finish()
  }

  function read(onFrame: (frame: Uint8Array) => Promise<void> | void): void {
    if (reading) throw new Error('a channel is read once')
    if (live) run(onFrame)
  }

  // Unread bytes would keep the remote from ever closing its side.
  function discard(): void {
    run(() => undefined)
  }

  function run(onFrame: (frame: Uint8Array) => Promise<void> | void): void {
    reading = true
    readFrames(stream, { ...options, charge: components.charge, onFrame, live: () => live, abort }).then(
      () => {
        reading = false
        if (streamEnded) settle()
        else writer.finish()
      },
      (error: unknown) => {
        reading = false
        abort(reasonOf(error))
      }
    )
  }

  return {
    peerId: components.peerId,
    closed,
    send: (frame) => (live ? writer.write(frame) : undefined),
    read,
    close,
    abort
  }
}

/** What libp2p rejects with may be an event that carries the error, or nothing at all. */
export function reasonOf(cause: unknown): string {
  const inner = (cause as { error?: unknown } | null | undefined)?.error ?? cause
  if (inner instanceof Error) return inner.message
  return String((inner as { type?: unknown } | null | undefined)?.type ?? inner ?? 'closed')
}
