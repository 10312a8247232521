import type { MessageId } from '../base/ids.js'
import { isoOf } from '../base/time.js'
import { type Frame, decodeFrame, encodeFrame } from '../wire/frames.js'
import { LIMITS } from '../wire/limits.js'
import { open } from '../wire/open.js'
import { sealReceipt } from '../wire/receipt.js'
import { type Pair, chainOf } from './chain.js'
import { type ContactBook, isAdmitted } from './contact-book.js'
import { type BoundHello, bindHello, ownHello } from './hello.js'
import { agentKey, pairKey } from './keys.js'
import type { Channel, Clock, Keyring, Log, Store } from './ports.js'
import type { Receive, Received } from './receive.js'
import type { ChainRecord } from './records.js'
import { replay } from './replay.js'
import type { Steps } from './steps.js'
import type { Turns } from './turns.js'

/**
 * A stream that another node opened: hello, admission, then its messages in turn and one signed receipt for each commit
 * (protocols/streams.md). Whoever is not an active contact gets one and the same answer.
 */
export interface Inbound {
  accept(channel: Channel): void
  /** Ends every stream of a pair at once. */
  cut(pair: Pair): void
  /** Ends all streams. */
  stop(): void
}

export interface InboundComponents {
  readonly store: Store
  readonly steps: Steps
  readonly receive: Receive
  readonly turns: Turns
  readonly contacts: ContactBook
  readonly keyring: Keyring
  readonly clock: Clock
  readonly log: Log
  /** The contact's node is there: its lane need not wait. `ahead`: it holds more of our chain than we do. */
  readonly heard: (pair: Pair, how: 'there' | 'ahead') => void
}

/** How far the peer's chain is on disk, as the next receipt will say it. */
interface Stored {
  readonly upTo: { readonly seq: number; readonly id: MessageId }
  readonly head: number
}

interface Visit {
  readonly channel: Channel
  readonly callOff: () => void
  hello?: BoundHello
  pair?: Pair
  /** `hello`: waiting for it. `request`: a stranger may say one thing. `open`: an admitted contact. */
  phase: 'hello' | 'request' | 'open' | 'over'
  stored?: Stored
  opaque: number[]
  receiptDue: boolean
  wanted: number
}

export function createInbound(components: InboundComponents, options: { readonly helloMs: number }): Inbound {
  const { store, steps, receive, turns, contacts, keyring, clock, log, heard } = components
  const visits = new Map<string, Set<Visit>>()
  const strangers = new Set<Visit>()

  function accept(channel: Channel): void {
    const visit: Visit = {
      channel,
      callOff: clock.wake(options.helloMs, () => channel.abort('no hello in time')),
      phase: 'hello',
      opaque: [],
      receiptDue: false,
      wanted: 0
    }
    strangers.add(visit)
    void channel.closed.then(() => forget(visit))
    channel.read((bytes) => onFrame(visit, bytes))
  }

  function forget(visit: Visit): void {
    visit.callOff()
    visit.phase = 'over'
    strangers.delete(visit)
    if (visit.pair === undefined) return
    const name = pairKey(visit.pair.agent, visit.pair.peer)
    const known = visits.get(name)
    known?.delete(visit)
    if (known?.size === 0) visits.delete(name)
  }

  function end(visit: Visit, why: string): void {
    visit.phase = 'over'
    visit.channel.abort(why)
  }

  function onFrame(visit: Visit, bytes: Uint8Array): Promise<void> | undefined {
    const frame = decodeFrame(bytes)
    if (!frame.ok) return bad(visit, frame.refusal.message)
    switch (visit.phase) {
      case 'hello':
        return frame.value.type === 'hello' ? greet(visit, frame.value.hello) : bad(visit, 'no hello first')
      case 'request':
        return frame.value.type === 'message' ? hearRequest(visit, frame.value.bytes) : bad(visit, 'not a request')
      case 'open':
        return frame.value.type === 'message' ? queue(visit, frame.value.bytes) : steer(visit, frame.value)
      case 'over':
        return undefined
    }
  }

  function bad(visit: Visit, why: string): undefined {
    log.warn('stream ended by a bad frame', { peer: visit.channel.peerId, why })
    end(visit, 'bad frame')
  }

  async function greet(visit: Visit, frame: Extract<Frame, { type: 'hello' }>['hello']): Promise<void> {
    const bound = bindHello(frame, visit.channel.peerId)
    if (!bound.ok || store.get('agents', agentKey(bound.value.to)) === undefined) return refuse(visit)
    visit.hello = bound.value
    const pair = { agent: bound.value.to, peer: bound.value.card.agent }
    if (isAdmitted(contacts.find(store, pair))) return admit(visit, pair, bound.value)
    refuse(visit)
  }

  /** Unknown, removed, blocked and frozen look the same from outside; each may still send one request. */
  function refuse(visit: Visit): void {
    visit.phase = visit.hello === undefined ? 'over' : 'request'
    void visit.channel.send(encodeFrame({ type: 'refuse', code: 'not_contact' }))
    if (visit.phase === 'over') visit.channel.close()
  }

  async function hearRequest(visit: Visit, bytes: Uint8Array): Promise<void> {
    const hello = visit.hello
    if (hello === undefined) return end(visit, 'no hello')
    const pair = { agent: hello.to, peer: hello.card.agent }
    const opened = open(bytes, { from: pair.peer, to: pair.agent })
    const content = opened.ok ? opened.value.content : undefined
    if (content?.kind !== 'contact.request') return end(visit, 'not a request')
    const answer = await steps.run((tx) =>
      contacts.knock(tx, pair, content.body, hello.card, hello.cardText, clock.now())
    )
    if (answer === 'active') return admit(visit, pair, hello)
    visit.channel.close()
  }

  async function admit(visit: Visit, pair: Pair, greeting: BoundHello): Promise<void> {
    visit.phase = 'open'
    visit.pair = pair
    visit.callOff()
    strangers.delete(visit)
    const name = pairKey(pair.agent, pair.peer)
    visits.set(name, (visits.get(name) ?? new Set()).add(visit))
    const { hello, stored, lost } = await steps.run((tx) => {
      const record = contacts.find(tx, pair)
      if (record !== undefined) contacts.refresh(tx, record, greeting.card, greeting.cardText)
      const chain = chainOf(tx, pair)
      const lost = greeting.have.yours.seq > chain.out.seq
      return { hello: ownHello(tx, pair), stored: storedSoFar(chain), lost }
    })
    void visit.channel.send(encodeFrame({ type: 'hello', hello }))
    // The peer may have missed our last receipt: what is on disk is said again.
    if (stored !== undefined) sendReceipt(visit, pair, stored)
    if (lost) return heard(pair, 'ahead')
    heard(pair, 'there')
  }

  function queue(visit: Visit, bytes: Uint8Array): Promise<void> | undefined {
    const pair = visit.pair
    if (pair === undefined) return undefined
    return turns.enqueue(pairKey(pair.agent, pair.peer), () => take(visit, pair, bytes))
  }

  function take(visit: Visit, pair: Pair, bytes: Uint8Array): void {
    if (visit.phase !== 'open') return
    const received = receive(pair, bytes)
    if (!received.ok) return bad(visit, received.refusal.message)
    received.value.then(
      (outcome) => answer(visit, pair, outcome),
      (error: unknown) => {
        // Nothing was stored, so nothing is acknowledged: the peer will come again.
        log.warn('message not stored', { why: error instanceof Error ? error.message : 'unknown' })
        void visit.channel.send(encodeFrame({ type: 'refuse', code: 'retry' }))
        visit.phase = 'over'
        visit.channel.close()
      }
    )
  }

  function answer(visit: Visit, pair: Pair, outcome: Received): void {
    switch (outcome.what) {
      case 'stored':
        visit.stored = { upTo: { seq: outcome.seq, id: outcome.id }, head: outcome.head }
        if (outcome.opaque) visit.opaque.push(outcome.seq)
        return receiptSoon(visit, pair)
      case 'duplicate':
        visit.stored = { upTo: { seq: outcome.seq, id: outcome.id }, head: outcome.head }
        return receiptSoon(visit, pair)
      case 'gap':
        return want(visit, outcome.from)
      case 'frozen':
        return end(visit, 'frozen')
    }
  }

  /** One receipt for each commit: all messages of a batch come back in one turn of the microtask queue. */
  function receiptSoon(visit: Visit, pair: Pair): void {
    if (visit.receiptDue) return
    visit.receiptDue = true
    queueMicrotask(() => {
      visit.receiptDue = false
      if (visit.phase === 'open' && visit.stored !== undefined) sendReceipt(visit, pair, visit.stored)
    })
  }

  function sendReceipt(visit: Visit, pair: Pair, stored: Stored): void {
    const results = visit.opaque.splice(0, LIMITS.receiptResults).map((seq) => ({ seq, code: 'opaque' as const }))
    const receipt = { from: pair.agent, to: pair.peer, ...stored, results, at: isoOf(clock.now()) }
    const bytes = sealReceipt(receipt, keyring.signer(pair.agent))
    visit.stored = stored
    void visit.channel.send(encodeFrame({ type: 'receipt', bytes }))
  }

  /** Asks once for what is missing; what follows it on this stream is dropped as a gap until then. */
  function want(visit: Visit, from: number): void {
    if (visit.wanted === from) return
    visit.wanted = from
    void visit.channel.send(encodeFrame({ type: 'want', chain: 'yours', from }))
  }

  /** What else an admitted peer may say on its own stream: it asks for messages that it signed and lost. */
  function steer(visit: Visit, frame: Frame): Promise<void> | undefined {
    if (frame.type !== 'want' || frame.chain !== 'mine' || visit.pair === undefined)
      return bad(visit, `a ${frame.type} frame`)
    return replay({ store, channel: visit.channel, pair: visit.pair, from: frame.from })
  }

  return {
    accept,
    cut(pair) {
      for (const visit of visits.get(pairKey(pair.agent, pair.peer)) ?? []) end(visit, 'cut')
    },
    stop() {
      for (const group of [...visits.values(), strangers]) for (const visit of group) end(visit, 'stopped')
    }
  }
}

/** What a receipt can say of a chain; nothing before its first message. */
function storedSoFar(chain: ChainRecord): Stored | undefined {
  const { seq, id } = chain.in
  return id === '' ? undefined : { upTo: { seq, id }, head: chain.out.seq }
}
