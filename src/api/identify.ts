import type { IncomingMessage } from 'node:http'
import type { AgentId } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { AuditWho } from '../policy/audit.js'
import { type Callers, authenticate, whoCalls } from './authenticate.js'
import { sessionIn } from './dashboard/cookie.js'
import type { Logins } from './dashboard/logins.js'
import { checkSession } from './dashboard/session-check.js'
import type { Place } from './place.js'
import { type RouteName, routeOf } from './routes.js'

/** Who makes a call: by the token that it shows, or, on the owner's routes over loopback TCP, by the session of the page. */

export interface Identify {
  /** The agent on agent routes, undefined on others. Refuses with `unauthorized`, or as `checkSession` does. */
  caller(name: RouteName, request: IncomingMessage): Result<AgentId | undefined>
  /** Whose token it is, whatever it opens. */
  who(request: IncomingMessage): AuditWho
  /** Calls `ended` when the session that let a request in is over; never for a token. Returns what calls that off. */
  onEnded(request: IncomingMessage, ended: () => void): () => void
}

const TWO_CREDENTIALS = refusal('unauthorized', 'send the session of the page or a token, not both', {
  code: 'two_credentials'
})
const SECRET_NEEDED = refusal('policy_denied', "this takes the owner's secret itself; use the command line", {
  code: 'owner_secret_needed'
})

export function createIdentify(
  callers: Callers,
  logins: Logins,
  placeOf: (request: IncomingMessage) => Place
): Identify {
  function bySession(
    name: RouteName,
    request: IncomingMessage,
    named: Exclude<ReturnType<typeof sessionIn>, 'none'>
  ): Result<undefined> {
    const { media, secretOnly } = routeOf(name)
    if (request.headersDistinct['authorization'] !== undefined) return fail(TWO_CREDENTIALS)
    const session = checkSession(logins, request, named, media === 'text/event-stream' ? 'stream' : 'header')
    if (!session.ok) return session
    return secretOnly === true ? fail(SECRET_NEEDED) : ok(undefined)
  }

  return {
    caller(name, request) {
      const { auth } = routeOf(name)
      const { only, page } = placeOf(request)
      const named = auth === 'owner' && page === true ? sessionIn(request) : 'none'
      if (named !== 'none') return bySession(name, request, named)
      return authenticate(callers, auth, request.headersDistinct['authorization'], only)
    },
    who: (request) => whoCalls(callers, request.headersDistinct['authorization']),
    onEnded(request, ended) {
      const named = placeOf(request).page === true ? sessionIn(request) : 'none'
      const session = typeof named === 'string' ? undefined : logins.find(named.id)
      return session?.onEnd(ended) ?? ((): void => undefined)
    }
  }
}
