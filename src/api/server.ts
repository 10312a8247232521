import { type IncomingMessage, type Server, type ServerResponse, createServer as createHttpServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AgentId } from '../base/ids.js'
import { badRequest, refusal } from '../base/refusal.js'
import { type Result, ok } from '../base/result.js'
import { SECOND } from '../base/time.js'
import { type AppComponents, createApp } from './app.js'
import { answerRaw, answerUnreadable, stamp } from './answer.js'
import type { CallLimits } from './call-limits.js'
import { type Gate, loopbackGate } from './gate.js'
import { type LoopbackPlace, listenTcp, listenUnix } from './listen.js'
import type { Place } from './place.js'

/**
 * The socket API of a node: one app from one route table, behind several listeners. `api.sock` takes every route, an
 * agent's own socket the routes of that agent, loopback TCP every route from exact hosts only. Spec:
 * protocols/socket-api.md.
 */

interface OwnSocket {
  readonly agent: AgentId
  readonly socket: string
}

export interface ServerOptions {
  /** Path of the socket for everything. */
  readonly socket: string
  /** For each agent the path of its own socket. */
  readonly agents: readonly OwnSocket[]
  /** Loopback TCP; absent when the owner switched it off. */
  readonly tcp?: LoopbackPlace
  readonly limits: CallLimits
}

export interface ApiServer {
  /** Opens every listener, or none. Answers the loopback URL, when there is one. */
  start(): Promise<Result<{ readonly url?: string }>>
  /** Opens the socket of one more agent. Refuses as `start` does. */
  openAgent(own: OwnSocket): Promise<Result<void>>
  /** Shuts the socket of an agent with everything on it, and ends what its token waits for anywhere. */
  closeAgent(agent: AgentId): void
  /** Ends what a token of the agent waits for, and leaves its socket. */
  interruptAgent(agent: AgentId): void
  /** Ends waits at once, lets running calls answer for up to a second, then closes. */
  stop(): Promise<void>
}

/** Milliseconds for running calls to answer when the server stops. */
const GRACE_MS = SECOND
const HTTP_LIMITS = {
  /** For headers and for the whole request, ms: a caller on this machine has no reason to be slow. */
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  keepAliveTimeout: 60 * SECOND,
  /** Bytes of all headers. */
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false
}
/** Connections of one listener: more than any honest set of programs on one machine holds. */
const CONNECTIONS = 512

const NOT_A_PATH = badRequest('malformed_request', 'the request target must be a path')
const NO_EXPECTATIONS = badRequest('malformed_request', 'the only expectation taken is 100-continue')
const STARTING = refusal('unavailable', 'the node is starting')
/** Web pages can't open unix sockets: nothing to check there. */
const openToAll: Gate = () => undefined

/** Opens nothing before `start`. */
export function createServer(components: AppComponents, options: ServerOptions): ApiServer {
  const places = new WeakMap<IncomingMessage, Place>()
  let loopback: { readonly url?: string } = {}
  const app = createApp(components, options.limits, placeOf, (place) => ({ ...loopback, socket: ownSocket(place) }))
  const servers = new Set<Server>()
  const own = new Map<AgentId, { readonly server: Server; readonly socket: string }>()

  function placeOf(request: IncomingMessage): Place {
    const place = places.get(request)
    if (place === undefined) throw new TypeError('a request came in by no listener')
    return place
  }

  /** The socket that an agent would use: the one that it came by, else that of the node's first agent. */
  function ownSocket({ only }: Place): string {
    const [first] = own.values()
    return (only === undefined ? first : own.get(only))?.socket ?? options.socket
  }

  function open(place: Place, gate: Gate): Server {
    /** The newest answer of each connection. */
    const answers = new WeakMap<Duplex, ServerResponse>()
    const server = createHttpServer(HTTP_LIMITS, (request, response) => {
      places.set(request, place)
      answers.set(request.socket, response)
      stamp(response)
      const refused = request.url?.startsWith('/') === true ? gate(request) : NOT_A_PATH
      if (refused === undefined) app.fastify.routing(request, response)
      else answerRaw(response, refused)
    })
    server.maxConnections = CONNECTIONS
    server.on('checkExpectation', (_, response) => answerRaw(response, NO_EXPECTATIONS))
    server.on('clientError', (error, socket) => {
      const response = answers.get(socket)
      // Answered before the fault in its body was met: a second answer would be noise.
      if (response !== undefined && response.headersSent && !response.req.complete) socket.destroy()
      else answerUnreadable(error, socket)
    })
    server.on('error', (error: NodeJS.ErrnoException) => components.log.warn('api.listener', { code: error.code }))
    servers.add(server)
    return server
  }

  async function openAll(): Promise<Result<{ readonly url?: string }>> {
    const main = await listenUnix(open({ name: 'home' }, openToAll), options.socket)
    if (!main.ok) return main
    for (const each of options.agents) {
      const opened = await openAgent(each)
      if (!opened.ok) return opened
    }
    return options.tcp === undefined ? ok({}) : openLoopback(options.tcp)
  }

  async function openAgent({ agent, socket }: OwnSocket): Promise<Result<void>> {
    const server = open({ name: socket, only: agent }, openToAll)
    own.set(agent, { server, socket })
    const listening = await listenUnix(server, socket)
    if (!listening.ok) forget(agent)
    return listening
  }

  function forget(agent: AgentId): Server | undefined {
    const server = own.get(agent)?.server
    own.delete(agent)
    if (server !== undefined) servers.delete(server)
    return server
  }

  function closeAgent(agent: AgentId): void {
    app.waits.endOf(agent)
    const server = forget(agent)
    server?.close()
    server?.closeAllConnections()
  }

  async function openLoopback(place: LoopbackPlace): Promise<Result<{ url: string }>> {
    const { host } = place
    let gate: Gate = () => STARTING
    const server = open({ name: 'loopback', page: true }, (request) => gate(request))
    const listening = await listenTcp(server, place)
    if (!listening.ok) return listening
    gate = loopbackGate(host, listening.value)
    const opened = { url: `http://${host === '::1' ? '[::1]' : host}:${listening.value}` }
    loopback = opened
    return ok(opened)
  }

  async function stop(): Promise<void> {
    app.waits.end()
    await Promise.all([...servers].map(close))
    servers.clear()
    await app.fastify.close()
  }

  return {
    async start() {
      await app.fastify.ready()
      const opened = await openAll()
      if (!opened.ok) await stop()
      return opened
    },
    openAgent,
    closeAgent,
    interruptAgent: (agent) => app.waits.endOf(agent),
    stop
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
