import type { IncomingMessage } from 'node:http'
import { type DetailCode, type Refusal, refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { CSRF_HEADER } from './cookie.js'
import type { Logins, Session } from './logins.js'

/**
 * Whether a request with a session's cookie comes from the page of that session. A browser sends the cookie by itself,
 * also to other ports of this machine, so alone it opens nothing. Source: protocols/socket-api.md, "Dashboard".
 */

/** How a request shows what the cookie does not: by the header, or as a stream, which a browser opens without headers. */
export type Proof = 'header' | 'stream'

/** `session_ended`, `foreign_origin` or `csrf_mismatch`; else the session, which counts as used unless it is a stream. */
export function checkSession(
  logins: Logins,
  request: IncomingMessage,
  named: { readonly id: string } | 'none' | 'odd',
  proof: Proof
): Result<Session> {
  const foreign = foreignPage(request)
  if (foreign !== undefined) return fail(foreign)
  if (typeof named === 'string') return fail(SESSION_ENDED)
  const session = logins.find(named.id)
  if (session === undefined) return fail(SESSION_ENDED)
  if (proof === 'stream') return ok(session)
  const tokens = request.headersDistinct[CSRF_HEADER] ?? []
  if (tokens.length !== 1 || !session.isCsrf(tokens[0] as string)) return fail(CSRF_MISMATCH)
  logins.use(named.id)
  return ok(session)
}

/** The gate let through what any program of this machine may send; a page says more, and must. */
export function foreignPage({ method = 'GET', headers }: IncomingMessage): Refusal | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers
  if (origin === undefined ? method !== 'GET' : origin !== `http://${host}`) return FOREIGN_PAGE
  // Browsers that don't say it are met by the token.
  return site === undefined || site === 'same-origin' ? undefined : FOREIGN_PAGE
}

const SESSION_ENDED = coded('unauthorized', 'session_ended', 'you are not logged in; run agentlink dashboard')
const FOREIGN_PAGE = coded('policy_denied', 'foreign_origin', 'only the page of this node may use its session')
const CSRF_MISMATCH = coded(
  'policy_denied',
  'csrf_mismatch',
  `send the token of this session in the header ${CSRF_HEADER}, once`
)

function coded(code: 'unauthorized' | 'policy_denied', detail: DetailCode, message: string): Refusal {
  return refusal(code, message, { code: detail })
}
