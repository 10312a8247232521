import type { ComponentLogger, MessageStream, StreamMuxerFactory } from '@libp2p/interface'

/**
 * Stops a node that abuses the muxer below our streams, where no budget reaches. Yamux gathers a whole frame before it
 * compares its length with the window, so that one header, four gigabytes promised, would fill our memory at the speed
 * of the line. And a frame of one byte, or of none, costs us as much as a full one. This watches the headers go by
 * (12 bytes: version, type, 2 flags, 4 stream id, 4 length; only type 0 has a body).
 */
export interface MuxerLimits {
  /** Largest body, bytes: the window of a stream. */
  readonly maxBody: number
  /** Frames per second, lasting, and at once. Whoever fills its frames needs far fewer. */
  readonly framesPerSecond: number
  readonly framesAtOnce: number
}

const HEADER_BYTES = 12
const DATA = 0

/** Takes the bytes of one connection in order; false as soon as they break a limit. `now` in milliseconds. */
export function createHeaderWatch(limits: MuxerLimits, now: () => number): (bytes: Uint8Array) => boolean {
  const header = new Uint8Array(HEADER_BYTES)
  const view = new DataView(header.buffer)
  let filled = 0
  let skip = 0
  let credit = limits.framesAtOnce
  let refilledAt = now()

  // The clock is asked only when the credit is used up, which an honest connection sees every few seconds at most.
  function refill(): void {
    const at = now()
    credit = Math.min(limits.framesAtOnce, ((at - refilledAt) * limits.framesPerSecond) / 1000)
    refilledAt = at
  }

  function accept(): boolean {
    filled = 0
    skip = header[1] === DATA ? view.getUint32(8) : 0
    if (credit < 1) refill()
    return skip <= limits.maxBody && credit-- >= 1
  }

  return (bytes) => {
    let at = 0
    while (at < bytes.length) {
      const jump = Math.min(skip, bytes.length - at)
      at += jump
      skip -= jump
      while (skip === 0 && filled < HEADER_BYTES && at < bytes.length) header[filled++] = bytes[at++] ?? 0
      if (filled === HEADER_BYTES && !accept()) return false
    }
    return true
  }
}

/** The same muxer, behind the watch. */
export function guarded<C extends { logger: ComponentLogger }>(
  muxer: (components: C) => StreamMuxerFactory,
  limits: MuxerLimits
): (components: C) => StreamMuxerFactory {
  return (components) => {
    const factory = muxer(components)
    const create = factory.createStreamMuxer.bind(factory)
    factory.createStreamMuxer = (connection) => {
      watch(connection, limits)
      return create(connection)
    }
    return factory
  }
}

// The only raw `message` listener of ours: it parses nothing, calls nobody and can't throw.
function watch(connection: MessageStream, limits: MuxerLimits): void {
  const fits = createHeaderWatch(limits, () => performance.now())
  connection.addEventListener('message', (event) => {
    const pieces = event.data instanceof Uint8Array ? [event.data] : event.data
    for (const piece of pieces) {
      if (fits(piece)) continue
      connection.abort(new Error('the muxer is being abused'))
      return
    }
  })
}
