import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refusal } from '../../base/refusal.js'
import { isoOf } from '../../base/time.js'
import type { Admission } from '../admission.js'
import { refuse } from '../answer.js'
import { checkMedia, readBody } from '../body.js'
import { checkInput } from '../check-input.js'
import { clearCookie, sessionIn, setCookie } from './cookie.js'
import { readPageFiles, sendPageFile } from './files.js'
import type { Logins } from './logins.js'
import { checkSession, foreignPage } from './session-check.js'

/**
 * The owner's page and its session: paths for a browser over loopback TCP, beside the route table, which is for programs.
 * Source: protocols/socket-api.md, "Dashboard".
 */

const SESSION = '/dashboard/session'
const OTHERS = `${SESSION}/others`
const FRONT = '/dashboard/'
/** How these paths are called in the audit log. */
const ROUTE = 'dashboard.session'

const NOT_BUILT = refusal('unavailable', 'the page of this node was not built; run npm run build')
const NO_PAGE = refusal('not_found', 'there is no such page; start at /dashboard/')
const LINK_INVALID = refusal('unauthorized', 'this login link was used or is over; run agentlink dashboard', {
  code: 'login_link_invalid'
})
const login = z.strictObject({ token: z.string().min(1).max(128) })

/** The methods of a path of the page, for those who come with another. */
export function pageMethodsOn(path: string): string[] {
  if (path === SESSION) return ['GET', 'POST', 'DELETE']
  if (path === OTHERS) return ['DELETE']
  return path === '/' || path === '/dashboard' || path.startsWith(FRONT) ? ['GET'] : []
}

export function addDashboard(
  fastify: FastifyInstance,
  { logins, admission }: { readonly logins: Logins; readonly admission: Admission }
): void {
  const files = readPageFiles()
  const { visit, turnAway } = admission

  const guarded = { onRequest: visit }
  for (const path of ['/', '/dashboard']) {
    fastify.get(path, guarded, (_request, reply) => reply.redirect(FRONT, 302))
  }
  fastify.get(`${FRONT}*`, guarded, (request, reply) => {
    const file = files.get(request.url.split('?', 1)[0] as string)
    if (file !== undefined) return sendPageFile(reply, file)
    return refuse(reply, files.size === 0 ? NOT_BUILT : NO_PAGE)
  })
  fastify.get(SESSION, guarded, (request, reply) => {
    const session = sessionOf(request)
    if (!session.ok) return turnAway(ROUTE, request, reply, session.refusal)
    return reply.send({ expiresAt: isoOf(session.value.expiresAt) })
  })
  fastify.delete(SESSION, guarded, (request, reply) => {
    const session = sessionOf(request)
    if (!session.ok) return turnAway(ROUTE, request, reply, session.refusal)
    const named = sessionIn(request.raw)
    if (typeof named !== 'string') logins.end(named.id)
    return reply.header('set-cookie', clearCookie(request.raw)).send({ status: 'ended' })
  })
  fastify.delete(OTHERS, guarded, (request, reply) => {
    const session = sessionOf(request)
    if (!session.ok) return turnAway(ROUTE, request, reply, session.refusal)
    const named = sessionIn(request.raw)
    return reply.send({ status: 'ended', ended: typeof named === 'string' ? 0 : logins.endOthers(named.id) })
  })
  fastify.post(SESSION, { onRequest: [visit, checkPage] }, (request, reply) => {
    const body = readBody(request.body as Uint8Array | undefined)
    const said = body.ok ? checkInput(login, body.value, 'body') : body
    if (!said.ok) return refuse(reply, said.refusal)
    const opened = logins.open(said.value.token)
    if (opened === undefined) return turnAway(ROUTE, request, reply, LINK_INVALID)
    // Whatever session the browser had before is over: nobody else can know the new one.
    const before = sessionIn(request.raw)
    if (typeof before !== 'string') logins.end(before.id)
    const { id, csrf, expiresAt } = opened
    return reply.header('set-cookie', setCookie(request.raw, id)).send({ csrf, expiresAt: isoOf(expiresAt) })
  })

  function sessionOf({ raw }: FastifyRequest): ReturnType<typeof checkSession> {
    return checkSession(logins, raw, sessionIn(raw), 'header')
  }
}

/** Before a body is read: only the page of this node, and only JSON. */
function checkPage(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const media = checkMedia(request.raw)
  const refused = foreignPage(request.raw) ?? (media.ok ? undefined : media.refusal)
  if (refused === undefined) done()
  else refuse(reply, refused)
}
