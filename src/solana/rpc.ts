import { type Json, type JsonObject, isObject } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { readJson } from '../base/strict-json.js'
import { toUtf8 } from '../base/bytes.js'

/**
 * One RPC node, asked over HTTP. Whatever it does (nothing, nonsense, too much, too slow) comes back as a value within the
 * deadline. Source: protocols/payments.md, "Asking the chain".
 */
export interface Rpc {
  /** The result of one call; `no` is the error that the node itself answered with. Refuses with `chain_unreachable`. */
  call(method: string, params: readonly Json[], maxBytes?: number): Promise<Result<RpcAnswer>>
}

type RpcAnswer = { readonly result: Json } | { readonly no: RpcNo }

export interface RpcNo {
  readonly code: number
  readonly message: string
  readonly data: Json
}

export interface RpcOptions {
  /** May hold a key of the owner's: never logged, never shown. */
  readonly url: string
  /** Of one call, from the first byte sent to the last one read. Milliseconds. */
  readonly deadlineMs: number
}

const SMALL_ANSWER = 64 * 1024
const MOST_DEPTH = 24
const MESSAGE_LENGTH = 200
/** A string, which is left alone (one without an end reaches to the end, so that nothing is gone through twice), or a number. */
const TOKEN = /"(?:[^"\\]+|\\[^])*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const LARGE = /^\d{16,20}$/
const UNPLAIN = /[^\x20-\x7e]/g

/** Takes the text of a call to the node, and its answer back: at most `maxBytes` of it. Never rejects. */
export type Post = (body: string, maxBytes: number) => Promise<Result<Uint8Array>>

export function createRpc({ url, deadlineMs }: RpcOptions): Rpc {
  return rpcOver((body, maxBytes) => post(url, body, deadlineMs, maxBytes))
}

/** The same, whatever takes the calls there. */
export function rpcOver(post: Post): Rpc {
  let last = 0
  return {
    async call(method, params, maxBytes = SMALL_ANSWER) {
      last += 1
      const id = last
      const read = await post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), maxBytes)
      return read.ok ? answerIn(read.value, id) : read
    }
  }
}

/** A refusal that says nothing about the payment, only that nothing was learnt. */
export function unreachable(reason: string): ReturnType<typeof fail> {
  const sentence = `the Solana RPC node gave no usable answer (${reason}); try again, or check chain.rpc_url`
  return fail(refusal('unavailable', sentence, { code: 'chain_unreachable', reason }))
}

async function post(url: string, body: string, deadlineMs: number, maxBytes: number): Promise<Result<Uint8Array>> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const headers = { 'content-type': 'application/json' }
    // A node that points elsewhere is not the one that the owner chose.
    const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' })
    if (response.status === 200) return await bodyOf(response, maxBytes)
    await response.body?.cancel()
    return unreachable(`HTTP ${response.status}`)
  } catch {
    return unreachable(signal.aborted ? 'no answer in time' : 'no connection')
  }
}

async function bodyOf(response: Response, maxBytes: number): Promise<Result<Uint8Array>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += (part as Uint8Array).length
    // Leaving the loop cancels the rest.
    if (size > maxBytes) return unreachable('too large')
    parts.push(part as Uint8Array)
  }
  return ok(new Uint8Array(Buffer.concat(parts)))
}

function answerIn(bytes: Uint8Array, id: number): Result<RpcAnswer> {
  const text = losslessly(Buffer.from(bytes).toString('utf8'))
  if (text === undefined) return unreachable('malformed')
  const read = readJson(toUtf8(text), { maxBytes: text.length * 3, maxDepth: MOST_DEPTH })
  if (!read.ok || !isObject(read.value) || read.value['id'] !== id) return unreachable('malformed')
  const { result, error } = read.value
  if (error !== undefined && isObject(error)) return ok({ no: noOf(error) })
  return result === undefined ? unreachable('malformed') : ok({ result })
}

function losslessly(text: string): string | undefined {
  try {
    return text.replace(TOKEN, quotedIfLarge)
  } catch {
    // The engine has only so much room for one string of a megabyte of escapes.
    return undefined
  }
}

/** A number of 64 bits becomes the text of its digits, so that none is lost; `lamportsIn` reads both. */
function quotedIfLarge(token: string): string {
  return LARGE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token
}

function noOf(error: JsonObject): RpcNo {
  const { code, message, data } = error
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? plainText(message) : '',
    data: data ?? null
  }
}

/** What an RPC node says, short and without anything that a screen or a model could take for more than words. */
export function plainText(text: string): string {
  return text.slice(0, MESSAGE_LENGTH).replace(UNPLAIN, '?')
}
