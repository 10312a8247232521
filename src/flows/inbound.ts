import { type Frame, type Hello, decodeFrame, encodeFrame } from '../wire/frames.js'
import { open } from '../wire/open.js'
import { type Pair, chainOf, noteHeld } from './chain.js'
import { admits } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { type BoundHello, bindHello, ownHello } from './hello.js'
import { pairKey } from './keys.js'
import { type Listening, type ListeningComponents, createListening, storedSoFar } from './listening.js'
import type { OfferBook } from './offer-book.js'
import type { Channel, Clock } from './ports.js'
import type { StepTx, Steps } from './steps.js'

/**
 * A stream that another node opened: hello and admission (protocols/streams.md, "Hello"). Whoever is not an active
 * contact gets one and the same answer, and may say one thing more (protocols/contacts.md, "The knock"). What an
 * admitted contact says is heard in `listening.ts`.
 */
export interface Inbound {
  accept(channel: Channel): void
  /** Ends every stream of a pair at once. */
  cut(pair: Pair): void
  /** Ends all streams. */
  stop(): void
}

export interface InboundComponents extends ListeningComponents {
  readonly steps: Steps
  readonly contacts: ContactBook
  readonly offers: OfferBook
  readonly clock: Clock
  readonly isOurs: (agent: Pair['agent']) => boolean
  /** The contact's node is there and holds that much of our chain: its lane need not wait. */
  readonly heard: (pair: Pair, held: number) => void
}

/** `request`: a stranger may say one thing. `over`: what it says counts no more. */
type Phase = { readonly is: 'hello' | 'over' } | { readonly is: 'request'; readonly hello: BoundHello }

interface Visit {
  readonly channel: Channel
  readonly callOff: () => void
  phase: Phase
  /** Set once the contact was admitted. */
  admitted?: { readonly pair: Pair; readonly listening: Listening }
}

export function createInbound(components: InboundComponents, options: { readonly helloMs: number }): Inbound {
  const { steps, contacts, offers, clock, log, isOurs, heard } = components
  const visits = new Set<Visit>()
  const byPair = new Map<string, Set<Visit>>()

  function accept(channel: Channel): void {
    const callOff = clock.wake(options.helloMs, () => channel.abort('no hello in time'))
    const visit: Visit = { channel, callOff, phase: { is: 'hello' } }
    visits.add(visit)
    void channel.closed.then(() => forget(visit))
    channel.read((bytes) => onFrame(visit, bytes))
  }

  function forget(visit: Visit): void {
    visit.callOff()
    end(visit, 'ended')
    visits.delete(visit)
    if (visit.admitted === undefined) return
    const { agent, peer } = visit.admitted.pair
    const group = byPair.get(pairKey(agent, peer))
    group?.delete(visit)
    if (group?.size === 0) byPair.delete(pairKey(agent, peer))
  }

  function end(visit: Visit, why: string): void {
    visit.phase = { is: 'over' }
    visit.admitted?.listening.end(why)
    visit.channel.abort(why)
  }

  function onFrame(visit: Visit, bytes: Uint8Array): Promise<void> | undefined {
    const frame = decodeFrame(bytes)
    if (!frame.ok) return bad(visit, frame.refusal.message)
    if (visit.admitted !== undefined) return visit.admitted.listening.hear(frame.value)
    switch (visit.phase.is) {
      case 'hello':
        return frame.value.type === 'hello' ? greet(visit, frame.value.hello) : bad(visit, 'no hello first')
      case 'request':
        return frame.value.type === 'message'
          ? hearRequest(visit, visit.phase.hello, frame.value)
          : bad(visit, 'not a request')
      case 'over':
        return undefined
    }
  }

  function bad(visit: Visit, why: string): undefined {
    log.warn('stream ended by a bad frame', { peer: visit.channel.peerId, why })
    end(visit, 'bad frame')
  }

  async function greet(visit: Visit, frame: Hello): Promise<void> {
    const hello = bindHello(frame, visit.channel.peerId)
    if (!hello.ok) return refuse(visit, { is: 'over' })
    if (!(await admit(visit, hello.value))) refuse(visit, { is: 'request', hello: hello.value })
  }

  /** Unknown, pending, removed, blocked, frozen, and an agent that is not here, look the same from outside. */
  function refuse(visit: Visit, phase: Phase): void {
    visit.phase = phase
    void visit.channel.send(encodeFrame({ type: 'refuse', code: 'not_contact' }))
    if (phase.is === 'over') visit.channel.close()
  }

  async function hearRequest(
    visit: Visit,
    hello: BoundHello,
    frame: Extract<Frame, { type: 'message' }>
  ): Promise<void> {
    visit.phase = { is: 'over' }
    const pair = pairOf(hello)
    const opened = open(frame.bytes, { from: pair.peer, to: pair.agent })
    if (!opened.ok || opened.value.content?.kind !== 'contact.request') return end(visit, 'not a request')
    const request = { ...opened.value.content.body, id: opened.value.id }
    const answer = isOurs(pair.agent)
      ? await steps.run((tx) => contacts.knock(tx, pair, request, hello, clock.now()))
      : 'not_contact'
    if (answer === 'not_contact' || !(await admit(visit, hello))) visit.channel.close()
  }

  /** Lets a contact in, if this is one. Everything is decided in one step; our hello follows its commit. */
  async function admit(visit: Visit, hello: BoundHello): Promise<boolean> {
    const pair = pairOf(hello)
    if (!isOurs(pair.agent)) return false
    const admitted = await steps.run((tx) => {
      const record = contacts.find(tx, pair)
      return record !== undefined && admits(record, hello.card) ? welcome(tx, pair, hello) : undefined
    })
    // The owner, or the peer itself, may have ended it while the step was on its way to the disk.
    const record = contacts.find(components.store, pair)
    if (admitted === undefined || record === undefined || !isOurs(pair.agent) || !admits(record, hello.card))
      return false
    visit.callOff()
    void visit.channel.send(encodeFrame({ type: 'hello', hello: admitted.hello }))
    const listening = createListening(components, { channel: visit.channel, pair, stored: admitted.stored })
    visit.admitted = { pair, listening }
    const name = pairKey(pair.agent, pair.peer)
    byPair.set(name, (byPair.get(name) ?? new Set()).add(visit))
    heard(pair, hello.have.yours.seq)
    return true
  }

  function welcome(
    tx: StepTx,
    pair: Pair,
    hello: BoundHello
  ): { hello: Hello; stored: ReturnType<typeof storedSoFar> } {
    const record = contacts.find(tx, pair)
    if (record !== undefined) contacts.refresh(tx, record, hello, clock.now())
    noteHeld(tx, pair, hello.have.yours.seq)
    const welcomed = { hello: ownHello(tx, pair), stored: storedSoFar(chainOf(tx, pair)) }
    offers.settle(tx, pair, clock.now())
    return welcomed
  }

  return {
    accept,
    cut(pair) {
      for (const visit of byPair.get(pairKey(pair.agent, pair.peer)) ?? []) end(visit, 'cut')
    },
    stop() {
      for (const visit of visits) end(visit, 'stopped')
    }
  }
}

function pairOf(hello: BoundHello): Pair {
  return { agent: hello.to, peer: hello.card.agent }
}
