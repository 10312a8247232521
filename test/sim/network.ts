/**
 * The simulated network between nodes: dialling, latency, cuts, partitions. Channels are authenticated streams of
 * ordered frames, as over TCP; what makes delivery hard is that they die at arbitrary frames, that one side may not
 * know, and that several exist at once.
 */
import type { PeerId } from '../../src/base/ids.js'
import type { Channel, Link, Target } from '../../src/flows/ports.js'
import { type Connection, type Weather, createConnection } from './channel.js'
import type { Prng } from './prng.js'
import type { Scheduler } from './scheduler.js'

/** A dial that gets no answer is given up after this, in milliseconds. */
const DIAL_DEADLINE_MS = 10_000
const QUICK_MS = 40
/** Type byte of `message` and `receipt` frames: only these may arrive twice or not at all where software is odd. */
const REPEATABLE = [0x03, 0x04]

/** Faults of the network, changed by the nemesis while the world runs. */
interface NetworkFaults {
  /** Highest latency of one frame in milliseconds. */
  slowestMs: number
  /** Share of frames after which the connection is cut. */
  cutShare: number
  /** Share of dials that fail at once. */
  dialFailShare: number
  /** Share of messages and receipts that a peer says twice. */
  doubleShare: number
}

export interface Host {
  /** Index of the node. */
  readonly index: number
  readonly peerId: PeerId
  readonly addrs: readonly string[]
}

export interface Network {
  /** A link for one incarnation of a node; `alive` turns false when it crashes. */
  linkFor(host: Host, alive: () => boolean): Link
  /** Nobody answers there any more, and its connections die. */
  down(index: number): void
  /** Two nodes can't reach each other: connections between them stall or die, dials time out. */
  partition(a: number, b: number): void
  heal(a: number, b: number): void
  /** Cuts one random connection, if there is one. */
  cutOne(): void
  /** Open connections between two nodes. */
  connections(a: number, b: number): readonly Connection[]
  readonly faults: NetworkFaults
}

export interface NetworkComponents {
  readonly scheduler: Scheduler
  readonly prng: Prng
  /** Called with every frame at the moment it leaves a node. */
  readonly onFrame: (from: number, to: number, frame: Uint8Array) => void
}

interface Listener {
  readonly host: Host
  readonly alive: () => boolean
  accept: ((channel: Channel) => void) | undefined
}

interface Wire {
  readonly key: string
  readonly connection: Connection
}

export function createNetwork(components: NetworkComponents): Network {
  const { scheduler, prng, onFrame } = components
  const faults: NetworkFaults = { slowestMs: QUICK_MS, cutShare: 0, dialFailShare: 0, doubleShare: 0 }
  const listeners = new Map<PeerId, Listener>()
  const partitions = new Set<string>()
  let wires: Wire[] = []
  let made = 0

  function unreachable(from: Listener, to: Listener | undefined): boolean {
    return to === undefined || !to.alive() || partitions.has(pairKey(from.host.index, to.host.index))
  }

  function dial(from: Listener, target: Target): Promise<Channel> {
    return new Promise((resolve, reject) => {
      const to = listeners.get(target.peerId)
      const name = `n${from.host.index} dials n${to?.host.index ?? '?'}`
      const failure = dialFailure(from, to, target)
      if (failure !== undefined || to === undefined) {
        const ms = failure === 'timeout' ? DIAL_DEADLINE_MS : latency()
        scheduler.after(ms, `${name} in vain`, () => from.alive() && reject(new Error(failure ?? 'unknown peer')))
        return
      }
      scheduler.after(latency(), name, () => connect(from, to, resolve, reject))
    })
  }

  function dialFailure(from: Listener, to: Listener | undefined, target: Target): string | undefined {
    if (!target.allowPrivate) return 'private address'
    if (to !== undefined && !target.addrs.some((addr) => to.host.addrs.includes(addr))) return 'no such address'
    if (unreachable(from, to)) return 'timeout'
    return prng.chance(faults.dialFailShare) ? 'refused' : undefined
  }

  function connect(
    from: Listener,
    to: Listener,
    resolve: (channel: Channel) => void,
    reject: (error: Error) => void
  ): void {
    if (!from.alive()) return
    if (unreachable(from, to) || to.accept === undefined) return reject(new Error('refused'))
    const name = `c${made++} n${from.host.index}-n${to.host.index}`
    const connection = createConnection(
      { scheduler, prng, weather: weather(() => connection) },
      [side(from, to), side(to, from)],
      name
    )
    wires = wires.filter((wire) => !wire.connection.dead)
    wires.push({ key: pairKey(from.host.index, to.host.index), connection })
    const [near, far] = connection.ends
    to.accept(far)
    scheduler.after(latency(), `${name} open`, () => from.alive() && resolve(near))
  }

  function side(own: Listener, far: Listener): Parameters<typeof createConnection>[1][0] {
    return {
      peerId: own.host.peerId,
      name: `n${own.host.index}`,
      alive: own.alive,
      sent: (frame) => onFrame(own.host.index, far.host.index, frame)
    }
  }

  function latency(): number {
    // Mostly quick, with a long tail: the interesting crossings need both.
    return prng.chance(0.7) ? prng.whole(1, Math.min(QUICK_MS, faults.slowestMs)) : prng.whole(1, faults.slowestMs)
  }

  function weather(connection: () => Connection): Weather {
    return {
      latency,
      copies(frame) {
        if (prng.chance(faults.cutShare)) scheduler.after(latency(), 'cut', () => connection().cut())
        return REPEATABLE.includes(frame[0] ?? 0) && prng.chance(faults.doubleShare) ? 2 : 1
      }
    }
  }

  function between(a: number, b: number): Connection[] {
    return wires.filter((wire) => wire.key === pairKey(a, b) && !wire.connection.dead).map((wire) => wire.connection)
  }

  return {
    faults,
    linkFor(host, alive) {
      const listener: Listener = { host, alive, accept: undefined }
      listeners.set(host.peerId, listener)
      return {
        peerId: host.peerId,
        addrs: () => host.addrs,
        setContacts: () => undefined,
        onChannel(accept) {
          listener.accept = accept
        },
        connect: (target) => (alive() ? dial(listener, target) : new Promise(() => undefined))
      }
    },
    down(index) {
      for (const wire of wires) if (wire.key.split('-').includes(String(index))) wire.connection.cut()
    },
    partition(a, b) {
      partitions.add(pairKey(a, b))
      for (const connection of between(a, b)) {
        if (prng.chance(0.5)) connection.cut()
        else connection.stall(true)
      }
    },
    heal(a, b) {
      partitions.delete(pairKey(a, b))
      for (const connection of between(a, b)) connection.stall(false)
    },
    cutOne() {
      const open = wires.filter((wire) => !wire.connection.dead)
      if (open.length > 0) prng.pick(open).connection.cut()
    },
    connections: between
  }
}

function pairKey(a: number, b: number): string {
  return a < b ? `${a}-${b}` : `${b}-${a}`
}
