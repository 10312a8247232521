import { encodeFrame } from '../wire/frames.js'
import { type Backoff, createBackoff } from './backoff.js'
import { type Pair, chainOf } from './chain.js'
import { ownHello } from './hello.js'
import { pairKey } from './keys.js'
import type { Channel, Clock, Link, Random } from './ports.js'
import type { ContactRecord } from './records/contacts.js'
import { type Speaking, type SpeakingComponents, createSpeaking } from './speaking.js'

/**
 * The way out to one contact: it is reached when something is due, tried again after a pause when that fails, and one
 * long-lived stream brings it our chain (`speaking.ts`). What is due is whatever lies above the last receipt, so a lane
 * has nothing of its own to lose.
 */
export interface Lane {
  /** Our chain is durable up to `seq`. */
  offer(seq: number): void
  /** Calls once within a few seconds though nothing is due here: our hello brings what waits over there. */
  greet(): void
  /** The contact's node was heard, and perhaps how much of our chain it holds: no reason to wait any longer. */
  hurry(holds?: number): void
  /** Ends the stream and all waiting at once. */
  cut(): void
  /** Why nothing gets through, when something waits. */
  obstacle(): Obstacle | undefined
  connected(): boolean
}

/** `not_contact`: its node doesn't know us (yet). `busy`: it can't store anything now. */
type Obstacle = 'unreachable' | 'not_contact' | 'busy'

export interface DeliverComponents extends SpeakingComponents {
  readonly link: Link
  readonly clock: Clock
  readonly random: Random
}

export interface DeliverOptions {
  /** Messages on their way without a receipt, at the most. */
  readonly window: number
  /** How long the other node may take for its hello, milliseconds. */
  readonly helloMs: number
  readonly backoff: { readonly firstMs: number; readonly maxMs: number }
}

/** The open stream. */
interface Session {
  readonly channel: Channel
  /** Calls off the deadline of the hello. */
  readonly callOff: () => void
  readonly speaking: Speaking
}

/** How an attempt ended, and the pause that the other node asked for. */
interface Outcome {
  readonly why: Obstacle
  readonly afterMs: number
}

/** Milliseconds over which the first calls of a node are spread, so that one with many contacts doesn't dial them at once. */
const GREET_WITHIN_MS = 3_000

const NO_ANSWER: Outcome = { why: 'unreachable', afterMs: 0 }

export function createLane(components: DeliverComponents, options: DeliverOptions, pair: Pair): Lane {
  const { store, steps, link, clock, random, log, contacts } = components
  const backoff: Backoff = createBackoff(components, options.backoff)
  let durable = 0
  /** What the peer said last that it holds of our chain: less than its receipts cover, when it came back from a backup. */
  let held = Infinity
  /** The same when the stream of now began: a hello that says less was not merely overtaken by receipts. */
  let atFirst = 0
  let session: Session | undefined
  let connecting = false
  let stopped = false
  /** How this attempt ends, unless something better is known. */
  let outcome = NO_ANSWER
  let hindered: Obstacle | undefined

  function contact(): ContactRecord | undefined {
    return contacts.find(store, pair)
  }

  /** Something waits for the peer, or waits there for us, and no owner's answer stands between. */
  function due(): boolean {
    const record = contact()
    if (record === undefined || !mayReach(record)) return false
    const { out, acked, lostUpTo } = chainOf(store, pair)
    return Math.min(acked, held) < out.seq || lostUpTo !== undefined
  }

  function wakeUp(): void {
    if (!backoff.waiting() && due()) reach()
  }

  function reach(): void {
    if (stopped || connecting) return
    connecting = true
    atFirst = 0
    outcome = NO_ANSWER
    connect()
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown'
        log.warn('peer unreachable', { pair: pairKey(pair.agent, pair.peer), why })
        session?.channel.abort('failed')
      })
      .finally(onEnd)
  }

  /** Resolves when the stream that it opened has ended. */
  async function connect(): Promise<void> {
    const record = contact()
    if (record === undefined) return
    // A lane reaches only whom our owner asked for or accepted: its private addresses are wanted.
    const channel = await link.connect({ peerId: record.peerId, addrs: record.addrs, allowPrivate: true })
    if (stopped) return channel.abort('stopped')
    const callOff = clock.wake(options.helloMs, () => channel.abort('no hello in time'))
    const speaking = createSpeaking(components, options, { channel, pair, durable: () => durable, found, on })
    session = { channel, callOff, speaking }
    channel.read(speaking.hear)
    const hello = await steps.run((tx) => ownHello(tx, pair))
    found(hello.have.mine.seq)
    void channel.send(encodeFrame({ type: 'hello', hello }))
    await channel.closed
  }

  /** Our chain is on disk up to here. */
  function found(seq: number): void {
    durable = Math.max(durable, seq)
  }

  const on = {
    holds: (seq: number) => void (held = seq),
    greeted(): void {
      atFirst = held
      session?.callOff()
      hindered = undefined
      // With something due, only a receipt shows that the way is open: a node that greets and stores nothing is spared.
      if (!due()) backoff.reset()
    },
    progress: () => backoff.reset(),
    refused(why: Obstacle, afterMs: number): void {
      outcome = { why, afterMs }
    }
  }

  /** Whether it was never reached, refused us or broke off: what is still due is tried again after a pause. */
  function onEnd(): void {
    session?.callOff()
    session?.speaking.end()
    session = undefined
    connecting = false
    if (stopped || !due()) return
    hindered = outcome.why
    // A goodbye to a node that does not know us any more has nobody to reach.
    if (hindered === 'not_contact' && contact()?.state === 'removed') return
    backoff.start(outcome, wakeUp)
  }

  return {
    offer(seq) {
      found(seq)
      if (session === undefined) wakeUp()
      else session.speaking.pump()
    },
    greet() {
      if (contact()?.state !== 'active' || contact()?.frozen !== undefined) return
      clock.wake(Math.ceil(random.fraction() * GREET_WITHIN_MS), () => {
        if (!backoff.waiting()) reach()
      })
    },
    hurry(holds) {
      if (holds !== undefined && (session === undefined || holds < atFirst)) held = holds
      backoff.reset()
      wakeUp()
    },
    cut() {
      stopped = true
      backoff.reset()
      session?.callOff()
      session?.speaking.end()
      session?.channel.abort('cut')
      session = undefined
    },
    obstacle: () => hindered,
    connected: () => session?.speaking.isReady() === true
  }
}

/** Whom we may call: contacts that our owner asked for or accepted, and one that is owed our goodbye. */
function mayReach(record: ContactRecord): boolean {
  if (record.frozen !== undefined) return false
  if (record.state !== 'removed') return record.state === 'active' || record.state === 'requested'
  return record.reason === 'removed_by_us' || record.reason === 'declined_by_us'
}
