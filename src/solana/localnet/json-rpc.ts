import { type Json, type JsonObject, isObject } from '../../base/json.js'
import { readJson } from '../../base/strict-json.js'
import { INVALID_REQUEST, RpcError } from './rpc-error.js'
import { type RpcJson, rpcText } from './rpc-json.js'

/** JSON-RPC 2.0 over any way in: one call or a batch of them. Source: jsonrpc.org/specification. */

/** What a call is answered with. Throws RpcError for a "no". */
export type Answerer = (method: string, params: readonly Json[]) => RpcJson

export const MOST_CALL_BYTES = 128 * 1024
const MOST_DEPTH = 16
const MOST_CALLS = 100
const PARSE_ERROR = -32700
const INTERNAL = -32603

/** The text of the answer to the bytes of a request. */
export function answerText(bytes: Uint8Array, answer: Answerer): string {
  const read = readJson(bytes, { maxBytes: MOST_CALL_BYTES, maxDepth: MOST_DEPTH })
  if (!read.ok) return rpcText(failure(null, new RpcError(PARSE_ERROR, `Parse error: ${read.refusal.message}`)))
  const request = read.value
  if (!Array.isArray(request)) return rpcText(answered(request, answer))
  if (request.length === 0 || request.length > MOST_CALLS) {
    return rpcText(failure(null, new RpcError(INVALID_REQUEST, `Invalid request: 1 to ${MOST_CALLS} calls`)))
  }
  return rpcText((request as readonly Json[]).map((call) => answered(call, answer)))
}

function answered(call: Json, answer: Answerer): RpcJson {
  const id = isObject(call) ? idOf(call) : null
  if (!isObject(call) || typeof call['method'] !== 'string') {
    return failure(id, new RpcError(INVALID_REQUEST, 'Invalid request'))
  }
  try {
    return { jsonrpc: '2.0', id, result: answer(call['method'], paramsOf(call)) }
  } catch (error) {
    return failure(id, error)
  }
}

function idOf(call: JsonObject): string | number | null {
  const id = call['id']
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function paramsOf(call: JsonObject): readonly Json[] {
  const params = call['params'] ?? []
  if (Array.isArray(params)) return params as readonly Json[]
  throw new RpcError(INVALID_REQUEST, 'Invalid request: params must be a list')
}

function failure(id: string | number | null, error: unknown): RpcJson {
  const known = error instanceof RpcError ? error : new RpcError(INTERNAL, `Internal error: ${String(error)}`)
  const more = known.more === undefined ? {} : { data: known.more }
  return { jsonrpc: '2.0', id, error: { code: known.code, message: known.message, ...more } }
}
