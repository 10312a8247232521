/** A network in memory without weather: frames arrive in order, one turn of the loop later, until somebody cuts the wire. */
import type { PeerId } from '../../src/base/ids.js'
import type { Channel, Clock, Link, Target } from '../../src/flows/ports.js'
import { type Frame, decodeFrame } from '../../src/wire/frames.js'

/** One frame as it left a node. */
interface Said {
  readonly from: PeerId
  readonly to: PeerId
  readonly bytes: Uint8Array
  readonly type: Frame['type'] | 'junk'
}

export interface Wires {
  /** What one node sees of the network. Opening it again replaces what was there: the node was restarted. */
  open(peerId: PeerId): Link
  /** Nobody answers there, and its streams die. */
  close(peerId: PeerId): void
  /** Unplugs a node, or plugs it in again. */
  setReachable(peerId: PeerId, reachable: boolean): void
  /** From its next start on a node says that it is there: an address without its peer id. */
  move(peerId: PeerId, address: string): void
  /** Cuts every stream. */
  cut(): void
  /** Frames for which this is true are lost, and the stream with them. */
  loseIf(rule: ((said: Said) => boolean) | undefined): void
  /** Every frame since the last `forget`. */
  readonly said: readonly Said[]
  forget(): void
  /** Every dial since the last `forget`. */
  readonly dials: ReadonlyArray<{ readonly from: PeerId; readonly target: Target }>
  readonly contacts: ReadonlyMap<PeerId, ReadonlySet<PeerId>>
  /** Streams that are open at either end. */
  streams(): number
}

interface Listener {
  accept: ((channel: Channel) => void) | undefined
  alive: boolean
}

/** Frames that wait before `send` asks to wait. */
const HIGH_WATER = 8

export function createWires(clock: Clock): Wires {
  const listeners = new Map<PeerId, Listener>()
  const unplugged = new Set<PeerId>()
  const moved = new Map<PeerId, string>()
  const contacts = new Map<PeerId, ReadonlySet<PeerId>>()
  let ends: End[] = []
  let said: Said[] = []
  let dials: Array<{ from: PeerId; target: Target }> = []
  let lost: ((said: Said) => boolean) | undefined

  function note(from: PeerId, to: PeerId, bytes: Uint8Array): 'arrives' | 'lost' {
    const frame = decodeFrame(bytes)
    const one: Said = { from, to, bytes, type: frame.ok ? frame.value.type : 'junk' }
    said.push(one)
    return lost?.(one) === true ? 'lost' : 'arrives'
  }

  function connect(from: PeerId, own: Listener, target: Target): Promise<Channel> {
    dials.push({ from, target })
    return new Promise((resolve, reject) =>
      clock.defer(() => {
        const far = listeners.get(target.peerId)
        const known = target.addrs.includes(addressOf(target.peerId, moved.get(target.peerId)))
        const off = unplugged.has(from) || unplugged.has(target.peerId)
        if (!own.alive || off || !known || far?.alive !== true || far.accept === undefined)
          return reject(new Error('nobody answers'))
        const [near, there] = pairOfEnds(from, target.peerId)
        far.accept(there)
        resolve(near)
      })
    )
  }

  function pairOfEnds(from: PeerId, to: PeerId): readonly [End, End] {
    const near = new End(clock, { own: from, far: to }, note)
    const far = new End(clock, { own: to, far: from }, note)
    near.far = far
    far.far = near
    ends = [...ends.filter((end) => !end.ended), near, far]
    return [near, far]
  }

  function cutEndsOf(peerId: PeerId | undefined): void {
    for (const end of ends) if (peerId === undefined || end.touches(peerId)) end.finish()
  }

  return {
    contacts,
    streams: () => ends.filter((end) => !end.ended).length,
    get said() {
      return said
    },
    get dials() {
      return dials
    },
    forget() {
      said = []
      dials = []
    },
    open(peerId) {
      const before = listeners.get(peerId)
      if (before !== undefined) before.alive = false
      const own: Listener = { accept: undefined, alive: true }
      listeners.set(peerId, own)
      return {
        peerId,
        addrs: () => [addressOf(peerId, moved.get(peerId))],
        setContacts: (peers) => void contacts.set(peerId, peers),
        onChannel: (accept) => void (own.accept = accept),
        connect: (target) => connect(peerId, own, target)
      }
    },
    close(peerId) {
      const own = listeners.get(peerId)
      if (own !== undefined) own.alive = false
      cutEndsOf(peerId)
    },
    setReachable(peerId, reachable) {
      if (reachable) unplugged.delete(peerId)
      else unplugged.add(peerId)
      if (!reachable) cutEndsOf(peerId)
    },
    move: (peerId, address) => void moved.set(peerId, address),
    cut: () => cutEndsOf(undefined),
    loseIf: (rule) => void (lost = rule)
  }
}

/** Where a node of these worlds says it is. */
export function addressOf(peerId: PeerId, address = '/ip4/127.0.0.1/tcp/4650'): string {
  return `${address}/p2p/${peerId}`
}

class End implements Channel {
  readonly closed: Promise<void>
  readonly peerId: PeerId
  ended = false
  far: End | undefined
  /** What the far side sent and this side has not taken yet; undefined = it says no more. */
  readonly #arrived: Array<Uint8Array | undefined> = []
  #resolve: () => void = () => undefined
  #onFrame: ((frame: Uint8Array) => Promise<void> | void) | undefined
  #closing = false
  #busy = false
  #drains: Array<() => void> = []

  constructor(
    readonly clock: Clock,
    readonly sides: { readonly own: PeerId; readonly far: PeerId },
    readonly note: (from: PeerId, to: PeerId, bytes: Uint8Array) => 'arrives' | 'lost'
  ) {
    this.peerId = sides.far
    this.closed = new Promise((resolve) => (this.#resolve = resolve))
  }

  touches(peerId: PeerId): boolean {
    return this.sides.own === peerId || this.sides.far === peerId
  }

  send(frame: Uint8Array): Promise<void> | undefined {
    if (this.ended || this.#closing) return undefined
    const copy = frame.slice()
    if (this.note(this.sides.own, this.sides.far, copy) === 'lost') {
      this.finish()
      return undefined
    }
    return this.far?.arrive(copy)
  }

  arrive(parcel: Uint8Array | undefined): Promise<void> | undefined {
    if (this.ended) return undefined
    this.#arrived.push(parcel)
    this.clock.defer(() => this.#pump())
    if (this.#arrived.length < HIGH_WATER) return undefined
    return new Promise((resolve) => this.#drains.push(resolve))
  }

  read(onFrame: (frame: Uint8Array) => Promise<void> | void): void {
    if (this.#onFrame !== undefined) throw new Error('a channel is read once')
    this.#onFrame = onFrame
    this.clock.defer(() => this.#pump())
  }

  close(): void {
    if (this.ended || this.#closing) return
    this.#closing = true
    void this.far?.arrive(undefined)
  }

  abort(): void {
    this.finish()
  }

  finish(): void {
    if (this.ended) return
    this.ended = true
    for (const resume of this.#drains.splice(0)) resume()
    this.#resolve()
    this.clock.defer(() => this.far?.finish())
  }

  #pump(): void {
    while (!this.ended && !this.#busy && this.#onFrame !== undefined && this.#arrived.length > 0) {
      this.#take(this.#arrived.shift())
      if (this.#arrived.length < HIGH_WATER / 2) for (const resume of this.#drains.splice(0)) resume()
    }
  }

  #take(frame: Uint8Array | undefined): void {
    // Both sides have said all they had to say.
    if (frame === undefined) return this.finish()
    let taking: Promise<void> | void
    try {
      taking = this.#onFrame?.(frame)
    } catch {
      return this.finish()
    }
    if (taking === undefined) return
    this.#busy = true
    taking.then(
      () => {
        this.#busy = false
        this.#pump()
      },
      () => this.finish()
    )
  }
}
