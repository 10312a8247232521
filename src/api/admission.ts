import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { AgentId } from '../base/ids.js'
import { type Refusal, refusal } from '../base/refusal.js'
import type { RefusedCall } from '../flows/doors.js'
import type { Clock } from '../flows/ports.js'
import { refuse } from './answer.js'
import { checkMedia } from './body.js'
import { type CallLimits, createCallMeter } from './call-limits.js'
import type { Identify } from './identify.js'
import type { Place } from './place.js'
import { type Auth, type RouteName, routeOf } from './routes.js'
import { createThrottle } from './throttle.js'
import type { Waits } from './waits.js'

/** The door keeper of every route, before a body is read: which listener, who, how often, and does it send JSON. */

declare module 'fastify' {
  interface FastifyRequest {
    /** The agent whose token was shown, on agent routes. */
    agent: AgentId | undefined
  }
}

const NOT_HERE = refusal('not_found', "an agent's socket has no owner routes; use api.sock in the home")
const NO_PAGE_HERE = refusal('not_found', 'there is no page here; browsers reach the node over loopback TCP')
const TOO_MANY = refusal('rate_limited', 'too many calls without a valid token; wait a second', {
  code: 'too_many_failures',
  retryAfter: 1
})

export interface Admission {
  /** A call of a route of the table. */
  admit(name: RouteName, request: FastifyRequest, reply: FastifyReply, done: () => void): void
  /** A browser that asks for the page: it is counted, and shows nothing yet. */
  visit(request: FastifyRequest, reply: FastifyReply, done: () => void): void
  /** Refuses who showed something that opens nothing; `route` is its name in the audit log. */
  turnAway(route: string, request: FastifyRequest, reply: FastifyReply, refused: Refusal): FastifyReply
}

/** Tells of a call whose token does not open its route. Never rejects. */
export type CallRefused = (call: RefusedCall) => Promise<void>

export interface AdmissionComponents {
  readonly identify: Identify
  readonly callRefused: CallRefused
  readonly clock: Clock
  readonly waits: Waits
  readonly placeOf: (request: IncomingMessage) => Place
}

export function createAdmission(components: AdmissionComponents, limits: CallLimits): Admission {
  const { clock, waits, placeOf, callRefused, identify } = components
  const throttle = createThrottle(() => clock.now())
  const countCall = createCallMeter(limits, () => clock.now())

  /** Sends the refusal, told by then, and later when this source fails often; what is more than is held is not told. */
  async function slowDown(call: RefusedCall, reply: FastifyReply, refused: Refusal): Promise<void> {
    const { request } = reply
    const hold = throttle.failed(sourceOf(placeOf(request.raw), request))
    if (hold === undefined) return void refuse(reply, TOO_MANY)
    await callRefused(call)
    if (hold === 0) return void refuse(reply, refused)
    waits.hold(clock, hold, () => void refuse(reply, refused))
  }

  /** An agent that asks for an owner's route on its own socket. */
  async function missing(call: RefusedCall, reply: FastifyReply): Promise<void> {
    const { id } = call.who
    const early = id === undefined ? undefined : countCall(id)
    if (early !== undefined) return void refuse(reply, early)
    if (id !== undefined) await callRefused(call)
    void refuse(reply, NOT_HERE)
  }

  function turnAway(route: string, request: FastifyRequest, reply: FastifyReply, refused: Refusal): FastifyReply {
    void slowDown({ who: identify.who(request.raw), route }, reply, refused)
    return reply
  }

  return {
    admit(name, request, reply, done) {
      const { auth, method } = routeOf(name)
      const place = placeOf(request.raw)
      if (auth === 'owner' && place.only !== undefined) {
        return void missing({ who: identify.who(request.raw), route: name }, reply)
      }
      const caller = identify.caller(name, request.raw)
      if (!caller.ok) return void turnAway(name, request, reply, caller.refusal)
      request.agent = caller.value
      const early = countCall(caller.value ?? callerOf(auth, place, request))
      if (early !== undefined) return void refuse(reply, early)
      const media = method === 'GET' ? undefined : checkMedia(request.raw)
      if (media !== undefined && !media.ok) return void refuse(reply, media.refusal)
      done()
    },
    visit(request, reply, done) {
      const place = placeOf(request.raw)
      const early = place.page === true ? countCall(sourceOf(place, request)) : NO_PAGE_HERE
      if (early === undefined) done()
      else refuse(reply, early)
    },
    turnAway
  }
}

/** Where a caller without a name comes from. */
function sourceOf(place: Place, request: FastifyRequest): string {
  return `${place.name} ${request.raw.socket.remoteAddress ?? ''}`
}

/** Who is counted where no agent calls. */
function callerOf(auth: Auth, place: Place, request: FastifyRequest): string {
  return auth === 'owner' ? 'owner' : sourceOf(place, request)
}
