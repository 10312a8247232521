import { type Json, isObject } from '../base/json.js'
import type { Address, Signature } from '../payments/address.js'
import { parseAddress, parseSignature } from '../payments/address.js'
import type { CompiledInstruction, FetchedTransaction } from '../payments/fetched.js'
import type { Cluster } from '../payments/terms.js'
import { MOST_TRANSACTION_BYTES } from '../payments/transaction.js'
import { fromBase58UpTo } from '../wire/base58.js'

/** Reads what RPC nodes answer. Everything is undefined when the answer has not the form that Solana documents. */

const MOST_ACCOUNTS = 256
const MOST_INNER = 1000
/** Transfers are shorter, and of inner memos only the number counts: what is longer need not be decoded. */
const INNER_TEXT = 64

/** A whole number from 0 that a double holds. */
export function wholeIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** A whole number of 64 bits: a number, or its digits where `createRpc` kept them. */
export function lamportsIn(value: Json | undefined): bigint | undefined {
  if (typeof value === 'string') return /^\d{16,20}$/.test(value) ? BigInt(value) : undefined
  const whole = wholeIn(value)
  return whole === undefined ? undefined : BigInt(whole)
}

/** `{context: {slot}, value}`. */
export function inContext(result: Json): { readonly slot: number; readonly value: Json } | undefined {
  if (!isObject(result) || !isObject(result['context'] ?? null)) return undefined
  const slot = wholeIn((result['context'] as { readonly slot?: Json }).slot)
  return slot === undefined || result['value'] === undefined ? undefined : { slot, value: result['value'] }
}

/** The signatures of one page of getSignaturesForAddress. */
export function signaturesIn(result: Json, most: number): readonly Signature[] | undefined {
  if (!Array.isArray(result) || result.length > most) return undefined
  return all(result as readonly Json[], (row) => {
    const signature = isObject(row) ? row['signature'] : undefined
    return typeof signature === 'string' && parseSignature(signature).ok ? signature : undefined
  })
}

/** A transaction in base64 with its meta, as getTransaction answers for a finalized one. */
export function transactionIn(result: Json, cluster: Cluster, signature: Signature): FetchedTransaction | undefined {
  if (!isObject(result) || !isObject(result['meta'] ?? null)) return undefined
  const meta = result['meta'] as { readonly [member: string]: Json }
  const slot = wholeIn(result['slot'])
  const bytes = bytesIn(result['transaction'])
  const inner = innerIn(meta['innerInstructions'] ?? [])
  const preBalances = balancesIn(meta['preBalances'])
  const postBalances = balancesIn(meta['postBalances'])
  const loaded = loadedIn(meta['loadedAddresses'] ?? { writable: [], readonly: [] })
  if (slot === undefined || !bytes || !inner || !preBalances || !postBalances || !loaded) return undefined
  const seconds = wholeIn(result['blockTime'])
  const blockTime = seconds === undefined ? null : seconds * 1000
  const failed = meta['err'] !== null
  return {
    cluster,
    signature,
    finalized: true,
    slot,
    blockTime,
    failed,
    bytes,
    inner,
    preBalances,
    postBalances,
    loaded
  }
}

/** A transaction of a version that no payment has: it is judged as unreadable. */
export function unshownTransaction(cluster: Cluster, signature: Signature): FetchedTransaction {
  const none = { bytes: new Uint8Array(0), inner: [], preBalances: [], postBalances: [] }
  const place = { slot: 0, blockTime: null, failed: false, finalized: true }
  return { ...none, ...place, cluster, signature, loaded: { writable: [], readonly: [] } }
}

function bytesIn(value: Json | undefined): Uint8Array | undefined {
  if (!Array.isArray(value)) return undefined
  const [text, encoding] = value as readonly Json[]
  if (typeof text !== 'string' || encoding !== 'base64' || text.length > MOST_TRANSACTION_BYTES * 2) return undefined
  return new Uint8Array(Buffer.from(text, 'base64'))
}

function balancesIn(value: Json | undefined): readonly bigint[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_ACCOUNTS) return undefined
  return all(value as readonly Json[], lamportsIn)
}

function innerIn(value: Json): readonly CompiledInstruction[] | undefined {
  if (value === null) return []
  if (!Array.isArray(value) || value.length > MOST_ACCOUNTS) return undefined
  const groups = all(value as readonly Json[], (group) => (isObject(group) ? listIn(group['instructions']) : undefined))
  return groups === undefined ? undefined : all(groups.flat(), innerInstructionIn)
}

function listIn(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) && value.length <= MOST_INNER ? (value as readonly Json[]) : undefined
}

function innerInstructionIn(value: Json): CompiledInstruction | undefined {
  if (!isObject(value)) return undefined
  const program = wholeIn(value['programIdIndex'])
  const accounts = all(listIn(value['accounts']) ?? [], wholeIn)
  const text = value['data']
  if (program === undefined || accounts === undefined || typeof text !== 'string') return undefined
  const data = text.length > INNER_TEXT ? new Uint8Array(0) : fromBase58UpTo(text, INNER_TEXT)
  return data === undefined ? undefined : { program, accounts, data }
}

function loadedIn(value: Json): FetchedTransaction['loaded'] | undefined {
  if (!isObject(value)) return undefined
  const writable = all(listIn(value['writable']) ?? [], addressIn)
  const readonly = all(listIn(value['readonly']) ?? [], addressIn)
  return writable === undefined || readonly === undefined ? undefined : { writable, readonly }
}

function addressIn(value: Json): Address | undefined {
  return typeof value === 'string' && parseAddress(value).ok ? value : undefined
}

/** Every item read, or undefined when one can't be. */
function all<T>(items: readonly Json[], read: (item: Json) => T | undefined): readonly T[] | undefined {
  const out: T[] = []
  for (const item of items) {
    const one = read(item)
    if (one === undefined) return undefined
    out.push(one)
  }
  return out
}
