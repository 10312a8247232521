import './polyfill.js'
import { setMaxListeners } from 'node:events'
import type { Connection, Libp2p, Stream } from '@libp2p/interface'
import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import type { Target } from '../flows/ports.js'
import { dialable } from './addresses.js'
import { reasonOf } from './channel.js'

/** Opens streams to other nodes, within a deadline, and gives all of it up at once when the host stops. */
export interface Dialer {
  /** A fresh stream of `protocol` to exactly that node. Rejects with an Error that says why there is none. */
  open(node: Libp2p, target: Target): Promise<Opened>
  /** Ends every attempt. */
  giveUp(): void
  /** Whether `addr` is being dialled now: libp2p dials such addresses and no others. */
  dialling(addr: string): boolean
}

interface Opened {
  readonly stream: Stream
  readonly connection: Connection
}

export interface DialerOptions {
  readonly protocol: string
  /** Deadline of one attempt, all addresses together, milliseconds. */
  readonly dialMs: number
  /** An open connection that gives no stream within this time is dead, and dialled anew. */
  readonly staleMs: number
}

export function createDialer(options: DialerOptions): Dialer {
  const attempts = new Set<AbortController>()
  const dialling = new Map<string, number>()

  async function open(node: Libp2p, target: Target): Promise<Opened> {
    const attempt = new AbortController()
    // libp2p listens once for every address and every step of it; that many is no leak.
    setMaxListeners(0, attempt.signal)
    const timer = setTimeout(() => attempt.abort(new Error(`no answer within ${options.dialMs} ms`)), options.dialMs)
    attempts.add(attempt)
    try {
      return await within(attempt.signal, reach(node, target, attempt.signal))
    } catch (error) {
      throw new Error(
        `can't reach ${target.peerId}: ${reasonOf(attempt.signal.aborted ? attempt.signal.reason : error)}`
      )
    } finally {
      clearTimeout(timer)
      attempts.delete(attempt)
    }
  }

  async function reach(node: Libp2p, target: Target, signal: AbortSignal): Promise<Opened> {
    const opened = await overExisting(node, target, signal)
    if (opened !== undefined) return opened
    signal.throwIfAborted()
    const connection = await dial(node, target, signal)
    return { connection, stream: await connection.newStream(options.protocol, { signal }) }
  }

  async function overExisting(node: Libp2p, target: Target, signal: AbortSignal): Promise<Opened | undefined> {
    const open = node.getConnections(peerIdFromString(target.peerId)).filter((each) => each.status === 'open')
    const connection = open.at(-1)
    if (connection === undefined) return undefined
    const soon = AbortSignal.any([signal, AbortSignal.timeout(options.staleMs)])
    try {
      return { connection, stream: await connection.newStream(options.protocol, { signal: soon }) }
    } catch (error) {
      if (soon.aborted && !signal.aborted) connection.abort(new Error('the connection is dead'))
      else if (connection.status === 'open') throw error
      return undefined
    }
  }

  async function dial(node: Libp2p, target: Target, signal: AbortSignal): Promise<Connection> {
    const addrs = await dialable(target)
    if (addrs.length === 0) throw new Error('it has no address that may be dialled')
    for (const addr of addrs) dialling.set(addr, (dialling.get(addr) ?? 0) + 1)
    try {
      const connection = await node.dial(
        addrs.map((addr) => multiaddr(addr)),
        { signal }
      )
      if (connection.remotePeer.toString() === target.peerId) return connection
      connection.abort(new Error('another node answered'))
      throw new Error('another node answered')
    } finally {
      for (const addr of addrs) forget(addr)
    }
  }

  function forget(addr: string): void {
    const left = (dialling.get(addr) ?? 1) - 1
    if (left > 0) dialling.set(addr, left)
    else dialling.delete(addr)
  }

  return {
    open,
    giveUp() {
      for (const attempt of attempts) attempt.abort(new Error('the node is stopping'))
    },
    dialling: (addr) => dialling.has(addr)
  }
}

// A name that never resolves ignores the signal: the caller is answered in time all the same, and what comes too late
// is closed.
async function within(signal: AbortSignal, attempt: Promise<Opened>): Promise<Opened> {
  let stop!: () => void
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  attempt.then(
    ({ stream }) => {
      if (signal.aborted) stream.abort(new Error('too late'))
    },
    () => undefined
  )
  try {
    return await Promise.race([attempt, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
