/** A real node in a home of its own, driven over HTTP, which a test kills and starts again as it likes. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { homePaths, type RunFile } from '../../src/api/home.js'
import { answer, started, until } from './agentlink.js'

export interface Answer<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T
}

/** Settings of a node whose agent is a test that calls without a pause. */
export const HASTY = [
  ...['[api]', 'calls_per_second = 100000', 'calls_at_once = 100000'],
  ...['[quotas]', 'tasks = 100000', 'tasks_per_contact = 100000']
]

export class Daemon {
  readonly home: string
  readonly handle: string
  readonly #token: string
  readonly #secret: string
  #child: ChildProcess | undefined
  #listen = '/ip4/127.0.0.1/tcp/0'
  #log = ''

  private constructor(home: string, handle: string) {
    this.home = home
    this.handle = handle
    this.#token = readFileSync(homePaths(home).agent('default').token, 'utf8').trim()
    this.#secret = readFileSync(homePaths(home).ownerSecret, 'utf8').trim()
  }

  /** The node of a home that was made, not started. */
  static at(home: string, handle: string): Daemon {
    return new Daemon(home, handle)
  }

  /** Makes the home and starts its node, with these lines more in its settings. */
  static async make(home: string, handle: string, settings: readonly string[] = []): Promise<Daemon> {
    await answer(['init', '--home', home, '--handle', handle])
    appendFileSync(homePaths(home).config, settings.map((line) => `\n${line}`).join(''))
    const daemon = new Daemon(home, handle)
    await daemon.start()
    return daemon
  }

  /** Resolves when it is ready. It listens where it listened before. */
  async start(): Promise<void> {
    const child = started(['start', '--home', this.home, '--listen', this.#listen])
    this.#child = child
    child.stderr.on('data', (text: string) => (this.#log += text))
    const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${this.#log}`)))
    await Promise.race([once(child.stdout, 'data'), gone])
    gone.catch(() => undefined)
    this.#listen = this.address.replace(/\/p2p\/.*$/, '')
  }

  /** Ends it with a signal, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === undefined || !this.alive) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  get alive(): boolean {
    const child = this.#child
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** Everything it logged, through all its lives. */
  get log(): string {
    return this.#log
  }

  get run(): RunFile {
    return JSON.parse(readFileSync(homePaths(this.home).runFile, 'utf8')) as RunFile
  }

  get address(): string {
    const [first] = this.run.addrs
    if (first === undefined) throw new Error('it listens nowhere')
    return first
  }

  get token(): string {
    return this.#token
  }

  get secret(): string {
    return this.#secret
  }

  /** Memory of the process, bytes. */
  get memory(): number {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.#child?.pid)]).toString()) * 1024
  }

  agent<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {}
  ): Promise<Answer<T>> {
    return this.#call(method, `/v1/agent/${path}`, body, { ...headers, authorization: `Bearer ${this.#token}` })
  }

  owner<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer<T>> {
    return this.#call(method, `/v1/owner/${path}`, body, { authorization: `Bearer ${this.#secret}` })
  }

  async #call<T>(method: string, path: string, body: object | undefined, headers: Record<string, string>) {
    const response = await fetch(`${this.run.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000)
    })
    return { status: response.status, body: (await response.json()) as T }
  }
}

interface Contacts {
  readonly items: ReadonlyArray<{ readonly agent: string; readonly status: string; readonly frozen?: true }>
}

/** How a node's owner sees a contact; undefined when there is none. */
export async function contactOf(node: Daemon, agent: string): Promise<Contacts['items'][number] | undefined> {
  const { body } = await node.owner<Contacts>('GET', 'contacts')
  return body.items.find((contact) => contact.agent === agent)
}

/** Makes two nodes contacts of each other that may disclose everything. */
export async function befriend(one: Daemon, other: Daemon): Promise<void> {
  const { body } = await one.owner<{ link: string }>('POST', 'invites', {})
  await other.owner('POST', 'contacts', { link: body.link })
  for (const [here, there] of [
    [one, other],
    [other, one]
  ] as const) {
    await until(
      () => contactOf(here, there.run.agent),
      (contact) => contact?.status === 'active'
    )
    await here.owner('PUT', 'grants', { contact: there.run.agent, capability: 'disclose.*', effect: 'allow' })
  }
}
