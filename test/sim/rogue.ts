/**
 * A node whose owner turned against the rules: it has its own keys and its place in the chains, and writes whatever the
 * story tells it to, over the same simulated network.
 */
import type { AgentId, MessageId } from '../../src/base/ids.js'
import { isoOf } from '../../src/base/time.js'
import type { Channel } from '../../src/flows/ports.js'
import type { AgentRecord, Head } from '../../src/flows/records/contacts.js'
import { canonicalBytes } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { type Frame, decodeFrame, encodeFrame } from '../../src/wire/frames.js'
import { MESSAGE_DOMAIN, MESSAGE_TYPE } from '../../src/wire/message.js'
import { RECEIPT_PURPOSE } from '../../src/wire/receipt.js'
import { sealEnvelope } from '../../src/wire/signed-envelope.js'
import { sha256Hex } from '../../src/base/digest.js'
import { type SimNode, hostOf, keysOf } from './node.js'
import type { World } from './world.js'

/** A message as a rogue makes it: nothing of it is checked. */
interface Forged {
  readonly bytes: Uint8Array
  readonly id: MessageId
  readonly seq: number
}

/** An open stream of the rogue, and what came over it. */
export interface Visit {
  readonly channel: Channel
  readonly heard: Frame[]
  readonly ended: () => boolean
}

export interface Rogue {
  readonly agent: AgentId
  /** Signs anything as the rogue's agent, in its chain towards `to` unless the members say otherwise. */
  forge(to: AgentId, members: Readonly<Record<string, Json>>): Forged
  /** A message that the chain goes on from. */
  append(to: AgentId, members: Readonly<Record<string, Json>>): Forged
  /** A receipt, true or not. */
  receipt(to: AgentId, upTo: Head, head: number): Uint8Array
  /** Dials and says hello; `card` and `host` may be another's. */
  visit(to: SimNode, as?: { readonly host?: number; readonly card?: string }): Promise<Visit>
  /** What other nodes said on the streams that they opened; their hellos are answered. */
  readonly guests: readonly Visit[]
  /** Where its own chain and the other's stand. */
  heads(to: AgentId): { out: Head; into: Head }
  readonly card: string
}

/** Takes over a node: the honest program is killed, its keys and its memory fall to the rogue. */
export function takeOver(world: World, node: SimNode): Rogue {
  const { network, cast } = world
  const keys = keysOf(node.index)
  const card = readJson<AgentRecord>(node, `ag:${node.agent}`)?.card ?? ''
  const chains = new Map<AgentId, { out: Head; into: Head }>()
  cast.traffic.distrust(node.agent)
  node.crash()

  function heads(to: AgentId): { out: Head; into: Head } {
    const stored = readJson<{ out: Head; in: Head }>(node, `ch:${node.agent}/${to}`)
    const none: Head = { seq: 0, id: '' }
    const known = chains.get(to) ?? { out: stored?.out ?? none, into: stored?.in ?? none }
    chains.set(to, known)
    return known
  }

  function forge(to: AgentId, members: Readonly<Record<string, Json>>): Forged {
    const { out } = heads(to)
    const seq = out.seq + 1
    const draft = { v: 1, from: node.agent, to, seq, prev: out.id, at: isoOf(node.now()), ...members }
    const payload = canonicalBytes(draft as unknown as Json)
    const bytes = sealEnvelope(keys.agent, MESSAGE_DOMAIN, MESSAGE_TYPE, payload)
    return { bytes, id: sha256Hex(payload) as MessageId, seq: draft.seq }
  }

  const home = network.linkFor(hostOf(node.index), () => true)
  const guests: Visit[] = []
  home.onChannel((channel) => {
    const guest = hear(channel)
    guests.push(guest)
    // Whoever comes is answered as if all were well.
    const caller = world.nodes.find((one) => one.peerId === channel.peerId)
    if (caller !== undefined) greet(channel, caller.agent)
  })

  function greet(channel: Channel, to: AgentId, own = card): void {
    const { out, into } = heads(to)
    const hello = { v: 1, card: own, to, have: { mine: out, yours: into } } as const
    void channel.send(encodeFrame({ type: 'hello', hello }))
  }

  async function visit(to: SimNode, as: Parameters<Rogue['visit']>[1] = {}): Promise<Visit> {
    let found: Visit | undefined
    const link = as.host === undefined ? home : network.linkFor(hostOf(as.host), () => true)
    const target = { peerId: to.peerId, addrs: hostOf(to.index).addrs, allowPrivate: true }
    const dialled = link.connect(target).then((channel) => {
      found = hear(channel)
      greet(channel, to.agent, as.card)
    })
    await world.pass(2_000)
    await dialled
    if (found === undefined) throw new Error('the dial of a rogue got no answer')
    return found
  }

  return {
    agent: node.agent,
    card,
    forge,
    heads,
    visit,
    guests,
    append(to, members) {
      const forged = forge(to, members)
      heads(to).out = { seq: forged.seq, id: forged.id }
      return forged
    },
    receipt(to, upTo, head) {
      const payload = { from: node.agent, to, upTo: { ...upTo }, head, results: [], at: isoOf(node.now()) }
      const { domain, payloadType } = RECEIPT_PURPOSE
      return sealEnvelope(keys.agent, domain, payloadType, canonicalBytes(payload))
    }
  }
}

function hear(channel: Channel): Visit {
  let ended = false
  const heard: Frame[] = []
  void channel.closed.then(() => (ended = true))
  channel.read((bytes) => {
    const frame = decodeFrame(bytes)
    if (frame.ok) heard.push(frame.value)
  })
  return { channel, heard, ended: () => ended }
}

/** Says a frame on a visit and lets it arrive. */
export async function say(world: World, visit: Visit, frame: Frame): Promise<void> {
  void visit.channel.send(encodeFrame(frame))
  await world.pass(1_000)
}

function readJson<T>(node: SimNode, place: string): T | undefined {
  const bytes = node.disk.read(place)
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as T)
}
