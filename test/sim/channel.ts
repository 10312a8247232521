/** One simulated connection: two ends, frames in order, until it dies at an arbitrary frame. */
import type { PeerId } from '../../src/base/ids.js'
import type { Channel } from '../../src/flows/ports.js'
import type { Prng } from './prng.js'
import type { Scheduler } from './scheduler.js'

/** Frames that an end may have on their way or unread before `send` asks to wait. */
const HIGH_WATER = 64
/** After this long a side that hears nothing of a dead connection finds out, in milliseconds. */
const HALF_OPEN_MS = 45_000

/** Share of broken directions whose frames under way are lost; the others still arrive until the far side notices. */
const LOST_SHARE = 0.5

/** What happens to a frame on its way, decided when it is sent. */
export interface Weather {
  /** Milliseconds for one frame. */
  latency(): number
  /** How often the frame arrives: 1, or 0 and 2 where the peer's software is odd. */
  copies(frame: Uint8Array): number
}

export interface Side {
  readonly peerId: PeerId
  readonly name: string
  /** Whether the process at this side still runs: a dead one hears nothing and says nothing. */
  readonly alive: () => boolean
  readonly sent: (frame: Uint8Array) => void
}

export interface Connection {
  readonly ends: readonly [Channel, Channel]
  /** The connection dies now; each side learns of it at once, or only after a while (half-open). */
  cut(): void
  /** Nothing arrives until it is called with `false`; then everything that waited does. */
  stall(stalled: boolean): void
  readonly dead: boolean
  /** Frames sent and not yet taken by the other side. */
  readonly inFlight: number
}

export interface ConnectionComponents {
  readonly scheduler: Scheduler
  readonly prng: Prng
  readonly weather: Weather
}

export function createConnection(
  components: ConnectionComponents,
  sides: readonly [Side, Side],
  name: string
): Connection {
  const { prng, scheduler } = components
  const state = { dead: false, stalled: false }
  const ends: readonly [End, End] = [
    new End(components, state, { own: sides[0], far: sides[1] }, `${name}>`),
    new End(components, state, { own: sides[1], far: sides[0] }, `${name}<`)
  ]
  ends[0].far = ends[1]
  ends[1].far = ends[0]
  return {
    ends,
    cut() {
      if (state.dead) return
      state.dead = true
      for (const end of ends) {
        if (prng.chance(LOST_SHARE)) end.lose()
        const ms = prng.chance(0.3) ? prng.whole(1_000, HALF_OPEN_MS) : prng.whole(0, 200)
        scheduler.after(ms, `${name} noticed cut`, () => end.finish())
      }
    },
    stall(stalled) {
      state.stalled = stalled
      if (!stalled) for (const end of ends) end.pump()
    },
    get dead() {
      return state.dead || (ends[0].ended && ends[1].ended)
    },
    get inFlight() {
      return ends[0].queue.length + ends[1].queue.length
    }
  }
}

interface Shared {
  dead: boolean
  stalled: boolean
}

type Parcel = { readonly frame: Uint8Array } | { readonly end: true }

class End implements Channel {
  /** What this side sent and the far side has not taken yet. */
  readonly queue: Parcel[] = []
  readonly closed: Promise<void>
  ended = false
  far: End | undefined
  readonly peerId: PeerId
  #resolveClosed: () => void = () => undefined
  #closing = false
  #lost = false
  #arrival = 0
  #arrived = 0
  #onFrame: ((frame: Uint8Array) => Promise<void> | void) | undefined
  #busy = false
  #drains: Array<() => void> = []

  constructor(
    readonly components: ConnectionComponents,
    readonly shared: Shared,
    readonly sides: { readonly own: Side; readonly far: Side },
    readonly name: string
  ) {
    this.peerId = sides.far.peerId
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }

  send(frame: Uint8Array): Promise<void> | undefined {
    if (this.ended || this.#closing || !this.sides.own.alive()) return undefined
    const copy = frame.slice()
    this.sides.own.sent(copy)
    // Into a broken wire.
    if (this.shared.dead) return undefined
    const copies = this.components.weather.copies(copy)
    for (let copied = 0; copied < copies; copied++) this.#post({ frame: copy })
    if (this.queue.length < HIGH_WATER) return undefined
    return new Promise((resolve) => this.#drains.push(resolve))
  }

  read(onFrame: (frame: Uint8Array) => Promise<void> | void): void {
    if (this.#onFrame !== undefined) throw new Error('a channel is read once')
    this.#onFrame = onFrame
    this.far?.pump()
  }

  close(): void {
    if (this.ended || this.#closing || !this.sides.own.alive()) return
    this.#closing = true
    this.#post({ end: true })
  }

  abort(): void {
    if (this.ended || !this.sides.own.alive()) return
    const { prng, scheduler, weather } = this.components
    this.shared.dead = true
    if (prng.chance(LOST_SHARE)) this.lose()
    this.finish()
    const last = Math.max(0, this.#arrival - scheduler.now())
    const ms = this.#lost ? weather.latency() : last + weather.latency()
    scheduler.after(ms, `${this.name} reset`, () => this.far?.finish())
  }

  /** What this side sent and the far side has not got is gone. */
  lose(): void {
    this.#lost = true
    this.queue.length = 0
  }

  /** This side is over: it hears nothing more, and nobody waits any longer. */
  finish(): void {
    if (this.ended) return
    this.ended = true
    this.far?.lose()
    // A process that is gone must not go on running because its connection ended.
    if (!this.sides.own.alive()) return
    for (const resume of this.#drains.splice(0)) resume()
    this.#resolveClosed()
  }

  #post(parcel: Parcel): void {
    const { scheduler, weather } = this.components
    if (this.#lost) return
    this.queue.push(parcel)
    this.#arrival = Math.max(this.#arrival, scheduler.now() + weather.latency())
    scheduler.after(this.#arrival - scheduler.now(), `${this.name} arrives`, () => {
      this.#arrived++
      this.pump()
    })
  }

  /** Hands over what has arrived, one frame at a time, as fast as the far side reads. */
  pump(): void {
    const far = this.far
    while (far !== undefined && this.#arrived > 0 && this.queue.length > 0 && this.#deliverable(far)) {
      this.#arrived--
      const parcel = this.queue.shift() as Parcel
      if (this.queue.length < HIGH_WATER / 2) for (const resume of this.#drains.splice(0)) resume()
      far.take(parcel)
    }
  }

  #deliverable(far: End): boolean {
    const open = !this.#lost && !this.shared.stalled && !far.ended && far.sides.own.alive()
    return open && !far.#busy && far.#onFrame !== undefined
  }

  take(parcel: Parcel): void {
    if ('end' in parcel) return this.#farEnded()
    let taking: Promise<void> | void
    try {
      taking = this.#onFrame?.(parcel.frame)
    } catch {
      return this.abort()
    }
    if (taking === undefined) return
    this.#busy = true
    taking.then(
      () => {
        this.#busy = false
        this.far?.pump()
      },
      () => this.abort()
    )
  }

  /** Half-close: the far side says no more; we end too once our own last frame has left. */
  #farEnded(): void {
    this.close()
    this.components.scheduler.after(this.components.weather.latency(), `${this.name} closed`, () => {
      this.far?.finish()
      this.finish()
    })
  }
}
