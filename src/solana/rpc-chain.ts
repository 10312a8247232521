import type { Json } from '../base/json.js'
import { isObject } from '../base/json.js'
import { conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Chain } from '../flows/ports.js'
import type { Address, Signature } from '../payments/address.js'
import type { Cluster, PaymentTerms, SignedPayment } from '../payments/terms.js'
import { decodeTransaction } from '../payments/transaction.js'
import { transferMessage, withSignature } from '../payments/transfer.js'
import { toBase58 } from '../wire/base58.js'
import type { Signer } from '../wire/ed25519.js'
import { GENESIS } from './genesis.js'
import { type Rpc, type RpcNo, plainText, unreachable } from './rpc.js'
import { inContext, lamportsIn, signaturesIn, transactionIn, unshownTransaction, wholeIn } from './rpc-shapes.js'

/** The port to the chain over one RPC node. Source: protocols/payments.md, "Asking the chain". */
export interface RpcChainOptions {
  readonly rpc: Rpc
  readonly cluster: Cluster
  /** The wallet's key; undefined when this node has none. */
  readonly wallet: Signer | undefined
}

const FINALIZED = 'finalized'
/** A transaction with the logs of everything that it called. */
const TRANSACTION_ANSWER = 1024 * 1024
const PAGE = 1000
const PAGE_ANSWER = 4 * 1024 * 1024
/** 100,000 signatures on one reference: to hide a payment behind more costs its enemy half a SOL and gains a delay. */
const MOST_PAGES = 100
/** Blocks for which a blockhash is taken. */
const VALID_BLOCKS = 150
const SEND_FAILED = -32002
const SIGNATURE_FAILED = -32003
const VERSION_UNSUPPORTED = -32015

export function createRpcChain(options: RpcChainOptions): Chain {
  return new RpcChain(options)
}

class RpcChain implements Chain {
  readonly cluster: Cluster
  private readonly rpc: Rpc
  private readonly wallet: Signer | undefined
  /** Whether nothing has gone wrong since the genesis hash was seen. */
  private known = false
  private slotSeen = 0
  private heightSeen = 0

  constructor({ rpc, cluster, wallet }: RpcChainOptions) {
    this.rpc = rpc
    this.cluster = cluster
    this.wallet = wallet
  }

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

  address(): Address | undefined {
    return this.wallet === undefined ? undefined : toBase58(this.wallet.publicKey)
  }

  async balance(address: Address): Promise<Result<bigint>> {
    const answer = await this.current('getBalance', [address, { commitment: FINALIZED }])
    if (!answer.ok) return answer
    return this.read(lamportsIn(answer.value))
  }

  async slot(): Promise<Result<number>> {
    const answer = await this.heights()
    return answer.ok ? ok(answer.value.slot) : answer
  }

  async blockHeight(): Promise<Result<number>> {
    const answer = await this.heights()
    return answer.ok ? ok(answer.value.height) : answer
  }

  async history(): ReturnType<Chain['history']> {
    const answer = await this.ask('getFirstAvailableBlock', [])
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.wrong(answer.value.no)
    const oldest = wholeIn(answer.value.result)
    const heights = await this.heights()
    if (!heights.ok) return heights
    return this.read(oldest === undefined ? undefined : { oldest, newest: heights.value.slot })
  }

  async sign(terms: PaymentTerms): Promise<Result<SignedPayment>> {
    if (this.wallet === undefined)
      return fail(conflict('wallet_needed', 'this node has no wallet: the owner makes one'))
    if (terms.payer !== this.address() || terms.cluster !== this.cluster || terms.recipient === terms.payer) {
      return fail(conflict('payer_mismatch', "the terms are not for this node's wallet of today, or pay it themselves"))
    }
    const latest = await this.current('getLatestBlockhash', [{ commitment: FINALIZED }])
    if (!latest.ok) return latest
    const { blockhash, lastValidBlockHeight } = isObject(latest.value) ? latest.value : {}
    const told = wholeIn(lastValidBlockHeight)
    // Asked for after the blockhash, so that no word of the RPC node can make the transaction seem dead while it lives.
    const heights = await this.heights()
    if (!heights.ok) return heights
    if (told === undefined || typeof blockhash !== 'string') return this.malformed()
    const message = messageOf(terms, blockhash)
    if (message === undefined) return this.malformed()
    const signature = this.wallet.sign(message)
    return ok({
      signature: toBase58(signature),
      bytes: withSignature(signature, message),
      slot: heights.value.slot,
      lastValidBlockHeight: Math.max(told, heights.value.height + VALID_BLOCKS)
    })
  }

  async send(bytes: Uint8Array): Promise<Result<void>> {
    const signature = decodeTransaction(bytes)?.signatures[0]
    if (signature === undefined) throw new RangeError('not a transaction')
    const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
    const answer = await this.ask('sendTransaction', [Buffer.from(bytes).toString('base64'), options])
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.notSent(answer.value.no)
    return answer.value.result === toBase58(signature) ? ok() : this.malformed()
  }

  async fetch(signature: Signature): ReturnType<Chain['fetch']> {
    const options = { encoding: 'base64', commitment: FINALIZED, maxSupportedTransactionVersion: 0 }
    const answer = await this.ask('getTransaction', [signature, options], TRANSACTION_ANSWER)
    if (!answer.ok) return answer
    if ('no' in answer.value) {
      const unshown = answer.value.no.code === VERSION_UNSUPPORTED
      return unshown ? ok(unshownTransaction(this.cluster, signature)) : this.wrong(answer.value.no)
    }
    if (answer.value.result === null) return this.absent(signature)
    return this.read(transactionIn(answer.value.result, this.cluster, signature))
  }

  async find(reference: Address): Promise<Result<readonly Signature[]>> {
    const found = new Set<Signature>()
    let before: Signature | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const rows = await this.page(reference, before)
      if (!rows.ok) return rows
      const known = found.size
      for (const signature of rows.value) found.add(signature)
      if (rows.value.length < PAGE) return ok([...found])
      // A page of what was there before would go on for ever.
      if (found.size === known) return this.malformed()
      before = rows.value.at(-1)
    }
    return unreachable('more signatures than can be read')
  }

  private async page(reference: Address, before: Signature | undefined): Promise<Result<readonly Signature[]>> {
    const options = { limit: PAGE, commitment: FINALIZED, minContextSlot: this.slotSeen }
    const where = before === undefined ? options : { ...options, before }
    const answer = await this.ask('getSignaturesForAddress', [reference, where], PAGE_ANSWER)
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.wrong(answer.value.no)
    return this.read(signaturesIn(answer.value.result, PAGE))
  }

  /**
   * A node that lags behind has no transaction either, and together with the block height of a quicker one that would look
   * like proof. So absence counts only from a node that is as far as the farthest that was seen.
   */
  private async absent(signature: Signature): Promise<Result<undefined>> {
    const statuses = await this.current('getSignatureStatuses', [[signature], { searchTransactionHistory: true }])
    if (!statuses.ok) return statuses
    const [status] = Array.isArray(statuses.value) ? (statuses.value as readonly Json[]) : []
    if (status === null) return ok(undefined)
    return status === undefined ? this.malformed() : unreachable('known, but not shown as finalized yet')
  }

  private notSent(no: RpcNo): Result<void> {
    if (no.code !== SEND_FAILED && no.code !== SIGNATURE_FAILED) return this.wrong(no)
    const error = isObject(no.data) ? no.data['err'] : undefined
    if (error === 'AlreadyProcessed') return ok()
    const reason = plainText(error === undefined ? no.message : JSON.stringify(error))
    const sentence = `the chain would not take the transaction now: ${reason}`
    return fail(conflict('transaction_refused', sentence, { reason }))
  }

  /** The finalized slot and the height of its block, neither lower than what was seen. */
  private async heights(): Promise<Result<{ readonly slot: number; readonly height: number }>> {
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
  private async current(method: string, params: readonly Json[]): Promise<Result<Json>> {
    const { slotSeen } = this
    const answer = await this.ask(method, params)
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.wrong(answer.value.no)
    const told = inContext(answer.value.result)
    if (told === undefined) return this.malformed()
    return told.slot < slotSeen ? this.behind() : ok(told.value)
  }

  /** Asks a node that is known to serve the right cluster. */
  private async ask(method: string, params: readonly Json[], maxBytes?: number): ReturnType<Rpc['call']> {
    const checked = this.known ? ok() : await this.check()
    if (!checked.ok) return checked
    const answer = await this.rpc.call(method, params, maxBytes)
    if (!answer.ok) this.known = false
    return answer
  }

  private read<T>(value: T | undefined): Result<T> {
    return value === undefined ? this.malformed() : ok(value)
  }

  private malformed(): ReturnType<typeof unreachable> {
    this.known = false
    return unreachable('malformed')
  }

  private behind(): ReturnType<typeof unreachable> {
    this.known = false
    return unreachable('it went back in time')
  }

  private wrong(no: RpcNo): ReturnType<typeof unreachable> {
    this.known = false
    return unreachable(`error ${no.code}`)
  }
}

function messageOf(terms: PaymentTerms, blockhash: string): Uint8Array | undefined {
  try {
    return transferMessage(terms, blockhash)
  } catch {
    // The blockhash is the RPC node's word: what is none is a malformed answer.
    return undefined
  }
}
