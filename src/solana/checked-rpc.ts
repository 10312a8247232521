import { type Json, isObject } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Cluster } from '../payments/terms.js'
import { GENESIS } from './genesis.js'
import { type Rpc, type RpcNo, unreachable } from './rpc.js'
import { inContext, wholeIn } from './rpc-shapes.js'

/**
 * An RPC node as far as it is believed: it serves the right cluster, and never goes back in time. After anything odd it is
 * asked for its cluster again. Every "no" here is `unavailable`. Source: protocols/payments.md, "Asking the chain".
 */

export const FINALIZED = 'finalized'

export class CheckedRpc {
  private readonly rpc: Rpc
  private readonly cluster: Cluster
  /** Whether nothing has gone wrong since the genesis hash was seen. */
  private known = false
  private slotSeen = 0
  private heightSeen = 0

  constructor(rpc: Rpc, cluster: Cluster) {
    this.rpc = rpc
    this.cluster = cluster
  }

  /** Whether it serves the cluster: `chain_mismatch` when it does not. */
  async check(): Promise<Result<void>> {
    this.known = false
    const answer = await this.rpc.call('getGenesisHash', [])
    if (!answer.ok) return answer
    if (!('result' in answer.value)) return unreachable(answer.value.no.message)
    if (answer.value.result !== GENESIS[this.cluster]) {
      const sentence = `the RPC node does not serve ${this.cluster}; correct chain.cluster or chain.rpc_url`
      return fail(refusal('unavailable', sentence, { code: 'chain_mismatch' }))
    }
    this.known = true
    return ok()
  }

  /** The newest finalized slot that was seen. */
  newestSlot(): number {
    return this.slotSeen
  }

  /** The finalized slot and the height of its block, neither lower than what was seen. */
  async heights(): Promise<Result<{ readonly slot: number; readonly height: number }>> {
    // As it was when we asked: answers may overtake each other.
    const { slotSeen, heightSeen } = this
    const answer = await this.ask('getEpochInfo', [{ commitment: FINALIZED }])
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.wrong(answer.value.no)
    const { absoluteSlot, blockHeight } = isObject(answer.value.result) ? answer.value.result : {}
    const [slot, height] = [wholeIn(absoluteSlot), wholeIn(blockHeight)]
    if (slot === undefined || height === undefined) return this.malformed()
    if (slot < slotSeen || height < heightSeen) return this.behind()
    this.slotSeen = Math.max(this.slotSeen, slot)
    this.heightSeen = Math.max(this.heightSeen, height)
    return ok({ slot, height })
  }

  /** The value of an answer that says at which slot it was given: not before the newest finalized one that was seen. */
  async current(method: string, params: readonly Json[]): Promise<Result<Json>> {
    const { slotSeen } = this
    const answer = await this.ask(method, params)
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.wrong(answer.value.no)
    const told = inContext(answer.value.result)
    if (told === undefined) return this.malformed()
    return told.slot < slotSeen ? this.behind() : ok(told.value)
  }

  /** Asks a node that is known to serve the right cluster. */
  async ask(method: string, params: readonly Json[], maxBytes?: number): ReturnType<Rpc['call']> {
    const checked = this.known ? ok() : await this.check()
    if (!checked.ok) return checked
    const answer = await this.rpc.call(method, params, maxBytes)
    if (!answer.ok) this.known = false
    return answer
  }

  /** What was read from an answer; undefined: it had not the form that Solana documents. */
  read<T>(value: T | undefined): Result<T> {
    return value === undefined ? this.malformed() : ok(value)
  }

  malformed(): ReturnType<typeof unreachable> {
    this.known = false
    return unreachable('malformed')
  }

  private behind(): ReturnType<typeof unreachable> {
    this.known = false
    return unreachable('it went back in time')
  }

  /** A "no" of the node where the call has none to give. */
  wrong(no: RpcNo): ReturnType<typeof unreachable> {
    this.known = false
    return unreachable(`error ${no.code}`)
  }
}
