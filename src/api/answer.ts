import type { FastifyReply } from 'fastify'
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Refusal, badRequest, refusal } from '../base/refusal.js'
import { failureBody, statusOf } from './failure.js'

/** How a refusal is sent: by the router, before a route is known, and to bytes that are not HTTP. */

const JSON_UTF8 = 'application/json; charset=utf-8'

/** Headers of every answer: private, never taken for anything but what it says it is, and nothing for another page to show. */
const STAMP: readonly (readonly [string, string])[] = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin']
]

export function stamp(response: ServerResponse): void {
  for (const [name, value] of STAMP) response.setHeader(name, value)
}

/** Answers a refusal through the router. */
export function refuse(reply: FastifyReply, refused: Refusal): FastifyReply {
  const { retryAfter } = refused.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (refused.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  return reply.code(statusOf(refused)).send(failureBody(refused))
}

/** Answers a refusal and closes the connection: what the caller still sends is not read. */
export function answerRaw(response: ServerResponse, refused: Refusal): void {
  response.writeHead(statusOf(refused), { 'content-type': JSON_UTF8, connection: 'close' })
  response.end(JSON.stringify(failureBody(refused)))
}

/**
 * Answers bytes that are not HTTP, or that come too slowly, and closes. Where no byte came there is nothing to answer: a
 * browser opens connections ahead, and takes what lies on one for the answer to what it asks there next.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isUnused(socket)) {
    socket.destroy()
    return
  }
  const refused = unreadable(error.code)
  const body = JSON.stringify(failureBody(refused))
  const head = [
    `HTTP/1.1 ${statusOf(refused)} Refused`,
    `content-type: ${JSON_UTF8}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...STAMP.map(([name, value]) => `${name}: ${value}`),
    'connection: close'
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function isUnused(socket: Duplex): boolean {
  return socket instanceof Socket && socket.bytesRead === 0
}

function unreadable(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('too_large', 'the headers are too large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('bad_request', 'the request did not arrive in time')
  return badRequest('malformed_request', 'this is not an HTTP request')
}
