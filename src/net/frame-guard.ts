import type { ComponentLogger, MessageStream, StreamMuxerFactory } from '@libp2p/interface'

/**
 * Stops a node that announces a muxer frame larger than any window. Yamux gathers a whole frame before it compares its
 * length with the window, so that one header, four gigabytes promised, would fill our memory at the speed of the line.
 * This watches the headers go by (12 bytes: version, type, 2 flags, 4 stream id, 4 length; only type 0 has a body).
 */
const HEADER_BYTES = 12
const DATA = 0

export function createHeaderWatch(maxBody: number): (bytes: Uint8Array) => boolean {
  const header = new Uint8Array(HEADER_BYTES)
  const view = new DataView(header.buffer)
  let filled = 0
  let skip = 0

  /** False as soon as a frame is larger than it may be. */
  return (bytes) => {
    let at = 0
    while (at < bytes.length) {
      const jump = Math.min(skip, bytes.length - at)
      at += jump
      skip -= jump
      while (skip === 0 && filled < HEADER_BYTES && at < bytes.length) header[filled++] = bytes[at++] ?? 0
      if (filled < HEADER_BYTES) continue
      filled = 0
      skip = header[1] === DATA ? view.getUint32(8) : 0
      if (skip > maxBody) return false
    }
    return true
  }
}

/** The same muxer, behind the watch. */
export function guarded<C extends { logger: ComponentLogger }>(
  muxer: (components: C) => StreamMuxerFactory,
  maxBody: number
): (components: C) => StreamMuxerFactory {
  return (components) => {
    const factory = muxer(components)
    const create = factory.createStreamMuxer.bind(factory)
    factory.createStreamMuxer = (connection) => {
      watch(connection, maxBody)
      return create(connection)
    }
    return factory
  }
}

// The only raw `message` listener of ours: it parses nothing, calls nobody and can't throw.
function watch(connection: MessageStream, maxBody: number): void {
  const fits = createHeaderWatch(maxBody)
  connection.addEventListener('message', (event) => {
    const pieces = event.data instanceof Uint8Array ? [event.data] : event.data
    for (const piece of pieces) {
      if (fits(piece)) continue
      connection.abort(new Error('a muxer frame is larger than any window'))
      return
    }
  })
}
