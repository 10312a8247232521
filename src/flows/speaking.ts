import type { TaskUid } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Frame, type Hello, decodeFrame, encodeFrame } from '../wire/frames.js'
import { type Receipt, openReceipt } from '../wire/receipt.js'
import { adoptOwn } from './adopt.js'
import { type Pair, chainOf, noteAcked, noteHeld, queuedRequest, sentMessage } from './chain.js'
import { isCurrent } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { type BoundHello, bindHello } from './hello.js'
import { pairKey, seqKey } from './keys.js'
import type { JobBook } from './job-book.js'
import type { OfferBook } from './offer-book.js'
import type { Channel, Clock, Log, Store } from './ports.js'
import type { StepTx, Steps } from './steps.js'
import type { EnvelopeIntake } from './envelope-intake.js'
import type { TaskBook } from './task-book.js'
import type { TypeBook } from './type-book.js'

/**
 * The stream that we opened to a contact: both hellos are compared, then our chain goes out within a window, and signed
 * receipts come back (protocols/streams.md, "Resume", "Window" and "Receipts").
 */
export interface Speaking {
  /** One frame of the other node; what should not be said ends the stream. */
  hear(bytes: Uint8Array): Promise<void>
  /** Sends what is durable, within the window. */
  pump(): void
  /** Nothing is sent any more. */
  end(): void
  isReady(): boolean
}

export interface SpeakingComponents {
  readonly store: Store
  readonly steps: Steps
  readonly clock: Clock
  readonly log: Log
  readonly contacts: ContactBook
  readonly book: TaskBook
  readonly envelopes: EnvelopeIntake
  readonly offers: OfferBook
  readonly types: TypeBook
  readonly jobs: JobBook
}

export interface SpeakingAt {
  readonly channel: Channel
  readonly pair: Pair
  /** How far our chain is on disk. */
  readonly durable: () => number
  /** Our chain is on disk up to there. */
  readonly found: (seq: number) => void
  readonly on: {
    /** The peer holds our chain up to here. */
    holds(seq: number): void
    /** Both hellos were compared. */
    greeted(): void
    /** A receipt covered something new. */
    progress(): void
    refused(why: 'not_contact' | 'busy', afterMs: number): void
  }
}

export function createSpeaking(
  components: SpeakingComponents,
  options: { readonly window: number },
  at: SpeakingAt
): Speaking {
  const { store, steps, clock, log, contacts, book, types, jobs, envelopes, offers } = components
  const { channel, pair, durable, found, on } = at
  const name = pairKey(pair.agent, pair.peer)
  /** Set when both hellos were compared: nothing is sent before. */
  let ready = false
  let over = false
  /** Next message to send on this stream. */
  let next = 0
  /** Last message that a receipt of this stream, or the peer's hello, covers. */
  let acked = 0
  /** The peer asked for its window to drain. */
  let blocked = false
  /** A receipt for messages that we lost: it is taken when they are back. */
  let early: Uint8Array | undefined

  async function hear(bytes: Uint8Array): Promise<void> {
    const frame = decodeFrame(bytes)
    const done = frame.ok ? await onFrame(frame.value) : frame
    if (done.ok) return
    log.warn('stream ended by a bad frame', { pair: name, code: done.refusal.details.code })
    channel.abort('bad frame')
  }

  async function onFrame(frame: Frame): Promise<Result<void>> {
    if (over) return ok()
    if (frame.type === 'refuse') return refused(frame)
    if (!ready) return frame.type === 'hello' ? greet(frame.hello) : misplaced(`a ${frame.type} before the hello`)
    switch (frame.type) {
      case 'receipt':
        return take(frame.bytes)
      case 'want':
        return resend(frame)
      case 'message':
        return takeBack(frame.bytes)
      case 'hello':
        return misplaced('a second hello')
    }
  }

  /** Not now, or not to us. Where we wait for the other owner's yes, we may say one thing: the request itself. */
  function refused({ code, afterMs = 0 }: Extract<Frame, { type: 'refuse' }>): Result<void> {
    on.refused(code === 'not_contact' ? code : 'busy', afterMs)
    const mayKnock = code === 'not_contact' && !ready && contacts.find(store, pair)?.state === 'requested'
    const request = mayKnock ? queuedRequest(store, pair) : undefined
    if (request === undefined) channel.close()
    else void channel.send(encodeFrame({ type: 'message', bytes: request }))
    return ok()
  }

  /** Compares the heads: what the peer holds of our chain says where to go on, or that we lost something. */
  async function greet(hello: Hello): Promise<Result<void>> {
    const bound = bindHello(hello, channel.peerId)
    if (!bound.ok) return bound
    if (bound.value.card.agent !== pair.peer || bound.value.to !== pair.agent) {
      return fail(badRequest('wrong_sender', 'the hello is not from this contact to this agent'))
    }
    const held = bound.value.have.yours.seq
    const compared = await steps.run((tx) => compare(tx, bound.value))
    if (!compared.ok) return compared
    ready = true
    acked = held
    next = held + 1
    on.holds(acked)
    on.greeted()
    if (compared.value.lost) void channel.send(encodeFrame({ type: 'want', chain: 'mine', from: compared.value.from }))
    pump()
    return ok()
  }

  function compare(tx: StepTx, { card, cardText, have }: BoundHello): Result<{ lost: boolean; from: number }> {
    const record = contacts.find(tx, pair)
    if (record !== undefined && !isCurrent(record, card)) {
      return fail(badRequest('wrong_sender', 'the agent has left this node, as a newer card says'))
    }
    if (record !== undefined) contacts.refresh(tx, record, { card, cardText }, clock.now())
    const { out } = chainOf(tx, pair)
    const { seq, id } = have.yours
    if (seq > 0 && seq <= out.seq && sentMessage(tx, pair, seq).id !== id) {
      contacts.freeze(tx, pair, seq, clock.now())
      return fail(badRequest('wrong_sender', 'the peer holds another message under a number of ours'))
    }
    noteHeld(tx, pair, seq)
    offers.settle(tx, pair, clock.now())
    return ok({ lost: seq > out.seq, from: out.seq + 1 })
  }

  function pump(): void {
    while (!over && ready && !blocked && next <= durable() && next - acked <= options.window) {
      const bytes = store.get('sent', seqKey(pair.agent, pair.peer, next))
      if (bytes === undefined) throw new Error(`our chain has a hole at ${next}`)
      next++
      const drain = channel.send(encodeFrame({ type: 'message', bytes }))
      if (drain !== undefined) waitFor(drain)
    }
  }

  function waitFor(drain: Promise<void>): void {
    blocked = true
    void drain
      .then(() => {
        blocked = false
        pump()
      })
      .catch((error: unknown) => {
        log.warn('sending failed', { pair: name, why: String(error) })
        channel.abort('sending failed')
      })
  }

  /** A signed receipt: everything up to `upTo` is on the peer's disk. */
  function take(bytes: Uint8Array): Result<void> {
    const opened = openReceipt(bytes, { from: pair.peer, to: pair.agent })
    if (!opened.ok) return opened
    const receipt = opened.value
    const { seq, id } = receipt.upTo
    // Its hello claimed as much: what it holds above our head is on its way to us.
    if (seq > durable() && seq <= acked) {
      early = bytes
      return ok()
    }
    if (seq > durable() || sentMessage(store, pair, seq).id !== id)
      return misplaced('a receipt for what we did not write')
    if (seq > acked) on.progress()
    acked = Math.max(acked, seq)
    on.holds(acked)
    void steps
      .runLazily((tx) => cover(tx, receipt, bytes))
      .catch((error: unknown) => {
        log.warn('receipt not stored', { pair: name, why: String(error) })
        // On a stream that goes on nobody would say it again; a new one begins with it.
        channel.abort('receipt not stored')
      })
    pump()
    return ok()
  }

  /** Stages what a receipt proves: the outbox shrinks, and each task learns how far its entries are covered. */
  function cover(tx: StepTx, receipt: Receipt, bytes: Uint8Array): void {
    const chain = chainOf(tx, pair)
    if (receipt.upTo.seq <= chain.acked) return
    tx.put('receipts', seqKey(pair.agent, pair.peer, receipt.upTo.seq), bytes)
    noteAcked(tx, pair, receipt.upTo.seq)
    const uids = new Set<TaskUid>()
    for (let seq = chain.acked + 1; seq <= receipt.upTo.seq; seq++) {
      const { task: place, kind } = sentMessage(tx, pair, seq).header
      if (place !== undefined) uids.add(place.uid)
      // What changed while this telling was on its way is told now.
      if (kind === 'offers.update') offers.settle(tx, pair, clock.now())
    }
    for (const uid of uids) {
      const record = book.find(tx, pair.agent, uid)
      if (record !== undefined && record.peer === pair.peer) book.cover(tx, record, receipt)
      if (record === undefined) envelopes.covered(tx, pair, uid, receipt, clock.now())
    }
  }

  /** The peer met a gap. What it has acknowledged it has: asking for that would only make us work. */
  function resend(want: Extract<Frame, { type: 'want' }>): Result<void> {
    if (want.chain !== 'yours' || want.from <= acked || want.from > next)
      return misplaced('a want for what it can not lack')
    next = want.from
    pump()
    return ok()
  }

  /** A message of our own that we lost: adopted when it is signed by us and follows our head. */
  async function takeBack(bytes: Uint8Array): Promise<Result<void>> {
    const adopted = adoptOwn({ steps, book, types, jobs, envelopes, contacts, offers, clock }, pair, bytes)
    if (!adopted.ok) return adopted
    found(await adopted.value)
    pump()
    const waiting = early
    early = undefined
    return waiting === undefined ? ok() : take(waiting)
  }

  return {
    hear,
    pump,
    end() {
      over = true
    },
    isReady: () => ready && !over
  }
}

function misplaced(what: string): ReturnType<typeof fail> {
  return fail(badRequest('malformed_message', what))
}
