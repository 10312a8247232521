import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Frame, decodeFrame, encodeFrame } from '../wire/frames.js'
import { type Receipt, openReceipt } from '../wire/receipt.js'
import { adoptOwn } from './adopt.js'
import { type Backoff, createBackoff } from './backoff.js'
import { type Pair, chainOf, sentMessage } from './chain.js'
import type { ContactBook } from './contact-book.js'
import { bindHello, ownHello } from './hello.js'
import { pairKey, seqKey } from './keys.js'
import type { Channel, Clock, Link, Log, Random, Store } from './ports.js'
import type { ContactRecord } from './records.js'
import type { StepTx, Steps } from './steps.js'
import type { TaskBook } from './task-book.js'

/**
 * The way out to one contact: one long-lived stream, on which our chain goes out within a window and signed receipts
 * come back. What is due is whatever lies above the last receipt, so a lane has nothing of its own to lose.
 */
export interface Lane {
  /** Our chain is durable up to `seq`. */
  offer(seq: number): void
  /** The contact's node was heard: no reason to wait any longer. */
  hurry(): void
  /** The contact's node holds more of our chain than we do: fetch it before anything else. */
  recover(): void
  /** Ends the stream and all waiting at once. */
  cut(): void
  /** Why nothing gets through, when something waits: `unreachable` or `not_contact`. */
  obstacle(): 'unreachable' | 'not_contact' | undefined
  connected(): boolean
}

export interface DeliverComponents {
  readonly store: Store
  readonly steps: Steps
  readonly link: Link
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly contacts: ContactBook
  readonly book: TaskBook
}

export interface DeliverOptions {
  /** Messages on their way without a receipt, at the most. */
  readonly window: number
  /** How long the other node may take for its hello, milliseconds. */
  readonly helloMs: number
  readonly backoff: { readonly firstMs: number; readonly maxMs: number }
}

/** An open stream and how far it got. */
interface Session {
  readonly channel: Channel
  readonly callOff: () => void
  /** Set when both hellos were compared: nothing is sent before. */
  ready: boolean
  /** Next message to send on this stream. */
  next: number
  /** Last message that a receipt of this stream, or the peer's hello, covers. */
  acked: number
  /** The peer asked for its window to drain. */
  blocked: boolean
}

export function createLane(components: DeliverComponents, options: DeliverOptions, pair: Pair): Lane {
  const { store, steps, link, clock, log, contacts, book } = components
  const name = pairKey(pair.agent, pair.peer)
  const backoff: Backoff = createBackoff(components, options.backoff)
  let durable = 0
  let session: Session | undefined
  let connecting = false
  let stopped = false
  /** How this attempt ends, unless the hellos are exchanged. */
  let outcome: 'unreachable' | 'not_contact' = 'unreachable'
  let hindered: 'unreachable' | 'not_contact' | undefined

  function contact(): ContactRecord | undefined {
    return contacts.find(store, pair)
  }

  /** Something waits for the peer, and its owner's answer is not what it waits for. */
  function due(): boolean {
    const record = contact()
    if (record === undefined || record.frozen !== undefined || record.state === 'blocked' || record.state === 'pending')
      return false
    return chainOf(store, pair).acked < durable
  }

  function wakeUp(): void {
    if (!backoff.waiting() && due()) reach()
  }

  function reach(): void {
    if (stopped || connecting) return
    connecting = true
    outcome = 'unreachable'
    connect()
      .catch((error: unknown) => {
        log.warn('peer unreachable', { pair: name, why: error instanceof Error ? error.message : 'unknown' })
        session?.channel.abort('failed')
      })
      .finally(onEnd)
  }

  /** Resolves when the stream that it opened has ended. */
  async function connect(): Promise<void> {
    const record = contact()
    if (record === undefined) return
    // A lane exists only for a contact that our owner asked for or accepted: its private addresses are wanted.
    const channel = await link.connect({ peerId: record.peerId, addrs: record.addrs, allowPrivate: true })
    if (stopped) return channel.abort('stopped')
    const started: Session = {
      channel,
      callOff: clock.wake(options.helloMs, () => channel.abort('no hello in time')),
      ready: false,
      next: 0,
      acked: 0,
      blocked: false
    }
    session = started
    channel.read((frame) => onFrame(started, frame))
    const hello = await steps.run((tx) => ownHello(tx, pair))
    void channel.send(encodeFrame({ type: 'hello', hello }))
    await channel.closed
  }

  /** Whether it was never reached, refused us or broke off: what is still due is tried again after a pause. */
  function onEnd(): void {
    session?.callOff()
    session = undefined
    connecting = false
    if (stopped || !due()) return
    hindered = outcome
    // A node that doesn't know us (yet) is asked seldom; one that is asleep is tried with growing pauses.
    backoff.start(hindered, wakeUp)
  }

  async function onFrame(at: Session, bytes: Uint8Array): Promise<void> {
    const frame = decodeFrame(bytes)
    const done = frame.ok ? await onDecoded(at, frame.value) : frame
    if (done.ok) return
    log.warn('stream ended by a bad frame', { pair: name, code: done.refusal.details.code })
    at.channel.abort('bad frame')
  }

  async function onDecoded(at: Session, frame: Frame): Promise<Result<void>> {
    if (!at.ready) {
      if (frame.type === 'refuse') return knock(at, frame.code)
      if (frame.type === 'hello') return greet(at, frame.hello)
      return fail(badRequest('malformed_message', `a ${frame.type} before the hello`))
    }
    switch (frame.type) {
      case 'receipt':
        return take(at, frame.bytes)
      case 'want':
        return resend(at, frame)
      case 'message':
        return takeBack(at, frame.bytes)
      case 'refuse':
        at.channel.close()
        return ok()
      case 'hello':
        return fail(badRequest('malformed_message', 'a second hello'))
    }
  }

  /** The node does not know us. Where we wait for its owner's yes, the one thing we may say is the request itself. */
  function knock(at: Session, code: string): Result<void> {
    if (code === 'not_contact') outcome = code
    const request = contact()?.state === 'requested' ? lastRequest(store, pair) : undefined
    if (code !== 'not_contact' || request === undefined) {
      at.channel.close()
      return ok()
    }
    void at.channel.send(encodeFrame({ type: 'message', bytes: request }))
    return ok()
  }

  /** Compares the heads: what the peer holds of our chain says where to go on, or that we lost something. */
  async function greet(at: Session, hello: Parameters<typeof bindHello>[0]): Promise<Result<void>> {
    const bound = bindHello(hello, at.channel.peerId)
    if (!bound.ok) return bound
    if (bound.value.card.agent !== pair.peer || bound.value.to !== pair.agent) {
      return fail(badRequest('wrong_sender', 'the hello is not from this contact to this agent'))
    }
    at.callOff()
    hindered = undefined
    backoff.reset()
    const held = bound.value.have.yours
    const fork = await steps.run((tx) => {
      const record = contacts.find(tx, pair)
      if (record !== undefined) contacts.refresh(tx, record, bound.value.card, bound.value.cardText)
      const out = chainOf(tx, pair).out
      const same = held.seq === 0 || held.seq > out.seq || sentMessage(tx, pair, held.seq).id === held.id
      if (!same) contacts.freeze(tx, pair, held.seq, clock.now())
      return { same, lost: held.seq > out.seq, from: out.seq + 1 }
    })
    if (!fork.same) return fail(badRequest('wrong_sender', 'the peer holds another message under a number of ours'))
    at.ready = true
    at.acked = held.seq
    at.next = held.seq + 1
    if (fork.lost) void at.channel.send(encodeFrame({ type: 'want', chain: 'mine', from: fork.from }))
    pump(at)
    return ok()
  }

  /** Sends what is durable, within the window. */
  function pump(at: Session): void {
    while (session === at && at.ready && !at.blocked && at.next <= durable && at.next - at.acked <= options.window) {
      const bytes = store.get('sent', seqKey(pair.agent, pair.peer, at.next))
      if (bytes === undefined) throw new Error(`our chain has a hole at ${at.next}`)
      at.next++
      const drain = at.channel.send(encodeFrame({ type: 'message', bytes }))
      if (drain !== undefined) waitFor(at, drain)
    }
  }

  function waitFor(at: Session, drain: Promise<void>): void {
    at.blocked = true
    void drain.then(() => {
      at.blocked = false
      pump(at)
    })
  }

  /** A signed receipt: everything up to `upTo` is on the peer's disk. */
  function take(at: Session, bytes: Uint8Array): Result<void> {
    const opened = openReceipt(bytes, { from: pair.peer, to: pair.agent })
    if (!opened.ok) return opened
    const receipt = opened.value
    const { seq, id } = receipt.upTo
    if (seq < 1 || seq > durable || sentMessage(store, pair, seq).id !== id)
      return fail(badRequest('malformed_message', 'a receipt for a message that we did not write'))
    at.acked = Math.max(at.acked, receipt.upTo.seq)
    void steps
      .runLazily((tx) => cover(tx, receipt, bytes))
      .catch((error: unknown) => {
        log.warn('receipt not stored', { pair: name, why: String(error) })
        // On a stream that goes on nobody would say it again; a new one begins with it.
        at.channel.abort('receipt not stored')
      })
    pump(at)
    return ok()
  }

  /** Stages what a receipt proves: the outbox shrinks, and each task learns how far its entries are covered. */
  function cover(tx: StepTx, receipt: Receipt, bytes: Uint8Array): void {
    const chain = chainOf(tx, pair)
    if (receipt.upTo.seq <= chain.acked) return
    tx.put('receipts', seqKey(pair.agent, pair.peer, receipt.upTo.seq), bytes)
    tx.put('chains', name, { ...chain, acked: receipt.upTo.seq })
    for (let seq = chain.acked + 1; seq <= receipt.upTo.seq; seq++) {
      const place = sentMessage(tx, pair, seq).header.task
      const record = place === undefined ? undefined : book.find(tx, pair.agent, place.uid)
      if (record !== undefined && record.peer === pair.peer) book.cover(tx, record, seq, receipt.head)
    }
  }

  /** The peer asks for messages again. Its own, which it lost, it asks for on the stream that it opened. */
  function resend(at: Session, want: Extract<Frame, { type: 'want' }>): Result<void> {
    if (want.chain !== 'yours' || want.from < 1 || want.from > at.next) {
      return fail(badRequest('malformed_message', 'a want for what was not sent on this stream'))
    }
    at.next = want.from
    pump(at)
    return ok()
  }

  /** A message of our own that we lost: adopted when it is signed by us and follows our head. */
  async function takeBack(at: Session, bytes: Uint8Array): Promise<Result<void>> {
    const adopted = adoptOwn({ steps, book, clock }, pair, bytes)
    if (!adopted.ok) return adopted
    durable = Math.max(durable, await adopted.value)
    pump(at)
    return ok()
  }

  return {
    offer(seq) {
      durable = Math.max(durable, seq)
      if (session === undefined) wakeUp()
      else pump(session)
    },
    hurry() {
      backoff.reset()
      wakeUp()
    },
    recover() {
      backoff.reset()
      reach()
    },
    cut() {
      stopped = true
      backoff.reset()
      session?.callOff()
      session?.channel.abort('cut')
      session = undefined
    },
    obstacle: () => hindered,
    connected: () => session?.ready === true
  }
}

/** Our newest contact request in the chain towards the peer. */
function lastRequest(tx: Pick<StepTx, 'get'>, pair: Pair): Uint8Array | undefined {
  const chain = chainOf(tx, pair)
  for (let seq = chain.out.seq; seq > chain.acked; seq--) {
    const message = sentMessage(tx, pair, seq)
    if (message.content?.kind === 'contact.request') return message.bytes
  }
  return undefined
}
