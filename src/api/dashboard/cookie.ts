import type { IncomingMessage } from 'node:http'

/**
 * The cookie of a session. Its name holds the port: a browser keeps the cookies of all ports of an address together, and
 * two nodes of one machine must not take each other's away.
 */

/** What a session's id looks like. */
const VALUE = /^[A-Za-z0-9_-]{43}$/
/** By this header the page shows the token of its session. */
export const CSRF_HEADER = 'x-agentlink-csrf'

/**
 * The session that a request names: `none` when it names none, `odd` when it can't be told which. `request` came through
 * the gate of loopback TCP: its Host header is exact.
 */
export function sessionIn(request: IncomingMessage): { readonly id: string } | 'none' | 'odd' {
  const { cookie = [] } = request.headersDistinct
  const name = cookieName(request)
  const values = cookie
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [id] = values
  if (id === undefined) return 'none'
  return values.length === 1 && VALUE.test(id) ? { id } : 'odd'
}

/**
 * `Set-Cookie` of a session that begins. Not `Secure`: this is plain HTTP to the machine itself, and not every browser
 * keeps such a cookie there.
 */
export function setCookie(request: IncomingMessage, id: string): string {
  return `${cookieName(request)}=${id}; ${ATTRIBUTES}`
}

/** `Set-Cookie` that takes it away. */
export function clearCookie(request: IncomingMessage): string {
  return `${cookieName(request)}=; ${ATTRIBUTES}; Max-Age=0`
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'

function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `agentlink_session_${host.slice(host.lastIndexOf(':') + 1)}`
}
