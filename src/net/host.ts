import './polyfill.js'
import type { Connection, Libp2p, Stream } from '@libp2p/interface'
import type { PeerId } from '../base/ids.js'
import type { Channel, Link, Log, Target } from '../flows/ports.js'
import { signerOf } from '../wire/ed25519.js'
import { peerIdOf } from '../wire/keys.js'
import { LIMITS } from '../wire/limits.js'
import { addressKey, cardAddresses } from './addresses.js'
import { createAdmission } from './admission.js'
import { type BudgetOptions, createBudget, DEFAULT_BUDGET, type Payer } from './budget.js'
import { createChannel } from './channel.js'
import { createDialer } from './dialer.js'
import { createGater } from './gater.js'
import { createHandshakes } from './handshakes.js'
import { assembleLibp2p } from './libp2p.js'
import { DEFAULT_LIMITS, type NetLimits, type OwnerLimits } from './limits.js'
import { createMeter } from '../base/meter.js'

/** This node on the network: the `Link` of the flows over libp2p (protocols/streams.md). */
export interface Host extends Link {
  /** Resolves when it listens; `addrs()` is complete from then on. Rejects when an address can't be listened on. */
  start(): Promise<void>
  /** Gives up dials, lets channels send what they hold, ends everything. Takes five seconds at most. */
  stop(): Promise<void>
  connections(): readonly ConnectionView[]
}

interface ConnectionView {
  readonly peerId: PeerId
  readonly addr: string
  readonly direction: 'inbound' | 'outbound'
  readonly contact: boolean
  readonly streams: number
}

export interface HostOptions {
  /** 32-byte seed of the node's own Ed25519 key. */
  readonly seed: Uint8Array
  readonly listen: readonly string[]
  readonly announce?: readonly string[]
  readonly transports?: ReadonlyArray<'tcp' | 'ws'>
  /** Deadline of one `connect`, milliseconds. */
  readonly dialMs?: number
  readonly limits: OwnerLimits & Partial<NetLimits>
  readonly budget?: Partial<BudgetOptions>
}

export const PROTOCOL = '/agentlink/message/1.0.0'
/** Milliseconds; the parts of `stop` stay below its five seconds together. */
const DIAL_MS = 10_000
const STALE_MS = 3_000
const SWEEP_MS = 5_000
const FLUSH_MS = 1_000
const STOP_MS = 3_500
const MAX_ARRIVAL_KEYS = 4096

/** Does no I/O before `start`. */
export function createHost(options: HostOptions, components: { readonly log: Log }): Host {
  const { log } = components
  const limits: NetLimits = { ...DEFAULT_LIMITS, ...options.limits }
  const dialMs = options.dialMs ?? DIAL_MS
  const now = (): number => performance.now()
  const peerId = peerIdOf(signerOf(options.seed).publicKey)
  const admission = createAdmission(limits, now)
  const budget = createBudget({ ...DEFAULT_BUDGET, ...options.budget }, now)
  const dialer = createDialer({ protocol: PROTOCOL, dialMs, staleMs: STALE_MS })
  const channels = new Set<Channel>()
  const refusals = new Map<string, number>()
  let accept: (channel: Channel) => void = (channel) => channel.abort('nobody takes channels here')
  let node: Libp2p | undefined
  let sweeper: NodeJS.Timeout | undefined

  const arrivals = { perSecond: limits.newPerSecond, atOnce: limits.newAtOnce, maxKeys: MAX_ARRIVAL_KEYS }
  const gater = createGater({
    handshakes: createHandshakes(limits, createMeter(arrivals, now)),
    admission,
    refused,
    streamsWith: (peer) => (node?.getConnections(peer) ?? []).reduce((sum, each) => sum + each.streams.length, 0),
    dialling: dialer.dialling
  })

  async function start(): Promise<void> {
    if (node !== undefined) throw new Error('a host starts once')
    const { seed, listen, announce = [], transports = ['tcp'] } = options
    node = await assembleLibp2p({ seed, listen, announce, transports, dialMs, limits }, gater)
    const { peerStore } = node
    // Nothing about a node is kept once it has left: the peer store is no larger than the list of connections.
    node.addEventListener('peer:disconnect', (event) => {
      peerStore.delete(event.detail).catch(() => undefined)
    })
    await node.handle(PROTOCOL, takeStream, { maxInboundStreams: limits.streams, maxOutboundStreams: limits.streams })
    await node.start()
    sweeper = setInterval(sweep, Math.min(SWEEP_MS, limits.strangerMs))
    sweeper.unref()
  }

  function takeStream(stream: Stream, connection: Connection): void {
    const payer = payerOf(connection)
    if (budget.open(payer) === 'ok' || payer.kind === 'contact') return accept(wrap(stream, connection))
    refused('budget')
    connection.abort(new Error('over budget'))
  }

  async function connect(target: Target): Promise<Channel> {
    if (node === undefined || node.status !== 'started') throw new Error('the host is not running')
    const { stream, connection } = await dialer.open(node, target)
    return wrap(stream, connection)
  }

  function wrap(stream: Stream, connection: Connection): Channel {
    const peer = connection.remotePeer.toString() as PeerId
    const channel = createChannel(
      stream,
      {
        peerId: peer,
        charge: (bytes) => waitFor(payerOf(connection), bytes),
        onBroken: (reason) => log.info('channel_broken', { peer, reason })
      },
      { ...limits, maxFrameBytes: LIMITS.frameBytes, maxQueuedBytes: limits.queuedBytes }
    )
    channels.add(channel)
    void channel.closed.then(() => channels.delete(channel))
    return channel
  }

  function payerOf(connection: Connection): Payer {
    const peer = connection.remotePeer.toString()
    if (admission.isContact(peer)) return { kind: 'contact', key: peer }
    return { kind: 'stranger', key: addressKey(connection.remoteAddr.toString()) }
  }

  function waitFor(payer: Payer, bytes: number): number | undefined {
    const spent = budget.spend(payer, bytes)
    if (spent === 'ok') return 0
    return payer.kind === 'contact' ? spent.waitMs : undefined
  }

  function refused(reason: string): void {
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
  }

  // A line for each refusal would let anyone fill the disk with our log: they are counted, and told now and then.
  function sweep(): void {
    admission.sweep()
    if (refusals.size === 0) return
    log.warn('connections_refused', Object.fromEntries(refusals))
    refusals.clear()
  }

  async function stop(): Promise<void> {
    clearInterval(sweeper)
    dialer.giveUp()
    if (node === undefined || node.status === 'stopped') return
    const ending = [...channels]
    for (const channel of ending) channel.close()
    await atMost(FLUSH_MS, Promise.all(ending.map((channel) => channel.closed)))
    for (const channel of channels) channel.abort('the node is stopping')
    await atMost(STOP_MS, Promise.resolve(node.stop()))
  }

  function connections(): ConnectionView[] {
    return (node?.getConnections() ?? []).map((connection) => ({
      peerId: connection.remotePeer.toString() as PeerId,
      addr: connection.remoteAddr.toString(),
      direction: connection.direction,
      contact: admission.isContact(connection.remotePeer.toString()),
      streams: connection.streams.length
    }))
  }

  return {
    peerId,
    start,
    stop,
    connect,
    connections,
    addrs: () => cardAddresses((node?.getMultiaddrs() ?? []).map((addr) => addr.toString())),
    onChannel(taker) {
      accept = taker
    },
    setContacts: (peers) => admission.setContacts(peers)
  }
}

/** Waits for `work`, but no longer than `ms`. Rejects only when it fails in time. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  try {
    await Promise.race([work, enough])
  } finally {
    clearTimeout(timer)
  }
}
