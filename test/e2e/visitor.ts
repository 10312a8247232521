/** A browser in front of a real node, byte by byte: its login, its session, and whatever it sends beside them. */
import { homePaths } from '../../src/api/home.js'
import { JSON_TYPE, type RawAnswer, type RawRequest, refusalOf, send, sendBytes } from '../api/raw.js'
import { answer } from './agentlink.js'
import type { Daemon } from './daemon.js'

/** The two secrets of a session. */
export interface Session {
  readonly cookie: string
  readonly csrf: string
}

/** `in`, or status and rule of a refusal. */
export function outcomeOf(told: RawAnswer): string {
  return told.status > 0 && told.status < 400 ? 'in' : `${told.status} ${told.text === '' ? '' : ruleIn(told)}`
}

function ruleIn(told: RawAnswer): string {
  const { code, details } = refusalOf(told)
  return String(details.code ?? code)
}

export class Visitor {
  readonly #node: Daemon
  /** Each request comes from an address of its own: the node holds back failures of one address. */
  #from = 256

  constructor(node: Daemon) {
    this.#node = node
  }

  get port(): number {
    return Number(new URL(this.#node.run.url ?? '').port)
  }

  /** Where a request goes to, from a fresh loopback address. */
  place(): { host: string; port: number; localAddress: string } {
    this.#from++
    return { host: '127.0.0.1', port: this.port, localAddress: `127.1.${this.#from >> 8}.${this.#from & 255}` }
  }

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

  /** The token of a fresh login link. */
  async link(): Promise<string> {
    const { url } = await answer<{ url: string }>(['dashboard', '--print', '--home', this.#node.home])
    const [before, token = ''] = url.split('#login=')
    if (before !== `http://127.0.0.1:${this.port}/dashboard/`) throw new Error(`an odd link: ${url}`)
    return token
  }

  /** As `link`, by the route itself: a process of the command line takes its time. */
  async quickLink(): Promise<string> {
    const { body } = await this.#node.owner<{ url: string }>('POST', 'login-links', {})
    return body.url.split('#login=')[1] ?? ''
  }

  open(token: string, headers: readonly string[] = this.page): Promise<RawAnswer> {
    return this.ask({ method: 'POST', target: '/dashboard/session', headers, body: JSON.stringify({ token }) })
  }

  async login(): Promise<Session> {
    const opened = await this.open(await this.quickLink())
    const { csrf } = JSON.parse(opened.text) as { csrf: string }
    return { cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '', csrf }
  }

  read(session: Session, target = '/v1/owner/status'): Promise<RawAnswer> {
    return this.ask({ target, headers: this.shown(session) })
  }

  /** The sockets of the node that no browser reaches. */
  get sockets(): { readonly path: string }[] {
    return [{ path: this.#node.run.socket }, { path: homePaths(this.#node.home).agent('default').socket }]
  }
}
