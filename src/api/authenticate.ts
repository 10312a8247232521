import { sha256Hex } from '../base/digest.js'
import { toUtf8 } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { AuditWho } from '../policy/audit.js'
import type { Auth } from './routes.js'

/**
 * Bearer tokens. Only hashes are kept and compared: looking up a SHA-256 of 256 random bits tells a caller nothing by
 * its time. An agent's token opens agent routes of that agent, the owner's secret opens owner routes, neither the other.
 */

/** Who is who, by the hash of what was shown. */
export interface Callers {
  readonly agentOfToken: (tokenHash: string) => AgentId | undefined
  readonly isOwner: (secretHash: string) => boolean
}

/** `scheme token68` of RFC 9110, at most 512 characters. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]{1,512}={0,2})$/i

/**
 * Who calls: the agent on agent routes, undefined on others. `only` is the agent that a socket belongs to.
 * Refuses with `unauthorized`; the message says which secret is meant, never repeats one.
 */
export function authenticate(
  callers: Callers,
  auth: Auth,
  headers: readonly string[] | undefined,
  only?: AgentId
): Result<AgentId | undefined> {
  if (auth === 'none') return ok(undefined)
  const hash = hashOf(headers)
  if (hash === undefined) return unauthorized('send the header authorization: Bearer TOKEN, once')
  return auth === 'owner' ? asOwner(callers, hash) : asAgent(callers, hash, only)
}

/** Whose token a call shows, whatever it opens. */
export function whoCalls(callers: Callers, headers: readonly string[] | undefined): AuditWho {
  const hash = hashOf(headers)
  if (hash === undefined) return { kind: 'unknown' }
  const id = callers.agentOfToken(hash)
  if (id !== undefined) return { kind: 'agent', id }
  return { kind: callers.isOwner(hash) ? 'owner' : 'unknown' }
}

function asOwner(callers: Callers, hash: string): Result<undefined> {
  if (callers.isOwner(hash)) return ok(undefined)
  return callers.agentOfToken(hash) === undefined
    ? unauthorized('this is not the secret of this node; it stands in owner.secret in the home')
    : unauthorized("owner routes take the owner's secret; an agent's token can never act as the owner")
}

function asAgent(callers: Callers, hash: string, only: AgentId | undefined): Result<AgentId> {
  const agent = callers.agentOfToken(hash)
  if (agent !== undefined && (only === undefined || agent === only)) return ok(agent)
  if (agent !== undefined) return unauthorized('this socket belongs to another agent; use your own')
  return callers.isOwner(hash)
    ? unauthorized("agent routes take an agent's token (agents/NAME/token in the home), not the owner's secret")
    : unauthorized('this is not the token of an agent of this node; it stands in agents/NAME/token in the home')
}

function hashOf(headers: readonly string[] | undefined): string | undefined {
  const [header] = headers ?? []
  if (headers?.length !== 1 || header === undefined) return undefined
  const token = BEARER.exec(header)?.[1]
  return token === undefined ? undefined : sha256Hex(toUtf8(token))
}

function unauthorized(message: string): Result<never> {
  return fail(refusal('unauthorized', message))
}
