import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { type Refusal, badRequest, refusal } from '../base/refusal.js'
import type { Clock, Log } from '../flows/ports.js'
import { type CallRefused, createAdmission } from './admission.js'
import { refuse } from './answer.js'
import type { Callers } from './authenticate.js'
import { BODY_BYTES } from './body.js'
import type { CallLimits } from './call-limits.js'
import { createChangesStream } from './changes.js'
import { createEvents } from './events.js'
import { createLoginLinks } from './dashboard/login-links.js'
import { createLogins } from './dashboard/logins.js'
import { addDashboard, pageMethodsOn } from './dashboard/routes.js'
import { failed } from './fault.js'
import { type Doors, createHandlers } from './handlers.js'
import { createIdentify } from './identify.js'
import { type Addresses, createPages } from './pages.js'
import { type Perform, createPerform } from './perform.js'
import type { Place } from './place.js'
import { createRecords } from './records.js'
import { type Route, ROUTE_NAMES, methodsOn, routeOf } from './routes.js'
import { type Waits, createWaits } from './waits.js'

/**
 * The table as a running router. A call goes: place and caller -> media type -> body within size -> `perform.ts`. Fastify
 * routes, reads bytes and writes; what is checked, and how a refusal looks, is ours alone.
 */

export interface AppComponents extends Doors, Callers {
  readonly clock: Clock
  readonly log: Log
  /** Every record of the node as of now. */
  readonly records: () => AsyncIterable<readonly [string, Uint8Array]>
  readonly callRefused: CallRefused
}

export interface App {
  readonly fastify: FastifyInstance
  readonly waits: Waits
}

/** Builds the router; it listens on nothing by itself. */
export function createApp(
  components: AppComponents,
  limits: CallLimits,
  placeOf: (request: IncomingMessage) => Place,
  addressesOf: (place: Place) => Addresses
): App {
  const { log } = components
  const waits = createWaits(limits.waits)
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
  fastify.setErrorHandler<FastifyError>((error, request, reply) => {
    // The router would close at once, and a caller that is still sending would see a broken pipe and no answer. What it
    // still sends is read past, for as long as a request may take to arrive.
    if (error.code === TOO_LARGE) reply.removeHeader('connection')
    return refuse(reply, unreadable(log, error, request))
  })
  fastify.setNotFoundHandler(refuseMissing)
  // Before its body is read.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseMissing(request, reply)
    else done()
  })
  const logins = createLogins(() => components.clock.now())
  const identify = createIdentify(components, logins, placeOf)
  const admission = createAdmission({ ...components, identify, waits, placeOf }, limits)
  const links = createLoginLinks(logins, () => addressesOf({ name: 'home' }).url)
  const performs: Readonly<Record<NonNullable<Route['media']> | 'json', Perform>> = {
    json: createPerform(createHandlers(components, links), { ...components, waits, identify }),
    'text/event-stream': streams(
      createEvents({ ...components, waits }),
      createChangesStream({ ...components, identify, waits })
    ),
    'application/x-ndjson': createRecords(components),
    'text/markdown': createPages((request) => addressesOf(placeOf(request.raw)))
  }
  for (const name of ROUTE_NAMES) {
    const { method, path, media } = routeOf(name)
    const perform = performs[media ?? 'json']
    fastify.route({
      method,
      url: path,
      onRequest: (request, reply, done) => admission.admit(name, request, reply, done),
      handler: (request, reply) => perform(name, request, reply)
    })
  }
  addDashboard(fastify, { logins, admission })
  return { fastify, waits }
}

/** The inbox of an agent, and what changed for the owner. */
function streams(ofAgent: Perform, ofOwner: Perform): Perform {
  return (name, request, reply) => (routeOf(name).auth === 'owner' ? ofOwner : ofAgent)(name, request, reply)
}

const TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE'
const UNREADABLE = badRequest('malformed_request', "the request's path or headers can't be read")

const NO_ROUTE = refusal(
  'not_found',
  'there is no such route; /v1/openapi.json lists them, /agents.md explains those of agents'
)

/** 405 with the methods that the path takes, else 404. */
function refuseMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] as string
  const allow = [...methodsOn(path), ...pageMethodsOn(path)]
  if (allow.length === 0) return refuse(reply, NO_ROUTE)
  const details = { code: 'method_not_allowed' as const, allow }
  const refused = refusal('bad_request', `this route takes ${allow.join(', ')}`, details)
  return refuse(reply.header('allow', allow.join(', ')), refused)
}

/** Errors of the router itself: while it reads a body, before any code of ours runs. */
function unreadable(log: Log, error: FastifyError, request: FastifyRequest): Refusal {
  if (error.code === TOO_LARGE) {
    return refusal('too_large', `a body has at most ${BODY_BYTES} bytes`)
  }
  const theirs = error.statusCode !== undefined && error.statusCode < 500
  return theirs ? badRequest('malformed_request', "the request's body can't be read") : failed(log, error, request)
}
