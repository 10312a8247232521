import { type Hello, decodeFrame, encodeFrame } from '../wire/frames.js'
import { open } from '../wire/open.js'
import { record } from './audit.js'
import { type Pair, chainOf, onlyPair } from './chain.js'
import { ownCard } from './agents.js'
import { type Harm, type Mending, joined, mendingOf } from './harms.js'
import { type BoundHello, bindHello } from './hello.js'
import { pairKey } from './keys.js'
import type { Channel, Clock, Link, Log, Store } from './ports.js'
import type { ContactRecord } from './records/contacts.js'

/**
 * Fetches harmed messages again from the contacts that hold them, while nothing else runs on this home. It speaks as a
 * node that came back from an old backup does: what we wrote is asked for with `want`; what the contact wrote comes when
 * our hello names less of its chain than it knows we took. Spec: protocols/backups.md, "Mending".
 */
export interface Refetch {
  /** Resolves with the harms that are left, when nothing came for a while. Nothing that came is lost when it is called off. */
  run(): Promise<Harm[]>
}

export interface RefetchComponents {
  readonly store: Store
  readonly link: Link
  readonly clock: Clock
  readonly log: Log
  /** So many messages of a harm are back. */
  readonly onMended: (harm: Harm) => void
}

export interface RefetchOptions {
  /** How long to wait for the next harm to be mended, milliseconds. */
  readonly patienceMs: number
  /** How often contacts are called, milliseconds. */
  readonly callMs: number
}

/** Harms of one pair. */
interface Patient {
  readonly pair: Pair
  mendings: Mending[]
  /** The contact is being called, or the stream to it is open. */
  busy: boolean
}

export function createRefetch(components: RefetchComponents, options: RefetchOptions, harms: readonly Harm[]): Refetch {
  const { store, link, clock, log, onMended } = components
  const patients = new Map<string, Patient>()
  for (const harm of joined(harms)) {
    const name = pairKey(harm.agent, harm.peer)
    const patient = patients.get(name) ?? { pair: onlyPair(harm), mendings: [], busy: false }
    patient.mendings.push(mendingOf(store, harm))
    patients.set(name, patient)
  }
  /** Set while it runs: ends it. */
  let finish: (() => void) | undefined
  let callOff: () => void = () => undefined

  /** Calls the contact: our hello tells it what we lack. */
  async function call(patient: Patient): Promise<void> {
    const { pair } = patient
    const contact = store.get('contacts', pairKey(pair.agent, pair.peer))
    if (contact === undefined || !mayCall(contact)) return
    const channel = await link.connect({ peerId: contact.peerId, addrs: contact.addrs, allowPrivate: true })
    const hear = listener(channel, patient)
    channel.read((bytes) => hear(bytes))
    void channel.send(encodeFrame({ type: 'hello', hello: helloOf(patient) }))
    await channel.closed
  }

  /** A stream that we opened: the contact answers our hello, and shows us our own chain. */
  function listener(channel: Channel, patient: Patient): (bytes: Uint8Array) => Promise<void> {
    return async (bytes) => {
      const frame = decodeFrame(bytes)
      if (!frame.ok || frame.value.type === 'refuse') return channel.close()
      if (frame.value.type === 'message') return take(channel, patient, 'sent', frame.value.bytes)
      if (frame.value.type !== 'hello') return
      const bound = bindHello(frame.value.hello, channel.peerId)
      if (!bound.ok || !isFrom(bound.value, patient.pair)) return channel.abort('not the contact that was called')
      const lacking = firstOf(patient, 'sent')
      if (lacking === undefined) return channel.close()
      void channel.send(encodeFrame({ type: 'want', chain: 'mine', from: lacking.harm.from }))
    }
  }

  /** A stream that somebody opened to us: only a contact that we need has anything to say here. */
  function accept(channel: Channel): void {
    let patient: Patient | undefined
    channel.read(async (bytes) => {
      const frame = decodeFrame(bytes)
      if (!frame.ok) return channel.abort('bad frame')
      const known = patient
      if (known !== undefined) {
        return frame.value.type === 'message' ? take(channel, known, 'received', frame.value.bytes) : undefined
      }
      patient = frame.value.type === 'hello' ? patientOf(frame.value.hello, channel) : undefined
      if (patient === undefined) return channel.abort('nobody is served while harmed messages are fetched')
      void channel.send(encodeFrame({ type: 'hello', hello: helloOf(patient) }))
    })
  }

  function patientOf(hello: Hello, channel: Channel): Patient | undefined {
    const bound = bindHello(hello, channel.peerId)
    if (!bound.ok) return undefined
    const patient = patients.get(pairKey(bound.value.to, bound.value.card.agent))
    const contact = patient && store.get('contacts', pairKey(patient.pair.agent, patient.pair.peer))
    return contact !== undefined && mayCall(contact) && isFrom(bound.value, onlyPair(contact)) ? patient : undefined
  }

  /** A signed message: kept until all of its harm are there and fit, and then written in one commit. */
  async function take(channel: Channel, patient: Patient, chain: Harm['chain'], bytes: Uint8Array): Promise<void> {
    const { agent, peer } = patient.pair
    const opened = open(bytes, chain === 'sent' ? { from: agent, to: peer } : { from: peer, to: agent })
    if (!opened.ok) return channel.abort('bad message')
    const mended = patient.mendings.find(({ harm, take }) => harm.chain === chain && take(opened.value))
    if (mended === undefined) return
    patient.mendings = patient.mendings.filter((mending) => mending !== mended)
    await store.transact((tx) => {
      mended.stage(tx)
      record(tx, { at: clock.now(), who: { kind: 'node' }, what: 'messages.mended', about: { agent, contact: peer } })
    }).durable
    onMended(mended.harm)
    waitOn()
    // A contact sends no more than its window without a receipt: the next harm gets a stream that begins right before it.
    if (chain === 'received' || firstOf(patient, 'sent') === undefined) channel.close()
  }

  /** Card and heads as we hold them, but for the contact's chain, which ends before the first harm. */
  function helloOf({ pair, mendings }: Patient): Hello {
    const chain = chainOf(store, pair)
    const theirs = mendings.find(({ harm }) => harm.chain === 'received')
    const have = { mine: chain.out, yours: theirs?.before ?? chain.in }
    return { v: 1, card: ownCard(store, pair.agent), to: pair.peer, have }
  }

  /** Begins to wait again, and ends when there is nothing left to wait for. */
  function waitOn(): void {
    callOff()
    if (left().length === 0) finish?.()
    else callOff = clock.wake(options.patienceMs, () => finish?.())
  }

  function left(): Harm[] {
    return [...patients.values()].flatMap(({ mendings }) => mendings.map(({ harm }) => harm))
  }

  function callAll(): void {
    if (finish === undefined) return
    for (const patient of patients.values()) {
      if (patient.mendings.length === 0 || patient.busy) continue
      patient.busy = true
      call(patient)
        .catch((error: unknown) => {
          log.warn('contact not reached', { pair: pairKey(patient.pair.agent, patient.pair.peer), why: String(error) })
        })
        .finally(() => (patient.busy = false))
    }
    clock.wake(options.callMs, callAll)
  }

  return {
    async run() {
      link.onChannel(accept)
      await new Promise<void>((resolve) => {
        finish = resolve
        waitOn()
        callAll()
      })
      finish = undefined
      callOff()
      return left()
    }
  }
}

function firstOf(patient: Patient, chain: Harm['chain']): Mending | undefined {
  return patient.mendings.find(({ harm }) => harm.chain === chain)
}

function isFrom(hello: BoundHello, pair: Pair): boolean {
  return hello.card.agent === pair.peer && hello.to === pair.agent
}

/** Only an active contact answers our hello. */
function mayCall(contact: ContactRecord): boolean {
  return contact.state === 'active' && contact.frozen === undefined
}
