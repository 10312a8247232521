import { type NetConnectOpts, connect } from 'node:net'
import type { Refusal } from '../../src/base/refusal.js'

/** HTTP by hand: exactly the bytes of the test, and what came back. */

export interface RawAnswer {
  /** 0 when the connection closed without an answer. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** Sends the bytes on a new connection and reads until it closes. */
export function sendBytes(to: NetConnectOpts, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(to)
    socket.on('error', () => undefined)
    socket.on('data', (part) => parts.push(part))
    socket.on('close', () => resolve(readAnswer(Buffer.concat(parts).toString('latin1'))))
    socket.write(bytes)
  })
}

export interface RawRequest {
  readonly method?: string
  readonly target: string
  /** Header lines as they are, e.g. `Host: localhost`. */
  readonly headers?: readonly string[]
  readonly token?: string
  readonly body?: string | Uint8Array
}

/** Writes a request with `Connection: close`; adds `Content-Length` and JSON's media type only when `json` is asked for. */
export function requestBytes({ method = 'GET', target, headers = [], token, body }: RawRequest): Uint8Array {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close']
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`)
  const bytes = Buffer.from(body ?? '')
  if (body !== undefined) lines.push(`Content-Length: ${bytes.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

/** One request over a unix socket or a port; `host` is added unless `headers` name one. */
export function send(to: NetConnectOpts, request: RawRequest): Promise<RawAnswer> {
  const headers = request.headers ?? []
  const named = headers.some((line) => /^host:/i.test(line))
  return sendBytes(to, requestBytes({ ...request, headers: named ? headers : ['Host: localhost', ...headers] }))
}

/** The media type that bodies need. */
export const JSON_TYPE = 'Content-Type: application/json'

/** The refusal in an answer's error shape; throws when it is in no such shape. */
export function refusalOf(answer: RawAnswer): Refusal {
  const body = JSON.parse(answer.text) as { error: Refusal }
  const keys = [Object.keys(body), Object.keys(body.error)].join(' ')
  if (keys !== 'error code,message,details') throw new Error(`not the error shape: ${answer.text}`)
  return body.error
}

function readAnswer(text: string): RawAnswer {
  const split = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(0, split)).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: ?/, '')])
  )
  const rest = text.slice(split + 4)
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    text: Buffer.from(headers.get('transfer-encoding') === 'chunked' ? unchunk(rest) : rest, 'latin1').toString('utf8')
  }
}

function unchunk(text: string): string {
  const size = parseInt(text, 16)
  if (!(size > 0)) return ''
  const start = text.indexOf('\r\n') + 2
  return text.slice(start, start + size) + unchunk(text.slice(start + size + 2))
}
