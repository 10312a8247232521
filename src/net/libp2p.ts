import './polyfill.js'
import { noise } from '@chainsafe/libp2p-noise'
import { privateKeyFromRaw } from '@libp2p/crypto/keys'
import { identify } from '@libp2p/identify'
import type { ComponentLogger, ConnectionGater, Libp2p, Logger } from '@libp2p/interface'
import { ping } from '@libp2p/ping'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { concat } from '../base/bytes.js'
import { signerOf } from '../wire/ed25519.js'
import { LIMITS } from '../wire/limits.js'
import { guarded } from './frame-guard.js'
import type { NetLimits } from './limits.js'

/** Puts libp2p together: which parts of it we use, and with which limits. */
export interface Libp2pOptions {
  /** 32-byte seed of the node's own Ed25519 key. */
  readonly seed: Uint8Array
  /** Multiaddrs to listen on; none = this node only dials. */
  readonly listen: readonly string[]
  /** Published instead of what we listen on, when not empty. */
  readonly announce: readonly string[]
  /** Whether `/ws` addresses can be dialled and listened on. */
  readonly transports: ReadonlyArray<'tcp' | 'ws'>
  readonly dialMs: number
  readonly limits: NetLimits
}

/** Our own gater counts connections, by rules that libp2p can't express; its own caps are put out of the way. */
const NO_CAP = 1_000_000
/** Streams beside those of our protocol: identify, ping, and what is still being negotiated. */
const SPARE_STREAMS = 8
/** How often a silent connection is checked: muxer pings alone never end a dead one. */
const PING_MS = 20_000

/** A libp2p node that has not been started. */
export async function assembleLibp2p(options: Libp2pOptions, gater: ConnectionGater): Promise<Libp2p> {
  const { limits } = options
  const streams = limits.streams + SPARE_STREAMS
  return createLibp2p({
    start: false,
    privateKey: privateKeyFromRaw(concat(options.seed, signerOf(options.seed).publicKey)),
    nodeInfo: { name: 'agentlink', version: '1', userAgent: 'agentlink' },
    logger: QUIET,
    addresses: { listen: [...options.listen], announce: [...options.announce] },
    transports: await transportsOf(options.transports),
    connectionEncrypters: [noise()],
    streamMuxers: [
      guarded(
        yamux({
          maxInboundStreams: streams,
          maxOutboundStreams: streams,
          // The dialler may open all of its streams before our side of the connection is quite there.
          maxEarlyStreams: streams,
          streamOptions: {
            initialStreamWindowSize: limits.windowBytes,
            maxStreamWindowSize: limits.windowBytes,
            maxReadBufferLength: limits.windowBytes
          }
        }),
        { maxBody: limits.windowBytes, framesPerSecond: limits.muxerPerSecond, framesAtOnce: limits.muxerAtOnce }
      )
    ],
    connectionGater: gater,
    connectionManager: {
      maxConnections: NO_CAP,
      inboundConnectionThreshold: NO_CAP,
      maxIncomingPendingConnections: limits.handshakes,
      inboundUpgradeTimeout: limits.handshakeMs,
      maxPeerAddrsToDial: LIMITS.cardAddrs,
      dialTimeout: options.dialMs,
      addressDialTimeout: options.dialMs
    },
    connectionMonitor: { pingInterval: PING_MS },
    services: { identify: identify({ maxInboundStreams: 1, maxOutboundStreams: 1 }), ping: ping() }
  })
}

type Transports = NonNullable<NonNullable<Parameters<typeof createLibp2p>[0]>['transports']>

async function transportsOf(kinds: ReadonlyArray<'tcp' | 'ws'>): Promise<Transports> {
  const transports: Transports = []
  if (kinds.includes('tcp')) transports.push(tcp())
  if (kinds.includes('ws')) transports.push((await import('./websocket.js')).webSocketTransport())
  return transports
}

// libp2p's own log speaks of addresses and peers line by line. What an owner needs to know, host.ts says.
const silent: Logger = Object.assign(() => undefined, {
  enabled: false,
  error: () => undefined,
  trace: () => undefined,
  newScope: () => silent
})
const QUIET: ComponentLogger = { forComponent: () => silent }
