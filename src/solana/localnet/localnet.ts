import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Instant } from '../../base/time.js'
import { LocalChain } from './chain.js'
import type { Fault } from './faults.js'
import { type Answerer, MOST_CALL_BYTES, answerText } from './json-rpc.js'
import { Subscriptions } from './subscriptions.js'

/**
 * `agentlink localnet`: a Solana chain in this process behind the doors of an RPC node, on loopback. Calls come by HTTP;
 * subscriptions by websocket on the next port, where clients look for it. Nobody is asked who they are, because nothing
 * here is worth anything; a web page can't call it.
 */
export interface Localnet {
  readonly url: string
  readonly websocketUrl: string
  setFaults(faults: readonly Fault[]): void
  stop(): Promise<void>
}

const HOST = '127.0.0.1'
const OWN_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])
const MOST_CLIENTS = 200
const TRIES = 20
const TELL_MS = 50
const NORMAL_CLOSE = 1000

/**
 * @param port of the HTTP door; 0 = a free one whose next is free too
 * @throws when the port, or the next one, is taken
 */
export async function startLocalnet(port: number, now: () => Instant): Promise<Localnet> {
  const chain = new LocalChain(now)
  const [http, pubsub] = await listening(port, () =>
    createServer((request, response) => take(chain, request, response))
  )
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_CALL_BYTES })
  const clients = new Map<WebSocket, Subscriptions>()
  for (const server of [http, pubsub]) {
    server.on('upgrade', (request, socket, head) => {
      if (!isOwn(request) || clients.size >= MOST_CLIENTS) socket.destroy()
      else sockets.handleUpgrade(request, socket, head, (client) => welcome(chain, clients, client))
    })
  }
  const telling = setInterval(() => tellAll(clients), TELL_MS)
  return {
    url: `http://${HOST}:${portOf(http)}`,
    websocketUrl: `ws://${HOST}:${portOf(pubsub)}`,
    setFaults: (faults) => chain.setFaults(faults),
    async stop() {
      clearInterval(telling)
      // A client that is told that this was meant does not come back for ever.
      for (const client of clients.keys()) client.close(NORMAL_CLOSE)
      sockets.close()
      await Promise.all([http, pubsub].map(closed))
    }
  }
}

async function listening(port: number, make: () => Server): Promise<readonly [Server, Server]> {
  for (let tries = 1; ; tries++) {
    const http = await listen(make(), port)
    try {
      return [http, await listen(make(), portOf(http) + 1)]
    } catch (error) {
      await closed(http)
      if (port !== 0 || tries === TRIES) throw error
    }
  }
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve(server.off('error', reject)))
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** By its own address, and not from a web page: no page of another origin may send this, or read the answer. */
function isOwn(request: IncomingMessage): boolean {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  return OWN_HOSTS.has(host) && request.headers.origin === undefined
}

function take(chain: LocalChain, request: IncomingMessage, response: ServerResponse): void {
  if (!isOwn(request)) return refuse(response, 403, 'by its own address only, and not from a web page')
  if (request.method !== 'POST') return refuse(response, 405, 'POST a JSON-RPC call')
  const parts: Buffer[] = []
  let size = 0
  request.on('error', () => response.destroy())
  request.on('data', (part: Buffer) => {
    size += part.length
    if (size <= MOST_CALL_BYTES) parts.push(part)
    else refuse(response, 413, `at most ${MOST_CALL_BYTES} bytes`)
  })
  request.on('end', () => {
    if (size <= MOST_CALL_BYTES) answer(chain, Buffer.concat(parts), response)
  })
}

function refuse(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${why}\n`)
}

function answer(chain: LocalChain, bytes: Buffer, response: ServerResponse): void {
  if (!isControl(bytes)) {
    if (chain.has('hang')) return
    if (chain.has('429')) return refuse(response, 429, 'Too many requests')
  }
  const text = answerText(bytes, (method, params) => chain.call(method, params))
  response.writeHead(200, { 'content-type': 'application/json' })
  if (chain.has('truncated') && !isControl(bytes)) response.end(text.slice(0, Math.floor(text.length / 2)))
  else response.end(text)
}

/** Whether a request switches faults, which works whatever fault is on. */
function isControl(bytes: Buffer): boolean {
  return bytes.includes('"localnet_')
}

function welcome(chain: LocalChain, clients: Map<WebSocket, Subscriptions>, client: WebSocket): void {
  const subscriptions = new Subscriptions(
    (text) => client.send(text),
    (signature) => chain.landed(signature)
  )
  const call: Answerer = (method, params) => subscriptions.call(method, params)
  clients.set(client, subscriptions)
  client.on('close', () => clients.delete(client))
  // A broken frame ends its own connection, which `close` tells.
  client.on('error', () => clients.delete(client))
  client.on('message', (message: RawData) => {
    if (!chain.has('hang')) client.send(answerText(bytesOf(message), call))
  })
}

function bytesOf(message: RawData): Uint8Array {
  if (Array.isArray(message)) return Buffer.concat(message)
  return message instanceof ArrayBuffer ? new Uint8Array(message) : message
}

function tellAll(clients: ReadonlyMap<WebSocket, Subscriptions>): void {
  for (const subscriptions of clients.values()) subscriptions.tell()
}
