import '../../dist/net/polyfill.js'
import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noise } from '@chainsafe/libp2p-noise'
import type { Stream } from '@libp2p/interface'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { Level } from 'level'
import { createLibp2p } from 'libp2p'
import { canonicalText } from '../../dist/base/canonical.js'
import { drive, processCount, serve } from './end.js'

/**
 * The bare job and nothing else: sign, sync, send, verify and check the chain, sync, acknowledge. No routing, policy,
 * tasks or API. What the product is measured against.
 */

const PROTOCOL = '/agentlink-bench/ceiling/1'
const MAX_BATCH = 64
const SLICE = 16
const ACK_BYTES = 20
/** Makes a signed message about as long as the product's: 700 bytes. */
const PLAN = { ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`field${i}`, 'x'.repeat(40)])), size: 2 }

const dir = mkdtempSync(join(tmpdir(), 'agentlink-ceiling-'))
const db = new Level<string, Uint8Array>(dir, { keyEncoding: 'utf8', valueEncoding: 'view' })
await db.open()
const node = await createLibp2p({
  addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()]
})
const keys = generateKeyPairSync('ed25519')
const stats = { syncs: 0, committed: 0 }

type Op = { readonly key: string; readonly value?: Uint8Array }
interface Entry {
  readonly ops: readonly Op[]
  readonly done: () => void
}

/** While one batch is on its way to the disk the next one gathers. */
function groupCommit(moreAtHand: () => boolean): { add(entry: Entry): void; kick(): void } {
  const queue: Entry[] = []
  let busy = false
  const ready = (): boolean => queue.length >= MAX_BATCH || (queue.length > 0 && !moreAtHand())
  async function work(): Promise<void> {
    while (ready()) {
      const part = queue.splice(0, MAX_BATCH)
      const batch = db.batch()
      for (const { key, value } of part.flatMap(({ ops }) => ops)) {
        if (value === undefined) batch.del(key)
        else batch.put(key, value)
      }
      await batch.write({ sync: true })
      stats.syncs++
      stats.committed += part.length
      for (const { done } of part) done()
    }
    busy = false
  }
  const kick = (): void => {
    if (busy || !ready()) return
    busy = true
    void work()
  }
  return {
    add(entry) {
      queue.push(entry)
      kick()
    },
    kick
  }
}

/** Frames of one turn of the loop leave in one send; the length goes in front as four bytes. */
function writer(stream: Stream): (body: Uint8Array) => void {
  let parts: Uint8Array[] = []
  return (body) => {
    if (parts.length === 0) {
      setImmediate(() => {
        stream.send(Buffer.concat(parts))
        parts = []
      })
    }
    const head = Buffer.alloc(4)
    head.writeUInt32BE(body.length)
    parts.push(head, body)
  }
}

function onFrames(stream: Stream, take: (frame: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  stream.addEventListener('message', (event) => {
    const chunk = event.data.subarray()
    let bytes =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk])
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
      const end = 4 + bytes.readUInt32BE(0)
      take(bytes.subarray(4, end))
      bytes = bytes.subarray(end)
    }
    rest = bytes
  })
}

const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const keyOf = (table: string, seq: number): string => `${table}!${String(seq).padStart(12, '0')}`

// ---- receiver ----

let senderKey: KeyObject
const head = { seq: 0, id: '' }

await node.handle(PROTOCOL, (stream) => {
  const write = writer(stream)
  const waiting: Buffer[] = []
  const commit = groupCommit(() => waiting.length > 0)
  let working = false
  const work = (): void => {
    for (let i = 0; i < SLICE && waiting.length > 0; i++) store(waiting.shift() as Buffer)
    if (waiting.length > 0) setImmediate(work)
    else {
      working = false
      commit.kick()
    }
  }
  const store = (frame: Buffer): void => {
    const signature = frame.subarray(0, 64)
    const payload = frame.subarray(64)
    if (!verify(null, payload, senderKey, signature)) throw new Error('bad signature')
    const message = JSON.parse(payload.toString()) as { seq: number; prev: string; body: unknown }
    if (message.seq !== head.seq + 1 || message.prev !== head.id) throw new Error('broken chain')
    head.seq = message.seq
    head.id = shaOf(payload)
    const view = Buffer.from(JSON.stringify({ seq: message.seq, body: message.body, state: 'negotiating' }))
    const ack = Buffer.alloc(ACK_BYTES)
    ack.writeUInt32BE(message.seq)
    commit.add({
      ops: [
        { key: keyOf('log', message.seq), value: frame },
        { key: 'view', value: view },
        { key: 'head', value: Buffer.from(head.id) },
        { key: keyOf('inbox', message.seq), value: view.subarray(0, 100) }
      ],
      done: () => write(ack)
    })
  }
  onFrames(stream, (frame) => {
    waiting.push(frame)
    if (working) return
    working = true
    setImmediate(work)
  })
})

// ---- sender ----

let send: (body: Uint8Array) => void
let seq = 0
let prev = ''
const acknowledged: Op[] = []
const acks = new Map<number, () => void>()
const outbox = groupCommit(() => false)

function post(): Promise<void> {
  const at = ++seq
  const payload = Buffer.from(
    canonicalText({
      v: 1,
      kind: 'bench',
      from: 'a'.repeat(62),
      to: 'b'.repeat(62),
      seq: at,
      prev,
      at: new Date().toISOString(),
      body: PLAN
    })
  )
  const frame = Buffer.concat([sign(null, payload, keys.privateKey), payload])
  prev = shaOf(payload)
  const ops = [...acknowledged.splice(0), { key: keyOf('outbox', at), value: frame }]
  outbox.add({ ops, done: () => send(frame) })
  return new Promise((resolve) => acks.set(at, resolve))
}

serve({
  place: () =>
    Promise.resolve({ addr: node.getMultiaddrs()[0]?.toString(), key: keys.publicKey.export({ format: 'jwk' }) }),
  async meet(peer) {
    const { addr, key, dial } = peer as { addr: string; key: Record<string, string>; dial: boolean }
    senderKey = createPublicKey({ key, format: 'jwk' })
    if (!dial) return
    const stream = await (await node.dial(multiaddr(addr))).newStream(PROTOCOL)
    send = writer(stream)
    onFrames(stream, (ack) => {
      const at = ack.readUInt32BE(0)
      acknowledged.push({ key: keyOf('outbox', at) })
      acks.get(at)?.()
      acks.delete(at)
    })
  },
  prepare: () => Promise.resolve(),
  slice: (slice) => drive(slice, post),
  count: () => ({ ...processCount(), ...stats }),
  async stop() {
    await node.stop()
    await db.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
