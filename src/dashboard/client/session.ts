import { refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { exchange } from './call.js'

/**
 * The session of the page: opened by the one-time link that `agentlink dashboard` makes. It has two halves, and neither
 * opens anything alone: a cookie that no script can read, which the browser would also show to other servers of this
 * address, and a token that only pages of this very origin can read. Source: protocols/socket-api.md.
 */

const PLACE = '/dashboard/session'
const LINK = /^#login=([A-Za-z0-9_-]{16,256})$/
const KEPT = 'agentlink.csrf'
const JSON_ONLY = { accept: 'application/json' }

/** Takes the token of a login link out of the address, so that it stands neither in the history nor in a bookmark. */
export function takeLoginToken(): string | undefined {
  const token = LINK.exec(window.location.hash)?.[1]
  if (window.location.hash.startsWith('#login')) window.history.replaceState(null, '', window.location.pathname)
  return token
}

/** Opens a session with the token of a link, or goes on with the one that is there: the token that calls carry. */
export function openSession(token: string | undefined): Promise<Result<string>> {
  return token === undefined ? resumed() : opened(token)
}

async function opened(token: string): Promise<Result<string>> {
  const headers = { ...JSON_ONLY, 'content-type': 'application/json' }
  const answer = await exchange(PLACE, { method: 'POST', headers, body: JSON.stringify({ token }) })
  if (!answer.ok) return answer
  const csrf = (answer.value as { readonly csrf?: unknown } | null)?.csrf
  if (typeof csrf !== 'string') return fail(refusal('internal', 'the node opened a session without its token'))
  window.localStorage.setItem(KEPT, csrf)
  return ok(csrf)
}

async function resumed(): Promise<Result<string>> {
  const csrf = window.localStorage.getItem(KEPT)
  if (csrf === null) return fail(refusal('unauthorized', 'there is no session here'))
  const answer = await exchange(PLACE, { method: 'GET', headers: { ...JSON_ONLY, 'x-agentlink-csrf': csrf } })
  return answer.ok ? ok(csrf) : answer
}

export async function closeSession(csrf: string): Promise<void> {
  window.localStorage.removeItem(KEPT)
  await exchange(PLACE, { method: 'DELETE', headers: { ...JSON_ONLY, 'x-agentlink-csrf': csrf } })
}

/** Ends every session but this one, and the links that are open: how many sessions there were. */
export async function closeOtherSessions(csrf: string): Promise<Result<number>> {
  const headers = { ...JSON_ONLY, 'x-agentlink-csrf': csrf }
  const answer = await exchange(`${PLACE}/others`, { method: 'DELETE', headers })
  if (!answer.ok) return answer
  const ended = (answer.value as { readonly ended?: unknown } | null)?.ended
  return typeof ended === 'number'
    ? ok(ended)
    : fail(refusal('internal', 'the node ended sessions without saying how many'))
}
