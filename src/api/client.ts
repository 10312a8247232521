import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { type Refusal, refusal } from '../base/refusal.js'
import type { AnswerOf, BodyOf, QueryOf } from './contract.js'
import { refusalIn } from './failure.js'
import { type Auth, type ParamsOf, type RouteName, type RoutesFor, pathOf, routeOf } from './routes.js'

/**
 * The typed client of the socket API, for the command line, MCP and tests. It loads neither schemas nor server nor any
 * package: the command line pays for `node:http` alone. It follows no redirect, and connects only where it was told.
 */

/** Milliseconds without any byte from the node before a call is given up; a waiting read gets its wait on top. */
const SILENCE_MS = 30_000
/** Bytes of an answer at most: 200 tasks with long histories fit many times over. */
const ANSWER_BYTES = 64 * 1024 * 1024

/** Where the node is: a socket in its home, or the loopback URL of `run.json`. */
export type ClientOptions = { readonly token: string; readonly silenceMs?: number } & (
  { readonly socketPath: string } | { readonly url: string }
)

/** What a call carries. Members that the route doesn't take are left out. */
export interface CallInput<K extends RouteName> {
  readonly params?: ParamsOf<K>
  readonly query?: QueryOf<K>
  readonly body?: BodyOf<K>
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export interface ApiSuccess<K extends RouteName> {
  readonly ok: true
  readonly status: number
  readonly body: AnswerOf<K>
  /** The answer was stored by an earlier call with this `idempotencyKey`. */
  readonly replayed: boolean
}

/** A refusal of the node, or `unavailable` with status 0 when there is no node to answer. */
export interface ApiFailure {
  readonly ok: false
  readonly status: number
  readonly refusal: Refusal
  /** The call had left when the connection broke: it may have taken effect. */
  readonly unsure?: true
}

export interface Client {
  call<K extends RoutesFor<Auth>>(name: K, input?: CallInput<K>): Promise<ApiSuccess<K> | ApiFailure>
  /** The bytes of a route that answers no JSON, as they come. Rejects when there is no node, or no right. */
  bytes(name: RouteName): Promise<IncomingMessage>
  /** Closes idle connections. */
  close(): void
}

interface RawAnswer {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
}

/** Throws on a URL that is not plain `http://host:port`. */
export function createClient(options: ClientOptions): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const target = targetOf(options)
  const silenceMs = options.silenceMs ?? SILENCE_MS
  return {
    async call<K extends RoutesFor<Auth>>(name: K, input: CallInput<K> = {}) {
      const headers: Record<string, string> = { authorization: `Bearer ${options.token}`, accept: 'application/json' }
      if (input.idempotencyKey !== undefined) headers['idempotency-key'] = input.idempotencyKey
      const bytes = input.body === undefined ? undefined : Buffer.from(JSON.stringify(input.body))
      if (bytes !== undefined) {
        headers['content-type'] = 'application/json'
        headers['content-length'] = String(bytes.length)
      }
      const timeout = silenceMs + waitMs(input.query)
      const path = pathOf(name, input.params) + searchOf(input.query)
      const wire: RequestOptions = { ...target, agent, method: routeOf(name).method, path, headers, timeout }
      try {
        return answerOf<K>(await exchange(wire, bytes, input.signal))
      } catch (error) {
        return unreachable(error as NodeJS.ErrnoException)
      }
    },
    bytes(name) {
      const headers = { authorization: `Bearer ${options.token}` }
      const wire = { ...target, agent, method: routeOf(name).method, path: pathOf(name), headers, timeout: silenceMs }
      return new Promise((resolve, reject) => {
        const call = request(wire, (answer) => {
          if (answer.statusCode === 200) return resolve(answer)
          answer.resume()
          reject(new Error(`the node answered ${answer.statusCode}`))
        })
        call.on('timeout', () => call.destroy(new Error('the node did not answer in time')))
        call.on('error', reject)
        call.end()
      })
    },
    close: () => agent.destroy()
  }
}

function targetOf(options: ClientOptions): RequestOptions {
  if ('socketPath' in options) return { socketPath: options.socketPath, headers: { host: 'localhost' } }
  const url = new URL(options.url)
  if (url.protocol !== 'http:' || url.username !== '' || url.pathname !== '/' || url.search !== '') {
    throw new TypeError('a node URL looks like http://127.0.0.1:PORT')
  }
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 80 : Number(url.port) }
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search.toString()}`
}

function waitMs(query: unknown): number {
  const wait = Number((query as { wait?: unknown } | undefined)?.wait ?? 0)
  return Number.isFinite(wait) ? wait * 1000 : 0
}

function exchange(wire: RequestOptions, bytes: Buffer | undefined, signal?: AbortSignal): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(signal === undefined ? wire : { ...wire, signal }, (answer) => {
      readAnswer(answer).then(resolve, reject)
    })
    call.on('timeout', () => call.destroy(new Error('the node did not answer in time')))
    call.on('error', reject)
    call.end(bytes)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<RawAnswer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > ANSWER_BYTES) throw new Error(`the answer is larger than ${ANSWER_BYTES} bytes`)
    parts.push(part)
  }
  const replayed = answer.headers['idempotent-replayed'] === 'true'
  return { status: answer.statusCode ?? 0, replayed, text: Buffer.concat(parts).toString('utf8') }
}

function answerOf<K extends RouteName>({ status, replayed, text }: RawAnswer): ApiSuccess<K> | ApiFailure {
  const body = parsed(text)
  if (status >= 200 && status < 300 && body !== undefined) {
    return { ok: true, status, replayed, body: body as AnswerOf<K> }
  }
  const said = refusalIn(body) ?? refusal('internal', `the node answered ${status} in a form that is not ours`)
  return { ok: false, status, refusal: said }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function unreachable(error: NodeJS.ErrnoException): ApiFailure {
  const down = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
  const message = down
    ? 'the node is not running; start it with: `agentlink start`'
    : `no answer from the node: ${error.message}`
  return { ok: false, status: 0, refusal: refusal('unavailable', message), ...(down ? {} : { unsure: true as const }) }
}
