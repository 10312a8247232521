import type { RpcJson } from './rpc-json.js'

/** A "no" in the words of JSON-RPC, thrown by methods and answered by the door. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly more?: RpcJson
  ) {
    super(message)
  }
}

export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
/** The preflight of sendTransaction failed. */
export const SEND_FAILED = -32002
/** Transaction version above `maxSupportedTransactionVersion`. */
export const VERSION_UNSUPPORTED = -32015
/** The node is not as far as `minContextSlot`. */
export const NOT_SO_FAR = -32016
