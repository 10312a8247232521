/** A browser in front of a node, byte by byte: its login, its session, and whatever it sends beside them. */
import { expect } from 'chai'
import { JSON_TYPE, type RawAnswer, type RawRequest, refusalOf, send, sendBytes } from './raw.js'
import type { TestApi } from './test-api.js'
import { TOKENS } from './views.js'

/** The two secrets of a session. */
export interface Session {
  readonly cookie: string
  readonly csrf: string
}

/** Where a request goes to, and from where. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly localAddress?: string
}

/** `in`, or status and rule of a refusal. */
export function outcomeOf(told: RawAnswer): string {
  return told.status > 0 && told.status < 400 ? 'in' : `${told.status} ${told.text === '' ? '' : ruleIn(told)}`
}

function ruleIn(told: RawAnswer): string {
  const { code, details } = refusalOf(told)
  return String(details.code ?? code)
}

export abstract class PageVisitor {
  abstract readonly port: number
  /** Of the next request. */
  abstract place(): Place
  /** The token of a fresh login link. */
  abstract link(): Promise<string>

  /** What our own page sends beside a request. */
  get page(): string[] {
    return [`Origin: http://127.0.0.1:${this.port}`, 'Sec-Fetch-Site: same-origin', JSON_TYPE]
  }

  shown({ cookie, csrf }: Session): string[] {
    return [`Cookie: ${cookie}`, `X-AgentLink-CSRF: ${csrf}`]
  }

  /** `PORT` in a header stands for the node's. Adds `Host` unless a header names one. */
  ask(request: RawRequest): Promise<RawAnswer> {
    const own = (request.headers ?? []).map((line) => line.replaceAll('PORT', String(this.port)))
    const host = own.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${this.port}`]
    return send(this.place(), { ...request, headers: [...host, ...own] })
  }

  /** Exactly these bytes, with `PORT` for the node's. */
  say(bytes: string): Promise<RawAnswer> {
    return sendBytes(this.place(), Buffer.from(bytes.replaceAll('PORT', String(this.port)), 'latin1'))
  }

  open(token: string, headers: readonly string[] = this.page): Promise<RawAnswer> {
    return this.ask({ method: 'POST', target: '/dashboard/session', headers, body: JSON.stringify({ token }) })
  }

  async login(headers?: readonly string[]): Promise<Session> {
    const opened = await this.open(await this.link(), headers)
    if (opened.status !== 200) throw new Error(`no session: ${outcomeOf(opened)}`)
    const { csrf } = JSON.parse(opened.text) as { csrf: string }
    return { cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '', csrf }
  }

  read(session: Session, target = '/v1/owner/status'): Promise<RawAnswer> {
    return this.ask({ target, headers: this.shown(session) })
  }
}

/** In front of the API by itself. */
export class ApiVisitor extends PageVisitor {
  readonly port: number
  readonly #api: TestApi

  constructor(api: TestApi) {
    super()
    this.#api = api
    this.port = Number(new URL(api.url).port)
  }

  place(): Place {
    return { host: '127.0.0.1', port: this.port }
  }

  async link(): Promise<string> {
    const request = { method: 'POST', target: '/v1/owner/login-links', token: TOKENS.owner, headers: [JSON_TYPE] }
    const answer = await send({ path: this.#api.socket }, request)
    expect(answer.status).to.equal(201)
    const { url } = JSON.parse(answer.text) as { url: string }
    const start = `${this.#api.url}/dashboard/#login=`
    expect(url.startsWith(start)).to.equal(true)
    return url.slice(start.length)
  }
}
