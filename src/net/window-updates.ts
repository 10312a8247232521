import type { Stream } from '@libp2p/interface'

/**
 * Yamux tells the sender after each of its frames how much room there is again: a frame of its own, encrypted, written
 * and woken up for, and sent before the frame that came is looked at. Nobody needs to know before half of the window is
 * used up: the sender has the other half until then.
 */

/** What yamux's stream has beyond the face that libp2p gives it; channel.spec.ts notices when it has it no more. */
interface YamuxStream {
  /** Bytes of the whole window, and what the sender may still send of it. */
  readonly recvWindow: number
  readonly recvWindowCapacity: number
  sendWindowUpdate(): void
}

/** Lets a stream whose opening has been negotiated send its updates by halves of a window. */
export function updateByHalves(stream: Stream): void {
  if (!isYamux(stream)) return
  const update = stream.sendWindowUpdate.bind(stream)
  stream.sendWindowUpdate = () => {
    if (stream.recvWindowCapacity * 2 <= stream.recvWindow) update()
  }
}

function isYamux(stream: object): stream is YamuxStream {
  const { recvWindow, recvWindowCapacity, sendWindowUpdate } = stream as Partial<YamuxStream>
  return [typeof recvWindow, typeof recvWindowCapacity, typeof sendWindowUpdate].join() === 'number,number,function'
}
