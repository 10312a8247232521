/** A libp2p node of an attacker: none of our limits, its own keys, and every byte it says is the test's. */
import '../../src/net/polyfill.js'
import { createHash } from 'node:crypto'
import { noise } from '@chainsafe/libp2p-noise'
import { privateKeyFromRaw } from '@libp2p/crypto/keys'
import type { Libp2p, Stream } from '@libp2p/interface'
import { identify } from '@libp2p/identify'
import { tcp } from '@libp2p/tcp'
import { byteStream } from '@libp2p/utils'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { concat, toBase64url } from '../../src/base/bytes.js'
import { canonicalBytes } from '../../src/base/canonical.js'
import type { AgentId, PeerId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import { createFrameSplitter } from '../../src/net/frame-splitter.js'
import { PROTOCOL } from '../../src/net/host.js'
import { sealCard } from '../../src/wire/card.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'
import type { Head } from '../../src/wire/forms.js'
import { type Frame, type Hello, decodeFrame, encodeFrame } from '../../src/wire/frames.js'
import { agentIdOf, peerIdOf } from '../../src/wire/keys.js'
import { LIMITS } from '../../src/wire/limits.js'
import { writeLink } from '../../src/wire/link.js'
import {
  type Content,
  MESSAGE_DOMAIN,
  MESSAGE_TYPE,
  type TaskPlace,
  type VerifiedMessage
} from '../../src/wire/message.js'
import { open } from '../../src/wire/open.js'
import { type Receipt, sealReceipt } from '../../src/wire/receipt.js'
import { seal } from '../../src/wire/seal.js'
import { sealEnvelope } from '../../src/wire/signed-envelope.js'
import { framed } from '../net/hosts.js'

/** One stream as the attacker has it. */
export interface Line {
  readonly heard: Frame[]
  /** Bytes of all frames heard. */
  bytes: number
  readonly ended: Promise<void>
  readonly over: boolean
  /** Both answer false when the stream wants to drain first. */
  say(frame: Frame): boolean
  raw(bytes: Uint8Array): boolean
  /** Resolves once a heard frame passes, or the stream has ended without one. */
  hears(passes: (frame: Frame) => boolean): Promise<Frame | undefined>
  halfClose(): Promise<void>
  hangUp(): void
}

export interface Rogue {
  readonly agent: AgentId
  readonly peerId: PeerId
  readonly signer: Signer
  /** Streams that nodes opened to it, oldest first. */
  readonly visitors: Line[]
  /** What it does with a stream that a node opens; at first it is polite. Undefined = it does not even read. */
  onVisit: ((line: Line) => void) | undefined
  /** Head of its own chain, and of the victim's as far as it was polite. */
  head: Head
  seen: Head
  card(agent?: Signer): string
  link(): string
  connect(address: string): Promise<Line>
  hello(to: AgentId, more?: Partial<Hello>): Frame
  /** Connects and says hello. */
  visit(address: string, to: AgentId, more?: Partial<Hello>): Promise<Line>
  /** Seals the next message of its chain. */
  write(to: AgentId, content: Content, task?: TaskPlace): VerifiedMessage
  /** Seals any payload under any header, the next of its chain unless `payload` says otherwise; moves no head. */
  forge(to: AgentId, payload: JsonObject, by?: Signer): Uint8Array
  receipt(to: AgentId, upTo: Head, more?: Partial<Receipt>): Frame
  stop(): Promise<void>
}

export function good<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`)
  return result.value
}

/** `from`: the address of its own on loopback that it calls from. */
export async function createRogue(name: string, from = '127.0.0.1'): Promise<Rogue> {
  const signer = signerOf(seedOf(`agent ${name}`))
  const nodeSigner = signerOf(seedOf(`node ${name}`))
  const agent = agentIdOf(signer.publicKey)
  const peerId = peerIdOf(nodeSigner.publicKey)
  const node = await bareNode(seedOf(`node ${name}`), nodeSigner, from)
  const visitors: Line[] = []

  const rogue: Rogue = {
    agent,
    peerId,
    signer,
    visitors,
    onVisit: (line) => void polite(rogue, line),
    head: { seq: 0, id: '' },
    seen: { seq: 0, id: '' },
    card(by = signer) {
      const addrs = node.getMultiaddrs().map((addr) => addr.toString())
      const content = { agent: agentIdOf(by.publicKey), handle: `@${name}`, peerId, addrs, seq: 1, at: now() }
      return toBase64url(sealCard(content, by, nodeSigner))
    },
    link: () => writeLink({ agent, card: Buffer.from(rogue.card(), 'base64url') }),
    async connect(address) {
      const signal = AbortSignal.timeout(5000)
      return lineOf(await node.dialProtocol(multiaddr(address), PROTOCOL, { signal }), true)
    },
    hello: (to, more) => ({
      type: 'hello',
      hello: { v: 1, card: rogue.card(), to, have: { mine: rogue.head, yours: rogue.seen }, ...more }
    }),
    async visit(address, to, more) {
      const line = await rogue.connect(address)
      line.say(rogue.hello(to, more))
      return line
    },
    write(to, content, task) {
      const { seq, id } = rogue.head
      const draft = { ...content, from: agent, to, seq: seq + 1, prev: id, at: now() }
      const message = good(seal(task === undefined ? draft : { ...draft, task }, signer))
      rogue.head = { seq: seq + 1, id: message.id }
      return message
    },
    forge(to, payload, by = signer) {
      const { seq, id } = rogue.head
      const header = { v: 1, from: agent, to, seq: seq + 1, prev: id, at: now(), body: {}, ...payload }
      return sealEnvelope(by, MESSAGE_DOMAIN, MESSAGE_TYPE, canonicalBytes(header))
    },
    receipt(to, upTo, more) {
      const receipt = { from: agent, to, upTo: upTo as Receipt['upTo'], head: rogue.head.seq, results: [], at: now() }
      return { type: 'receipt', bytes: sealReceipt({ ...receipt, ...more }, signer) }
    },
    stop: () => Promise.resolve(node.stop())
  }
  await node.handle(
    PROTOCOL,
    (stream) => {
      const line = lineOf(stream, rogue.onVisit !== undefined)
      visitors.push(line)
      rogue.onVisit?.(line)
    },
    { maxInboundStreams: 1000 }
  )
  return rogue
}

/** Answers a visit as an honest receiver does: its hello, then a receipt for whatever comes. */
async function polite(rogue: Rogue, line: Line): Promise<void> {
  const hello = await line.hears((frame) => frame.type === 'hello')
  if (hello?.type !== 'hello') return
  const to = agentOf(hello.hello)
  line.say(rogue.hello(to))
  let read = 0
  while (!line.over) {
    await line.hears((frame) => line.heard.indexOf(frame) >= read && frame.type === 'message')
    for (; read < line.heard.length; read++) {
      const frame = line.heard[read]
      if (frame?.type !== 'message') continue
      const { header, id } = good(open(frame.bytes, { from: to, to: rogue.agent }))
      if (header.seq === rogue.seen.seq + 1) rogue.seen = { seq: header.seq, id }
    }
    if (rogue.seen.seq > 0) line.say(rogue.receipt(to, rogue.seen))
  }
}

/** Whose card a hello carries; the card is the innermost payload. */
function agentOf(hello: Hello): AgentId {
  const text = Buffer.from(hello.card, 'base64url').toString('latin1')
  const found = /"agent":"(al1[a-z0-9]+)"/.exec(text)?.[1]
  if (found === undefined) throw new Error('a hello without an agent')
  return found as AgentId
}

async function bareNode(seed: Uint8Array, signer: Signer, from: string): Promise<Libp2p> {
  return createLibp2p({
    privateKey: privateKeyFromRaw(concat(seed, signer.publicKey)),
    addresses: { listen: [`/ip4/${from}/tcp/0`] },
    transports: [tcp({ dialOpts: { localAddress: from } as object })],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux({ maxInboundStreams: 2000, maxOutboundStreams: 2000 })],
    services: { identify: identify() },
    connectionManager: { maxConnections: 100_000 }
  })
}

function lineOf(stream: Stream, reads: boolean): Line {
  const heard: Frame[] = []
  const waiting = new Set<() => void>()
  let over = false
  const ended = new Promise<void>((resolve) => {
    stream.addEventListener('close', () => {
      over = true
      resolve()
      for (const wake of [...waiting]) wake()
    })
  })
  const line: Line = {
    heard,
    bytes: 0,
    ended,
    get over() {
      return over
    },
    say: (frame) => line.raw(framed(encodeFrame(frame))),
    raw(bytes) {
      if (over) return true
      try {
        return stream.send(bytes)
      } catch {
        return true
      }
    },
    async hears(passes) {
      for (;;) {
        const found = heard.find(passes)
        if (found !== undefined || over) return found
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
        })
        waiting.clear()
      }
    },
    halfClose: () => stream.close().catch(() => undefined),
    hangUp: () => stream.abort(new Error('gone'))
  }
  if (reads) void listen(stream, line, () => [...waiting].forEach((wake) => wake()))
  else stream.pause()
  return line
}

async function listen(stream: Stream, line: Line, wake: () => void): Promise<void> {
  const splitter = createFrameSplitter(LIMITS.frameBytes)
  const bytes = byteStream(stream, { maxBufferSize: 1 << 26 })
  for (;;) {
    const chunk = await bytes.read().catch(() => null)
    if (chunk === null) return line.halfClose()
    splitter.push(chunk.subarray())
    for (let frame = splitter.next(); frame !== undefined; frame = splitter.next()) {
      line.bytes += frame.length
      line.heard.push(good(decodeFrame(frame.slice())))
    }
    wake()
  }
}

function seedOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest()
}

function now(): string {
  return new Date().toISOString()
}

export type { Frame }
