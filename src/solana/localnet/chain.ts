import type { Instant } from '../../base/time.js'
import type { Signature } from '../../payments/address.js'
import { GENESIS, MAINNET_GENESIS } from '../genesis.js'
import { FAULTS, type Fault, isFault } from './faults.js'
import type { Landed } from './landed.js'
import { Ledger } from './ledger.js'
import { METHODS, preflight } from './methods.js'
import { type Params, type Sent, listAt, optionsAt, signatureAt, signatureOf, wholeAt } from './params.js'
import { INVALID_PARAMS, METHOD_NOT_FOUND, NOT_SO_FAR, RpcError } from './rpc-error.js'
import type { RpcJson } from './rpc-json.js'

/**
 * The chain behind its methods, and the faults that are on. Two methods are our own: `localnet_faults` (a list of names
 * that takes the place of the present one; without it, what is on) and `localnet_skip` (a number of slots to pass at once).
 */

const LATE_MS = 10_000
const BEHIND_SLOTS = 1000
const MOST_SKIPPED = 1_000_000
const MOST_WAITING = 10_000
/** Members by which an answer tells how far its node is. */
const TELLS_TIME = new Set(['context', 'slot', 'absoluteSlot', 'blockHeight'])

export class LocalChain {
  private readonly ledger: Ledger
  private faults: ReadonlySet<Fault> = new Set()
  private waiting: ReadonlyArray<Sent & { readonly due: Instant }> = []
  private newest: Landed | undefined

  constructor(private readonly now: () => Instant) {
    this.ledger = new Ledger(now)
  }

  has(fault: Fault): boolean {
    return this.faults.has(fault)
  }

  setFaults(faults: readonly Fault[]): void {
    this.faults = new Set(faults)
  }

  /** What the chain took of a transaction, also when a fault denies it. */
  landed(signature: Signature): Landed | undefined {
    this.landWaiting()
    return this.ledger.transaction(signature)
  }

  /** Answers one call. Throws RpcError for a "no". */
  call(method: string, params: Params): RpcJson {
    this.landWaiting()
    switch (method) {
      case 'localnet_faults':
        return this.switchFaults(params)
      case 'localnet_skip':
        return this.ledger.skip(slotsIn(params))
      case 'getGenesisHash':
        return this.has('mainnet') ? MAINNET_GENESIS : GENESIS['solana:localnet']
      case 'sendTransaction':
        return this.send(params)
      default:
        return this.distorted(method, params)
    }
  }

  private honest(method: string, params: Params): RpcJson {
    const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (known === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    return known(this.ledger, params)
  }

  private distorted(method: string, params: Params): RpcJson {
    if (method === 'getTransaction' && this.has('lying')) return this.another(params)
    const answer = this.has('behind') ? this.behind(method, params) : this.honest(method, params)
    if (!this.has('forgotten')) return answer
    if (method === 'getTransaction') return null
    if (method === 'getSignaturesForAddress') return []
    if (method !== 'getSignatureStatuses') return answer
    const { context } = answer as { readonly context: RpcJson }
    return { context, value: (params[0] as readonly unknown[]).map(() => null) }
  }

  /** What a node knows that is behind: what has landed since then is not there. */
  private behind(method: string, params: Params): RpcJson {
    const reached = this.ledger.turn() - BEHIND_SLOTS
    const isThere = (signature: Signature): boolean => (this.ledger.transaction(signature)?.slot ?? 0) <= reached
    const answer = this.honest(method, params)
    switch (method) {
      case 'getTransaction':
        return isThere(signatureAt(params, 0)) ? answer : null
      case 'getSignaturesForAddress': {
        const { minContextSlot = 0 } = optionsAt(params, 1)
        if (Number(minContextSlot) > reached) {
          throw new RpcError(NOT_SO_FAR, 'Minimum context slot has not been reached', { contextSlot: reached })
        }
        return (answer as ReadonlyArray<{ readonly signature: Signature }>).filter(({ signature }) =>
          isThere(signature)
        )
      }
      case 'getSignatureStatuses': {
        const { value } = answer as { readonly value: readonly RpcJson[] }
        const shown = value.map((row, at) =>
          isThere(signatureOf(listAt(params, 0, value.length)[at] ?? '')) ? row : null
        )
        return { context: { slot: reached }, value: shown }
      }
      default:
        return earlier(answer)
    }
  }

  /** The newest transaction, whatever was asked for. */
  private another(params: Params): RpcJson {
    signatureAt(params, 0)
    if (this.newest === undefined) return null
    return this.honest('getTransaction', [this.newest.signature, ...params.slice(1)])
  }

  private send(params: Params): RpcJson {
    const sent = preflight(this.ledger, params)
    if (this.has('late') && this.waiting.length < MOST_WAITING) {
      this.waiting = [...this.waiting, { ...sent, due: this.now() + LATE_MS }]
    } else if (!this.has('dropped') && !this.has('late')) this.land(sent)
    return sent.signature
  }

  private land({ bytes, signed }: Sent): void {
    this.newest = this.ledger.land(bytes, signed) ?? this.newest
  }

  private landWaiting(): void {
    const due = this.waiting.filter((one) => one.due <= this.now())
    if (due.length === 0) return
    this.waiting = this.waiting.filter((one) => one.due > this.now())
    for (const one of due) this.land(one)
  }

  private switchFaults(params: Params): RpcJson {
    if (params.length === 0) return [...this.faults]
    const names = listAt(params, 0, Object.keys(FAULTS).length)
    const odd = names.find((name) => !isFault(name))
    if (odd !== undefined) {
      throw new RpcError(
        INVALID_PARAMS,
        `Invalid param: ${JSON.stringify(odd)} is none of ${Object.keys(FAULTS).join(', ')}`
      )
    }
    this.setFaults(names.filter(isFault))
    return [...this.faults]
  }
}

function slotsIn(params: Params): number {
  const slots = wholeAt(params, 0)
  if (slots <= MOST_SKIPPED) return slots
  throw new RpcError(INVALID_PARAMS, `Invalid param: at most ${MOST_SKIPPED} slots`)
}

/** The same answer from a node that is behind, wherever it tells how far it is. */
function earlier(answer: RpcJson): RpcJson {
  if (typeof answer === 'number') return answer - BEHIND_SLOTS
  if (
    typeof answer !== 'object' ||
    answer === null ||
    !('slot' in answer || 'context' in answer || 'absoluteSlot' in answer)
  ) {
    return answer
  }
  const told = Object.entries(answer as Readonly<Record<string, RpcJson>>).map(([name, value]) => [
    name,
    TELLS_TIME.has(name) ? earlier(value) : value
  ])
  return Object.fromEntries(told) as RpcJson
}
