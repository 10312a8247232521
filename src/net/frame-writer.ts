import type { Stream } from '@libp2p/interface'
import { lengthPrefix } from './frame-splitter.js'

/**
 * The writing half of a channel. Frames queued by one commit, or by one run of any other code, leave in one `send`: a
 * `send` for each frame costs fifteen times as much. They leave before anybody turns to the answers of that commit. What waits for a slow reader is bounded, and it may keep us waiting only so long.
 */
export interface FrameWriter {
  /** Queues one frame. A promise = wait for it before queueing more; it resolves when there is room, or at the end. */
  write(frame: Uint8Array): Promise<void> | undefined
  /** Takes no more frames, sends what is queued, then closes our side of the stream. */
  finish(): void
  /** The stream has ended: forgets what is queued and lets everyone go who waits. */
  end(): void
}

export interface FrameWriterOptions {
  /** How long the remote may read nothing while we have something to send, in milliseconds. */
  readonly drainMs: number
  /** Bytes that may wait in memory; more ends the stream. */
  readonly maxQueuedBytes: number
  /** Ends the stream now. */
  readonly abort: (reason: string) => void
  /** Everything was sent and our side is closed, after `finish`. */
  readonly onFinished: () => void
}

/** Above this many bytes queued in one turn, `write` asks its caller to wait. */
const HIGH_WATER = 256 * 1024

export function createFrameWriter(stream: Stream, options: FrameWriterOptions): FrameWriter {
  let parts: Uint8Array[] = []
  let queued = 0
  let scheduled = false
  let blocked = false
  let state: 'open' | 'finishing' | 'ended' = 'open'
  let room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined
  let deadline: NodeJS.Timeout | undefined

  function write(frame: Uint8Array): Promise<void> | undefined {
    if (state !== 'open') return undefined
    const prefix = lengthPrefix(frame.length)
    parts.push(prefix, frame)
    queued += prefix.length + frame.length
    if (queued + stream.writeBufferLength > options.maxQueuedBytes) {
      options.abort('too much waits for a remote that does not read')
      return undefined
    }
    if (!blocked) schedule()
    return blocked || queued > HIGH_WATER ? waitForRoom() : undefined
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    queueMicrotask(flush)
  }

  function flush(): void {
    scheduled = false
    if (blocked || state === 'ended') return
    if (parts.length > 0 && !sendAll()) return block()
    letGo()
    if (state === 'finishing') closeOurSide()
  }

  function sendAll(): boolean {
    const bytes = Buffer.concat(parts, queued)
    parts = []
    queued = 0
    try {
      return stream.send(bytes)
    } catch (error) {
      options.abort(`sending failed: ${String(error)}`)
      return true
    }
  }

  function block(): void {
    blocked = true
    deadline = setTimeout(() => options.abort(`the remote read nothing for ${options.drainMs} ms`), options.drainMs)
  }

  // The stream clears its own flag and goes on sending in a microtask of its own before this one runs; whether there
  // is room is known only after that. Its `onDrain` can't be used: it waits once per stream and then never again.
  function onDrain(): void {
    queueMicrotask(() => {
      if (!blocked || state === 'ended') return
      clearTimeout(deadline)
      if (stream.writableNeedsDrain) return block()
      blocked = false
      flush()
    })
  }
  stream.addEventListener('drain', onDrain)

  function waitForRoom(): Promise<void> {
    if (room === undefined) {
      let resolve!: () => void
      const promise = new Promise<void>((done) => (resolve = done))
      room = { promise, resolve }
    }
    return room.promise
  }

  function letGo(): void {
    room?.resolve()
    room = undefined
  }

  // Rejects, with an Event instead of an Error, when the stream ends first: its close listener has seen that end.
  function closeOurSide(): void {
    stream.close().then(options.onFinished, () => undefined)
  }

  return {
    write,
    finish() {
      if (state !== 'open') return
      state = 'finishing'
      if (!blocked) schedule()
    },
    end() {
      state = 'ended'
      clearTimeout(deadline)
      stream.removeEventListener('drain', onDrain)
      parts = []
      queued = 0
      letGo()
    }
  }
}
