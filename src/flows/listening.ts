import type { MessageId } from '../base/ids.js'
import { isoOf } from '../base/time.js'
import { type Frame, encodeFrame } from '../wire/frames.js'
import { LIMITS } from '../wire/limits.js'
import { sealReceipt } from '../wire/receipt.js'
import type { Pair } from './chain.js'
import { pairKey } from './keys.js'
import type { Channel, Clock, Keyring, Log, Store } from './ports.js'
import type { Receive, Received } from './receive.js'
import type { ChainRecord } from './records/contacts.js'
import { replay } from './replay.js'
import type { Turns } from './turns.js'

/**
 * The stream of an admitted contact: its messages are taken in turn, and each commit of ours is answered with one signed
 * receipt (protocols/streams.md, "Receipts" and "Want").
 */
export interface Listening {
  /** One frame. A returned promise asks to wait before the next. */
  hear(frame: Frame): Promise<void> | undefined
  /** Ends the stream at once; what waits is dropped. */
  end(why: string): void
}

export interface ListeningComponents {
  readonly store: Store
  readonly receive: Receive
  readonly turns: Turns
  readonly keyring: Keyring
  readonly clock: Clock
  readonly log: Log
}

/** How far the peer's chain is on disk, as a receipt says it. */
export interface Stored {
  readonly upTo: { readonly seq: number; readonly id: MessageId }
  readonly head: number
}

/** What a receipt can say of a chain; nothing before its first message. */
export function storedSoFar(chain: ChainRecord): Stored | undefined {
  const { seq, id } = chain.in
  return id === '' ? undefined : { upTo: { seq, id }, head: chain.out.seq }
}

export function createListening(
  components: ListeningComponents,
  at: { readonly channel: Channel; readonly pair: Pair; readonly stored: Stored | undefined }
): Listening {
  const { store, receive, turns, keyring, clock, log } = components
  const { channel, pair } = at
  const lane = pairKey(pair.agent, pair.peer)
  const opaque: number[] = []
  let over = false
  let receiptDue = false
  let newest: Stored | undefined
  /** The last place that we asked for, and the last that we showed. */
  let wanted = 0
  let shown = 0

  // The peer may have missed our last receipt: what is on disk is said again.
  if (at.stored !== undefined) sendReceipt(at.stored)

  function hear(frame: Frame): Promise<void> | undefined {
    if (over) return undefined
    if (frame.type === 'message') return turns.enqueue(lane, () => take(frame.bytes))
    if (frame.type === 'want' && frame.chain === 'mine') return show(frame.from)
    return bad(`a ${frame.type} frame`)
  }

  function end(why: string): void {
    over = true
    channel.abort(why)
  }

  function bad(why: string): undefined {
    log.warn('stream ended by a bad frame', { pair: lane, why })
    end('bad frame')
  }

  function take(bytes: Uint8Array): void {
    if (over) return
    const received = receive(pair, bytes)
    if (!received.ok) return bad(received.refusal.message)
    received.value.then(answer, (error: unknown) => {
      // Nothing was stored, so nothing is acknowledged: the peer will come again.
      log.warn('message not stored', { pair: lane, why: error instanceof Error ? error.message : 'unknown' })
      later()
    })
  }

  function answer(outcome: Received): void {
    if (over) return
    switch (outcome.what) {
      case 'stored':
        if (outcome.opaque) opaque.push(outcome.seq)
        return outcome.last ? sayLast(outcome) : receiptSoon(outcome)
      case 'duplicate':
        return receiptSoon(outcome)
      case 'gap':
        return want(outcome.from)
      case 'later':
        return later()
      case 'closed':
      case 'frozen':
        return end(outcome.what)
    }
  }

  /** One receipt for each commit: all messages of a batch come back in one turn of the microtask queue. */
  function receiptSoon(outcome: Place): void {
    newest = storedOf(outcome)
    if (receiptDue) return
    receiptDue = true
    queueMicrotask(() => {
      receiptDue = false
      if (!over && newest !== undefined) sendReceipt(newest)
    })
  }

  /** The message ended the contact: it is acknowledged, so that the peer is done with us, and then we are. */
  function sayLast(outcome: Place): void {
    sendReceipt(storedOf(outcome))
    over = true
    channel.close()
  }

  function later(): void {
    if (over) return
    void channel.send(encodeFrame({ type: 'refuse', code: 'retry' }))
    over = true
    channel.close()
  }

  function sendReceipt(stored: Stored): void {
    const results = opaque.splice(0, LIMITS.receiptResults).map((seq) => ({ seq, code: 'opaque' as const }))
    const receipt = { from: pair.agent, to: pair.peer, ...stored, results, at: isoOf(clock.now()) }
    void channel.send(encodeFrame({ type: 'receipt', bytes: sealReceipt(receipt, keyring.signer(pair.agent)) }))
  }

  /** Asks once for what is missing; what follows it on this stream is dropped as a gap until then. */
  function want(from: number): void {
    if (wanted === from) return
    wanted = from
    void channel.send(encodeFrame({ type: 'want', chain: 'yours', from }))
  }

  /** Shows the peer what it signed and lost. Once on a stream: a small frame must not call for much again and again. */
  async function show(from: number): Promise<void> {
    if (from <= shown) return bad('a want for what was shown on this stream')
    shown = await replay({ store, channel, pair, from, isOver: () => over })
  }

  return { hear, end }
}

type Place = { readonly seq: number; readonly id: MessageId; readonly head: number }

function storedOf({ seq, id, head }: Place): Stored {
  return { upTo: { seq, id }, head }
}
