/** A remote node whose every frame a test writes: for what an honest node never says. */
import { toBase64url } from '../../src/base/bytes.js'
import type { AgentId, PeerId, TaskUid } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { isoOf } from '../../src/base/time.js'
import type { Channel, Link } from '../../src/flows/ports.js'
import { sealCard } from '../../src/wire/card.js'
import type { Head } from '../../src/wire/forms.js'
import { type Frame, type Hello, decodeFrame, encodeFrame } from '../../src/wire/frames.js'
import { agentIdOf, peerIdOf } from '../../src/wire/keys.js'
import { writeLink } from '../../src/wire/link.js'
import {
  type Content,
  MESSAGE_DOMAIN,
  MESSAGE_TYPE,
  type TaskPlace,
  type VerifiedMessage
} from '../../src/wire/message.js'
import { open } from '../../src/wire/open.js'
import { type Receipt, openReceipt, sealReceipt } from '../../src/wire/receipt.js'
import { seal } from '../../src/wire/seal.js'
import { sealEnvelope } from '../../src/wire/signed-envelope.js'
import { canonicalBytes } from '../../src/base/canonical.js'
import { DINNER_TYPE, type Keys, type Node, type World, dinner, good, keysFor } from './pair.js'
import { addressOf } from './wires.js'

/** One stream as the puppet has it. */
export interface Thread {
  readonly channel: Channel
  /** What the node said on it. */
  readonly heard: Frame[]
  readonly ended: () => boolean
  say(frame: Frame): void
  raw(bytes: Uint8Array): void
}

export interface Puppet {
  readonly name: string
  readonly agent: AgentId
  readonly peerId: PeerId
  readonly keys: Keys
  readonly link: Link
  /** Streams that nodes opened to it. */
  readonly visitors: Thread[]
  /** Its card as text. */
  card(more?: { readonly seq?: number; readonly handle?: string; readonly keys?: Keys }): string
  linkText(seq?: number): string
  /** Opens a stream and says hello; `have` is empty when not given. */
  visit(node: Node, more?: Partial<Hello>): Promise<Thread>
  connect(node: Node): Promise<Thread>
  /** Seals the next message of its chain towards a node. */
  write(node: Node, content: Content, task?: TaskPlace): VerifiedMessage
  /** Seals any payload under any header, by the signer it names. */
  forge(node: Node, payload: JsonObject, more?: { readonly signer?: Keys['agent'] }): Uint8Array
  /** The head of its chain towards a node; assignable, to branch off or to go back. */
  heads: Map<AgentId, Head>
  receipt(node: Node, upTo: Head, more?: Partial<Receipt>): Frame
}

export async function createPuppet(world: World, name: string): Promise<Puppet> {
  const keys = keysFor(name)
  const agent = agentIdOf(keys.agent.publicKey)
  const peerId = peerIdOf(keys.node.publicKey)
  const link = world.wires.open(peerId)
  const visitors: Thread[] = []
  const heads = new Map<AgentId, Head>()
  link.onChannel((channel) => visitors.push(thread(channel)))

  function card(more: { seq?: number; handle?: string; keys?: Keys } = {}): string {
    const signer = more.keys ?? keys
    const node = peerIdOf(signer.node.publicKey)
    const { seq = 1, handle = `@${name}` } = more
    const content = { agent, handle, peerId: node, addrs: [addressOf(node)], seq, at: isoOf(world.clock.now()) }
    return toBase64url(sealCard(content, keys.agent, signer.node))
  }

  async function connect(node: Node): Promise<Thread> {
    const target = { peerId: node.peerId, addrs: [addressOf(node.peerId)], allowPrivate: true }
    return thread(await world.do(link.connect(target)))
  }

  const puppet: Puppet = {
    name,
    agent,
    peerId,
    keys,
    link,
    visitors,
    heads,
    card,
    linkText: (seq = 1) => writeLink({ agent, card: Buffer.from(card({ seq }), 'base64url') }),
    connect,
    async visit(node, more) {
      const opened = await connect(node)
      const mine = heads.get(node.agent) ?? { seq: 0, id: '' as const }
      const have = { mine, yours: { seq: 0, id: '' as const } }
      opened.say({ type: 'hello', hello: { v: 1, card: card(), to: node.agent, have, ...more } })
      await world.rest()
      return opened
    },
    write(node, content, task) {
      const head = heads.get(node.agent) ?? { seq: 0, id: '' as const }
      const at = isoOf(world.clock.now())
      const draft = { ...content, from: agent, to: node.agent, seq: head.seq + 1, prev: head.id, at }
      const message = good(seal(task === undefined ? draft : { ...draft, task }, keys.agent))
      heads.set(node.agent, { seq: message.header.seq, id: message.id })
      return message
    },
    forge(node, payload, more = {}) {
      const head = heads.get(node.agent) ?? { seq: 0, id: '' as const }
      const at = isoOf(world.clock.now())
      const header = { v: 1, from: agent, to: node.agent, seq: head.seq + 1, prev: head.id, at, body: {}, ...payload }
      const bytes = sealEnvelope(more.signer ?? keys.agent, MESSAGE_DOMAIN, MESSAGE_TYPE, canonicalBytes(header))
      const opened = open(bytes, { from: agent, to: node.agent })
      if (opened.ok) heads.set(node.agent, { seq: opened.value.header.seq, id: opened.value.id })
      return bytes
    },
    receipt(node, upTo, more) {
      const receipt = {
        from: agent,
        to: node.agent,
        upTo: upTo as Receipt['upTo'],
        head: (heads.get(node.agent) ?? { seq: 0 }).seq,
        results: [],
        at: isoOf(world.clock.now()),
        ...more
      }
      return { type: 'receipt', bytes: sealReceipt(receipt, keys.agent) }
    }
  }
  return puppet
}

function thread(channel: Channel): Thread {
  const heard: Frame[] = []
  let over = false
  void channel.closed.then(() => (over = true))
  channel.read((bytes) => {
    const frame = decodeFrame(bytes)
    if (!frame.ok) throw new Error(`the node sent junk: ${frame.refusal.message}`)
    heard.push(frame.value)
  })
  return {
    channel,
    heard,
    ended: () => over,
    say: (frame) => void channel.send(encodeFrame(frame)),
    raw: (bytes) => void channel.send(bytes)
  }
}

/** Makes a puppet an active contact of a node: the node's owner adds its link, and it accepts. */
export async function acquaint(world: World, node: Node, puppet: Puppet): Promise<Thread> {
  good(await world.do(node.flows.owner.addContact({ link: puppet.linkText() })))
  const opened = await puppet.visit(node)
  opened.say(say(puppet.write(node, { kind: 'contact.accept', body: { card: puppet.card() } })))
  await world.rest()
  return opened
}

export function say(message: VerifiedMessage): Frame {
  return { type: 'message', bytes: message.bytes }
}

/** The place of the first message of a task. */
export function firstPlace(uid: TaskUid): TaskPlace {
  return { uid, n: 1, seen: 0, seenId: '' }
}

export function uidOf(digit: string): TaskUid {
  return digit.repeat(32) as TaskUid
}

/** The body of an invite to a dinner, bent by `more`. */
export function invite(world: World, more: Partial<Extract<Content, { kind: 'task.invite' }>['body']> = {}): Content {
  const { name, version, hash, definition } = DINNER_TYPE
  const body = {
    type: { name, version, hash, definition: definition as unknown as JsonObject },
    expiresAt: isoOf(world.clock.now() + 3_600_000),
    proposal: dinner(),
    ...more
  }
  return { kind: 'task.invite', body }
}

/** The receipts on a stream, opened. */
export function receiptsOn(at: Thread, node: Node, puppet: Puppet): Receipt[] {
  return at.heard.flatMap((frame) =>
    frame.type === 'receipt' ? [good(openReceipt(frame.bytes, { from: node.agent, to: puppet.agent }))] : []
  )
}

/** The messages on a stream, opened. */
export function messagesOn(at: Thread, node: Node, puppet: Puppet): VerifiedMessage[] {
  return at.heard.flatMap((frame) =>
    frame.type === 'message' ? [good(open(frame.bytes, { from: node.agent, to: puppet.agent }))] : []
  )
}

/** Kinds of frames on a stream, with what tells them apart. */
export function kindsOn(at: Thread): string[] {
  return at.heard.map((frame) => (frame.type === 'refuse' ? `refuse ${frame.code}` : frame.type))
}

export type { Frame }
