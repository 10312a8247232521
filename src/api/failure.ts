import type { Refusal, RefusalCode } from '../base/refusal.js'

/** The one map from refusals to HTTP. Source: protocols/refusal-codes.md, protocols/socket-api.md. */

const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  policy_denied: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  disk_full: 507
} as const satisfies Record<RefusalCode, number>

/** HTTP status of a refusal. */
export function statusOf(refusal: Refusal): number {
  return refusal.details.code === 'method_not_allowed' ? 405 : STATUS[refusal.code]
}

/** The error shape of every answer that is not 2xx. */
export interface FailureBody {
  readonly error: Refusal
}

/** `{"error":{"code","message","details"}}`. */
export function failureBody(refusal: Refusal): FailureBody {
  return { error: { code: refusal.code, message: refusal.message, details: refusal.details } }
}

/** Reads the error shape back; undefined for anything else (a proxy's page, a cut answer). */
export function refusalIn(body: unknown): Refusal | undefined {
  if (!isObject(body) || !isObject(body.error)) return undefined
  const { code, message, details } = body.error
  if (typeof code !== 'string' || !(code in STATUS) || typeof message !== 'string') return undefined
  return { code: code as RefusalCode, message, details: isObject(details) ? details : {} }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
