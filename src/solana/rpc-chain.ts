import type { Json } from '../base/json.js'
import { isObject } from '../base/json.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Chain } from '../flows/ports.js'
import type { Address, Signature } from '../payments/address.js'
import type { Cluster, PaymentTerms, SignedPayment } from '../payments/terms.js'
import { decodeTransaction } from '../payments/transaction.js'
import { transferMessage, withSignature } from '../payments/transfer.js'
import { toBase58 } from '../wire/base58.js'
import type { Signer } from '../wire/ed25519.js'
import { CheckedRpc, FINALIZED } from './checked-rpc.js'
import { type Rpc, type RpcNo, plainText, unreachable } from './rpc.js'
import { lamportsIn, signaturesIn, transactionIn, unshownTransaction, wholeIn } from './rpc-shapes.js'

/** The port to the chain over one RPC node. Source: protocols/payments.md, "Asking the chain". */
export interface RpcChainOptions {
  readonly rpc: Rpc
  readonly cluster: Cluster
  /** The wallet's key; undefined when this node has none. */
  readonly wallet: Signer | undefined
}

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
  private readonly node: CheckedRpc
  private readonly wallet: Signer | undefined
  constructor({ rpc, cluster, wallet }: RpcChainOptions) {
    this.node = new CheckedRpc(rpc, cluster)
    this.cluster = cluster
    this.wallet = wallet
  }

  check(): Promise<Result<void>> {
    return this.node.check()
  }

  address(): Address | undefined {
    return this.wallet === undefined ? undefined : toBase58(this.wallet.publicKey)
  }

  async balance(address: Address): Promise<Result<bigint>> {
    const answer = await this.node.current('getBalance', [address, { commitment: FINALIZED }])
    if (!answer.ok) return answer
    return this.node.read(lamportsIn(answer.value))
  }

  async slot(): Promise<Result<number>> {
    const answer = await this.node.heights()
    return answer.ok ? ok(answer.value.slot) : answer
  }

  async blockHeight(): Promise<Result<number>> {
    const answer = await this.node.heights()
    return answer.ok ? ok(answer.value.height) : answer
  }

  async history(): ReturnType<Chain['history']> {
    const answer = await this.node.ask('getFirstAvailableBlock', [])
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.node.wrong(answer.value.no)
    const oldest = wholeIn(answer.value.result)
    const heights = await this.node.heights()
    if (!heights.ok) return heights
    return this.node.read(oldest === undefined ? undefined : { oldest, newest: heights.value.slot })
  }

  async sign(terms: PaymentTerms): Promise<Result<SignedPayment>> {
    if (this.wallet === undefined)
      return fail(conflict('wallet_needed', 'this node has no wallet: the owner makes one'))
    if (terms.payer !== this.address() || terms.cluster !== this.cluster || terms.recipient === terms.payer) {
      return fail(conflict('payer_mismatch', "the terms are not for this node's wallet of today, or pay it themselves"))
    }
    const latest = await this.node.current('getLatestBlockhash', [{ commitment: FINALIZED }])
    if (!latest.ok) return latest
    const { blockhash, lastValidBlockHeight } = isObject(latest.value) ? latest.value : {}
    const told = wholeIn(lastValidBlockHeight)
    // Asked for after the blockhash, so that no word of the RPC node can make the transaction seem dead while it lives.
    const heights = await this.node.heights()
    if (!heights.ok) return heights
    if (told === undefined || typeof blockhash !== 'string') return this.node.malformed()
    const message = messageOf(terms, blockhash)
    if (message === undefined) return this.node.malformed()
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
    const answer = await this.node.ask('sendTransaction', [Buffer.from(bytes).toString('base64'), options])
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.notSent(answer.value.no)
    return answer.value.result === toBase58(signature) ? ok() : this.node.malformed()
  }

  async fetch(signature: Signature): ReturnType<Chain['fetch']> {
    const options = { encoding: 'base64', commitment: FINALIZED, maxSupportedTransactionVersion: 0 }
    const answer = await this.node.ask('getTransaction', [signature, options], TRANSACTION_ANSWER)
    if (!answer.ok) return answer
    if ('no' in answer.value) {
      const unshown = answer.value.no.code === VERSION_UNSUPPORTED
      return unshown ? ok(unshownTransaction(this.cluster, signature)) : this.node.wrong(answer.value.no)
    }
    if (answer.value.result === null) return this.absent(signature)
    return this.node.read(transactionIn(answer.value.result, this.cluster, signature))
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
      if (found.size === known) return this.node.malformed()
      before = rows.value.at(-1)
    }
    return unreachable('more signatures than can be read')
  }

  private async page(reference: Address, before: Signature | undefined): Promise<Result<readonly Signature[]>> {
    const options = { limit: PAGE, commitment: FINALIZED, minContextSlot: this.node.newestSlot() }
    const where = before === undefined ? options : { ...options, before }
    const answer = await this.node.ask('getSignaturesForAddress', [reference, where], PAGE_ANSWER)
    if (!answer.ok) return answer
    if ('no' in answer.value) return this.node.wrong(answer.value.no)
    return this.node.read(signaturesIn(answer.value.result, PAGE))
  }

  /**
   * A node that lags behind has no transaction either, and together with the block height of a quicker one that would look
   * like proof. So absence counts only from a node that is as far as the farthest that was seen.
   */
  private async absent(signature: Signature): Promise<Result<undefined>> {
    const statuses = await this.node.current('getSignatureStatuses', [[signature], { searchTransactionHistory: true }])
    if (!statuses.ok) return statuses
    const [status] = Array.isArray(statuses.value) ? (statuses.value as readonly Json[]) : []
    if (status === null) return ok(undefined)
    return status === undefined ? this.node.malformed() : unreachable('known, but not shown as finalized yet')
  }

  private notSent(no: RpcNo): Result<void> {
    if (no.code !== SEND_FAILED && no.code !== SIGNATURE_FAILED) return this.node.wrong(no)
    const error = isObject(no.data) ? no.data['err'] : undefined
    if (error === 'AlreadyProcessed') return ok()
    const reason = plainText(error === undefined ? no.message : JSON.stringify(error))
    const sentence = `the chain would not take the transaction now: ${reason}`
    return fail(conflict('transaction_refused', sentence, { reason }))
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
