import type { Channel, Clock, Link } from './ports.js'
import type { PeerId } from '../base/ids.js'

/**
 * The way to the other agents of this node. They are contacts like any other, with chains, receipts and grants of their
 * own; only the frames between them leave by no network. So a dial to our own peer id is answered here, with a channel whose
 * far end is accepted as if it had come in from outside.
 */
export function createLocalLink(components: { readonly link: Link; readonly clock: Pick<Clock, 'defer'> }): Link {
  const { link, clock } = components
  let accept: ((channel: Channel) => void) | undefined
  return {
    get peerId() {
      return link.peerId
    },
    addrs: () => link.addrs(),
    onChannel(take) {
      accept = take
      link.onChannel(take)
    },
    setContacts: (peers) => link.setContacts(new Set([...peers].filter((peer) => peer !== link.peerId))),
    connect(target) {
      if (target.peerId !== link.peerId) return link.connect(target)
      if (accept === undefined) return Promise.reject(new Error('this node does not listen yet'))
      const [near, far] = createPipe(link.peerId, clock)
      accept(far)
      return Promise.resolve(near)
    }
  }
}

/** Frames that wait at one end before its sender is asked to wait: what two nodes on one machine would have in a socket. */
const HIGH_WATER = 64

/** Two ends of a channel in memory. Frames arrive in order, in a later turn of the loop. */
function createPipe(peerId: PeerId, clock: Pick<Clock, 'defer'>): readonly [Channel, Channel] {
  const ends = [createEnd(peerId, clock, finish), createEnd(peerId, clock, finish)] as const
  ends[0].join(ends[1])
  ends[1].join(ends[0])

  function finish(): void {
    for (const end of ends) end.finish()
  }

  return ends
}

interface End extends Channel {
  join(other: End): void
  /** A frame of the other end; undefined: nothing more will come. */
  arrive(frame: Uint8Array | undefined): Promise<void> | undefined
  /** Both directions are over. */
  finish(): void
}

function createEnd(peerId: PeerId, clock: Pick<Clock, 'defer'>, finishBoth: () => void): End {
  const queue: Array<Uint8Array | undefined> = []
  let other: End | undefined
  let onFrame: ((frame: Uint8Array) => Promise<void> | void) | undefined
  const waiters: Array<() => void> = []
  /** `closing`: what was sent still leaves, nothing more is heard. */
  let state: 'open' | 'closing' | 'over' = 'open'
  let taking = false
  let resolveClosed: () => void = () => undefined
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve))

  function release(): void {
    for (const resume of waiters.splice(0)) resume()
  }

  function takeSoon(): void {
    if (taking || onFrame === undefined || queue.length === 0) return
    taking = true
    clock.defer(() => void takeAll())
  }

  async function takeAll(): Promise<void> {
    try {
      while (state !== 'over' && queue.length > 0) await takeOne()
    } catch {
      // What a reader throws ends its channel and nothing else.
      finishBoth()
    }
    taking = false
  }

  async function takeOne(): Promise<void> {
    const frame = queue.shift()
    if (frame === undefined) return finishBoth()
    // One that closed hears no more, but takes what comes so that the other end is not held up.
    if (state === 'open') await onFrame?.(frame)
    if (queue.length < HIGH_WATER / 2) release()
  }

  return {
    peerId,
    closed,
    join(end) {
      other = end
    },
    arrive(frame) {
      if (state === 'over') return undefined
      queue.push(frame)
      takeSoon()
      return queue.length < HIGH_WATER ? undefined : new Promise((resolve) => waiters.push(resolve))
    },
    send: (frame) => (state === 'open' ? other?.arrive(frame) : undefined),
    read(take) {
      onFrame = take
      takeSoon()
    },
    close() {
      if (state !== 'open') return
      state = 'closing'
      void other?.arrive(undefined)
    },
    abort: () => finishBoth(),
    finish() {
      if (state === 'over') return
      state = 'over'
      queue.length = 0
      release()
      resolveClosed()
    }
  }
}
