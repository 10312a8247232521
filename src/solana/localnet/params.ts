import { type Json, type JsonObject, isObject } from '../../base/json.js'
import type { Address, Signature } from '../../payments/address.js'
import { parseAddress, parseSignature } from '../../payments/address.js'
import { MOST_TRANSACTION_BYTES, type SignedTransaction, decodeTransaction } from '../../payments/transaction.js'
import { fromBase58UpTo, toBase58 } from '../../wire/base58.js'
import { INVALID_PARAMS, RpcError } from './rpc-error.js'

/** Reads the parameters of a call; what does not fit is refused in the words of an RPC node. */
export type Params = readonly Json[]

function refuse(what: string): never {
  throw new RpcError(INVALID_PARAMS, `Invalid param: ${what}`)
}

export function addressAt(params: Params, index: number): Address {
  const text = params[index]
  return typeof text === 'string' && parseAddress(text).ok ? text : refuse('WrongSize')
}

export function signatureAt(params: Params, index: number): Signature {
  return signatureOf(params[index])
}

export function signatureOf(text: Json | undefined): Signature {
  return typeof text === 'string' && parseSignature(text).ok ? text : refuse('Invalid')
}

export function listAt(params: Params, index: number, most: number): readonly Json[] {
  const list = params[index]
  if (!Array.isArray(list)) return refuse('expected a sequence')
  if (list.length > most) return refuse(`Too many inputs provided; max ${most}`)
  return list as readonly Json[]
}

/** A whole number from 0. */
export function wholeAt(params: Params, index: number): number {
  const number = params[index]
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : refuse('expected u64')
}

export function textAt(params: Params, index: number): string {
  const text = params[index]
  return typeof text === 'string' ? text : refuse('expected a string')
}

/** The options that many methods take last; some clients send a bare commitment or encoding in their place. */
export function optionsAt(params: Params, index: number): JsonObject {
  const options = params[index]
  return options !== undefined && isObject(options) ? options : {}
}

/** A transaction as a client sends it. */
export interface Sent {
  readonly signature: Signature
  readonly bytes: Uint8Array
  readonly signed: SignedTransaction
}

/** A transaction in base64 or base58, as the option `encoding` says (base58 when it is silent). */
export function transactionAt(params: Params, index: number, encoding: Json | undefined): Sent {
  const text = textAt(params, index)
  const bytes =
    encoding === 'base64' ? new Uint8Array(Buffer.from(text, 'base64')) : fromBase58UpTo(text, MOST_TRANSACTION_BYTES)
  const signed = bytes === undefined ? undefined : decodeTransaction(bytes)
  const first = signed?.signatures[0]
  if (bytes === undefined || signed === undefined || first === undefined) {
    return refuse('failed to deserialize transaction')
  }
  return { signature: toBase58(first), bytes, signed }
}
