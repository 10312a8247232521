import '../../src/net/polyfill.js'
import { createHash } from 'node:crypto'
import { noise } from '@chainsafe/libp2p-noise'
import type { Libp2p, Stream } from '@libp2p/interface'
import { identify } from '@libp2p/identify'
import { ping } from '@libp2p/ping'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import type { Channel, Log, Target } from '../../src/flows/ports.js'
import { createHost, type Host, type HostOptions, PROTOCOL } from '../../src/net/host.js'
import type { NetLimits } from '../../src/net/limits.js'

/** What the owner of these hosts set. */
export const OWNER = { strangers: 32, strangersPerAddress: 8, perPeer: 2, newPerSecond: 10 }

type SceneOptions = Partial<Omit<HostOptions, 'limits'>> & { readonly limits?: Partial<NetLimits> }

/** Real hosts and bare libp2p nodes on 127.0.0.1 for one test file; `clean` stops them all. */
export interface Scene {
  host(options?: SceneOptions): Promise<Host>
  /** A libp2p node without any of our limits: what an attacker would run. `from` = its own address. */
  bare(from?: string): Promise<Libp2p>
  /** A bare stream of our protocol. */
  stream(from: Libp2p, to: Host): Promise<Stream>
  /** One channel between two hosts, as both ends see it. */
  pair(options?: SceneOptions): Promise<{ here: Channel; there: Channel; from: Host; to: Host }>
  /** Every line the hosts logged. */
  readonly lines: Array<readonly [event: string, fields: unknown]>
  clean(): Promise<void>
}

let seeds = 0

export function scene(): Scene {
  const stops: Array<() => Promise<unknown>> = []
  const lines: Array<readonly [string, unknown]> = []
  const log: Log = {
    info: (event, fields) => void lines.push([event, fields]),
    warn: (event, fields) => void lines.push([event, fields])
  }

  async function host({ limits, ...options }: SceneOptions = {}): Promise<Host> {
    const seed = createHash('sha256').update(`seed ${seeds++}`).digest()
    const made = createHost(
      { seed, listen: ['/ip4/127.0.0.1/tcp/0'], ...options, limits: { ...OWNER, ...limits } },
      { log }
    )
    stops.push(() => made.stop())
    await made.start()
    return made
  }

  async function bare(from?: string): Promise<Libp2p> {
    const node = await createLibp2p({
      transports: [tcp(from === undefined ? {} : { dialOpts: { localAddress: from } as object })],
      connectionEncrypters: [noise()],
      streamMuxers: [yamux()],
      services: { identify: identify(), ping: ping() },
      connectionManager: { maxConnections: 100_000 }
    })
    stops.push(() => Promise.resolve(node.stop()))
    return node
  }

  async function stream(from: Libp2p, to: Host): Promise<Stream> {
    return from.dialProtocol(multiaddr(to.addrs()[0]), PROTOCOL, { signal: AbortSignal.timeout(5000) })
  }

  async function pair(options: SceneOptions = {}): ReturnType<Scene['pair']> {
    const [from, to] = await Promise.all([host(options), host(options)])
    befriend(from, to)
    const arrived = nextChannel(to)
    const here = await from.connect(targetOf(to))
    return { here, there: await arrived, from, to }
  }

  return {
    host,
    bare,
    stream,
    pair,
    lines,
    async clean() {
      await Promise.all(stops.splice(0).map((stop) => stop()))
      lines.splice(0)
    }
  }
}

export function targetOf(host: Host): Target {
  return { peerId: host.peerId, addrs: host.addrs(), allowPrivate: true }
}

/** Makes both hosts take the other for a contact. */
export function befriend(one: Host, other: Host): void {
  one.setContacts(new Set([other.peerId]))
  other.setContacts(new Set([one.peerId]))
}

/** The next channel that a remote opens to `host`. */
export function nextChannel(host: Host): Promise<Channel> {
  return new Promise((resolve) => host.onChannel(resolve))
}

/** Collects the frames of a channel; `until` resolves once there are `count` of them. */
export function collect(channel: Channel): { frames: Uint8Array[]; until(count: number): Promise<void> } {
  const frames: Uint8Array[] = []
  let wanted = Infinity
  let done: () => void = () => undefined
  channel.read((frame) => {
    frames.push(frame.slice())
    if (frames.length >= wanted) done()
  })
  return {
    frames,
    until: (count) =>
      new Promise((resolve) => {
        wanted = count
        done = resolve
        if (frames.length >= count) resolve()
      })
  }
}

/** Bytes that a bare node writes to speak one frame. */
export function framed(body: Uint8Array): Uint8Array {
  const prefix: number[] = []
  for (let left = body.length; ; left >>>= 7) {
    prefix.push(left < 128 ? left : (left & 127) | 128)
    if (left < 128) break
  }
  return Uint8Array.from([...prefix, ...body])
}

/** Resolves as soon as `test` holds; the runner's own timeout ends a wait in vain. */
export async function eventually(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setTimeout(resolve, 5))
}
