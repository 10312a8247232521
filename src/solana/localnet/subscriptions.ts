import type { Signature } from '../../payments/address.js'
import type { Landed } from './landed.js'
import { type Params, signatureAt, wholeAt } from './params.js'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from './rpc-error.js'
import { type RpcJson, rpcText } from './rpc-json.js'

/** The subscriptions of one websocket: what a client needs to wait for a transaction. */

const MOST_SUBSCRIPTIONS = 1000

export class Subscriptions {
  private readonly waiting = new Map<number, Signature>()
  private last = 0

  /** `send` writes one text to the client; `landed` tells what the chain took. */
  constructor(
    private readonly send: (text: string) => void,
    private readonly landed: (signature: Signature) => Landed | undefined
  ) {}

  /** Answers one call of the client. Throws RpcError for a "no". */
  call(method: string, params: Params): RpcJson {
    if (method === 'signatureSubscribe') return this.subscribe(signatureAt(params, 0))
    if (method === 'signatureUnsubscribe') return this.waiting.delete(wholeAt(params, 0))
    if (method === 'ping') return 'pong'
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  }

  /** Tells the client of what has landed since. A notice of a signature comes once and ends its subscription. */
  tell(): void {
    for (const [id, signature] of this.waiting) {
      const landed = this.landed(signature)
      if (landed === undefined) continue
      this.waiting.delete(id)
      const result = { context: { slot: landed.slot }, value: { err: landed.error } }
      this.send(rpcText({ jsonrpc: '2.0', method: 'signatureNotification', params: { subscription: id, result } }))
    }
  }

  private subscribe(signature: Signature): number {
    if (this.waiting.size >= MOST_SUBSCRIPTIONS) throw new RpcError(INVALID_PARAMS, 'too many subscriptions')
    this.last += 1
    this.waiting.set(this.last, signature)
    return this.last
  }
}
