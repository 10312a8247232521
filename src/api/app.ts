import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { AgentId } from '../base/ids.js'
import { type Refusal, badRequest, refusal } from '../base/refusal.js'
import type { Clock, Log } from '../flows/ports.js'
import { type Callers, authenticate } from './authenticate.js'
import { BODY_BYTES, checkMedia } from './body.js'
import { failureBody, statusOf } from './failure.js'
import { type Doors, createHandlers } from './handlers.js'
import { AnswerMismatch, createPerform } from './perform.js'
import { type RouteName, ROUTE_NAMES, methodsOn, routeOf } from './routes.js'
import { createThrottle } from './throttle.js'
import { type Waits, createWaits } from './waits.js'

/**
 * The table as a running router. A call goes: place and caller -> media type -> body within size -> `perform.ts`. Fastify
 * routes, reads bytes and writes; what is checked, and how a refusal looks, is ours alone.
 */

export interface AppComponents extends Doors, Callers {
  readonly clock: Clock
  readonly log: Log
}

/** The listener that a request came in by. */
export interface Place {
  readonly name: string
  /** Set on an agent's own socket: only that agent, and no owner routes. */
  readonly only?: AgentId
}

export interface App {
  readonly fastify: FastifyInstance
  readonly waits: Waits
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The agent whose token was shown, on agent routes. */
    agent: AgentId | undefined
  }
}

/** Builds the router; it listens on nothing by itself. */
export function createApp(components: AppComponents, placeOf: (request: IncomingMessage) => Place): App {
  const waits = createWaits()
  let count = 0
  const fastify = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    genReqId: () => (++count).toString(36),
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (_error, _request, reply) => void refuse(reply as FastifyReply, UNREADABLE)
  })
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  fastify.decorateRequest('agent', undefined)
  fastify.setErrorHandler<FastifyError>((error, request, reply) =>
    refuse(reply, explain(components.log, error, request))
  )
  fastify.setNotFoundHandler((request, reply) => refuse(reply, missing(request)))
  const admit = createAdmission(components, waits, placeOf)
  const perform = createPerform(createHandlers(components), waits)
  for (const name of ROUTE_NAMES) {
    const { method, path } = routeOf(name)
    fastify.route({
      method,
      url: path,
      onRequest: (request, reply, done) => admit(name, request, reply, done),
      handler: async (request, reply) => perform(name, request, reply)
    })
  }
  return { fastify, waits }
}

type Admit = (name: RouteName, request: FastifyRequest, reply: FastifyReply, done: () => void) => void

function createAdmission(components: AppComponents, waits: Waits, placeOf: (request: IncomingMessage) => Place): Admit {
  const throttle = createThrottle()
  const { clock } = components

  /** Sends the refusal, later when this source fails often. */
  function turnAway(place: Place, request: FastifyRequest, reply: FastifyReply, refused: Refusal): void {
    const source = `${place.name} ${request.raw.socket.remoteAddress ?? ''}`
    const hold = throttle.failed(source, clock.now())
    if (hold === undefined) void refuse(reply.header('retry-after', '1'), TOO_MANY)
    else if (hold === 0) void refuse(reply, refused)
    else waits.hold(clock, hold, () => void refuse(reply, refused))
  }

  return (name, request, reply, done) => {
    const { auth, method } = routeOf(name)
    const place = placeOf(request.raw)
    if (auth === 'owner' && place.only !== undefined) return void refuse(reply, NOT_HERE)
    const caller = authenticate(components, auth, request.raw.headersDistinct.authorization, place.only)
    if (!caller.ok) return turnAway(place, request, reply, caller.refusal)
    request.agent = caller.value
    const media = method === 'GET' ? undefined : checkMedia(request.raw)
    if (media !== undefined && !media.ok) return void refuse(reply, media.refusal)
    done()
  }
}

const UNREADABLE = badRequest('malformed_message', "the request's path or headers can't be read")
const NOT_HERE = refusal('not_found', "an agent's socket has no owner routes; use api.sock in the home")
const TOO_MANY = refusal('rate_limited', 'too many calls without a valid token; wait a second')

function refuse(reply: FastifyReply, refused: Refusal): FastifyReply {
  if (refused.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  return reply.code(statusOf(refused)).send(failureBody(refused))
}

function missing(request: FastifyRequest): Refusal {
  const allow = methodsOn(request.url.split('?', 1)[0] as string)
  if (allow.length === 0) return refusal('not_found', 'there is no such route')
  return refusal('bad_request', `this route takes ${allow.join(', ')}`, { code: 'method_not_allowed', allow })
}

/** What the caller hears of an error. Its text may hold anything, so neither the caller nor the log gets it. */
function explain(log: Log, error: FastifyError, request: FastifyRequest): Refusal {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refusal('too_large', `a body has at most ${BODY_BYTES} bytes`)
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return badRequest('malformed_message', "the request's body can't be read")
  }
  const at = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
  const members = error instanceof AnswerMismatch ? { members: error.members } : {}
  log.warn('api.failed', {
    ...members,
    requestId: request.id,
    route: request.routeOptions.url,
    error: error.name,
    at
  })
  return refusal('internal', 'the node failed on this call; its log has the details', { requestId: request.id })
}
