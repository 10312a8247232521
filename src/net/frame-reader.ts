import './polyfill.js'
import { byteStream } from '@libp2p/utils'
import { pipe } from 'it-pipe'
import type { Stream } from '@libp2p/interface'
import type { Uint8ArrayList } from 'uint8arraylist'
import { createFrameSplitter } from './frame-splitter.js'
import { updateByHalves } from './window-updates.js'

/**
 * The reading half of a channel, and the only code that reads a stream. It stands on `byteStream`: a raw `message`
 * listener that throws takes the process down, and a bare `for await` over a stream misses an end that came early.
 */
export interface FrameReaderOptions {
  readonly maxFrameBytes: number
  /** How long the bytes of one frame may take to arrive once it has begun, in milliseconds. */
  readonly frameMs: number
  /** Milliseconds to wait before this frame is looked at; undefined ends the channel. Called before any parsing. */
  readonly charge: (bytes: number) => number | undefined
  readonly onFrame: (frame: Uint8Array) => Promise<void> | void
  /** False as soon as nothing more may be handed over: what still comes is thrown away unread. */
  readonly live: () => boolean
  readonly abort: (reason: string) => void
}

/** Room for what arrives in one turn of the loop; the window of the stream (limits.ts) keeps it far below this. */
const MAX_BUFFERED = 1024 * 1024

/** Hands over every frame in order. Resolves at the end of the remote's bytes, rejects on junk or a broken stream. */
export async function readFrames(stream: Stream, options: FrameReaderOptions): Promise<void> {
  const splitter = createFrameSplitter(options.maxFrameBytes)
  const deadline = createFrameDeadline(options)

  async function* chunks(): AsyncGenerator<Uint8ArrayList> {
    const bytes = byteStream(stream, { maxBufferSize: MAX_BUFFERED })
    for (;;) {
      if (options.live() && splitter.pending()) deadline.start()
      const chunk = await bytes.read()
      deadline.stop()
      if (chunk === null) return
      yield chunk
    }
  }

  async function takePiece(piece: Uint8Array): Promise<void> {
    if (!options.live()) return
    splitter.push(piece)
    for (let frame = splitter.next(); frame !== undefined && options.live(); frame = splitter.next()) {
      deadline.reset()
      const wait = options.charge(frame.length)
      if (wait === undefined) throw new Error('over budget')
      if (wait > 0) await whilePaused(stream, sleep(wait))
      const busy = options.onFrame(frame)
      if (busy !== undefined) await whilePaused(stream, busy)
    }
  }

  updateByHalves(stream)
  resumeReading(stream)
  await pipe(chunks(), async (source) => {
    for await (const chunk of source) {
      for (const piece of chunk) await takePiece(piece)
    }
  })
  if (options.live() && splitter.pending()) throw new Error('the stream ended inside a frame')
}

// Not reading is not enough: libp2p opens the sender's window again as soon as a listener took the bytes.
async function whilePaused(stream: Stream, busy: Promise<void>): Promise<void> {
  pauseReading(stream)
  await busy
  resumeReading(stream)
}

/** Stops taking bytes; the sender is held once its window is used up. */
export function pauseReading(stream: Stream): void {
  if (stream.readStatus === 'readable') stream.pause()
}

function resumeReading(stream: Stream): void {
  if (stream.readStatus === 'paused') stream.resume()
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

// Only the time spent waiting for the remote counts, and it adds up over a frame: one byte now and then doesn't help.
function createFrameDeadline(options: FrameReaderOptions): { start(): void; stop(): void; reset(): void } {
  let waited = 0
  let since = 0
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      since = performance.now()
      timer = setTimeout(() => options.abort('a frame did not arrive in time'), Math.max(0, options.frameMs - waited))
    },
    stop() {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      waited += performance.now() - since
    },
    reset() {
      waited = 0
    }
  }
}
