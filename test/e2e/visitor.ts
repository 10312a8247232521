/** A browser in front of a real node. */
import { homePaths } from '../../src/api/home.js'
import { PageVisitor, type Place } from '../api/page-visitor.js'
import { answer } from './agentlink.js'
import type { Daemon } from './daemon.js'

export class Visitor extends PageVisitor {
  readonly #node: Daemon
  /** Each request comes from an address of its own: the node holds back failures of one address. */
  #from = 256

  constructor(node: Daemon) {
    super()
    this.#node = node
  }

  get port(): number {
    return Number(new URL(this.#node.run.url ?? '').port)
  }

  place(): Place {
    this.#from++
    return { host: '127.0.0.1', port: this.port, localAddress: `127.1.${this.#from >> 8}.${this.#from & 255}` }
  }

  async link(): Promise<string> {
    const { body } = await this.#node.owner<{ url: string }>('POST', 'login-links', {})
    return body.url.split('#login=')[1] ?? ''
  }

  /** As `link`, as the command line prints it: a process of its own takes its time. */
  async printedLink(): Promise<string> {
    const { url } = await answer<{ url: string }>(['dashboard', '--print', '--home', this.#node.home])
    const [before, token = ''] = url.split('#login=')
    if (before !== `http://127.0.0.1:${this.port}/dashboard/`) throw new Error(`an odd link: ${url}`)
    return token
  }

  /** The sockets of the node that no browser reaches. */
  get sockets(): { readonly path: string }[] {
    return [{ path: this.#node.run.socket }, { path: homePaths(this.#node.home).agent('default').socket }]
  }
}
