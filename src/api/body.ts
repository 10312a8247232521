import type { IncomingMessage } from 'node:http'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Json } from '../base/json.js'
import { readJson } from '../base/strict-json.js'

/**
 * Request bodies: one media type, one strict reader. Whether a body is checked never hangs on how its media type is
 * written: what isn't exactly JSON is refused before it is read, and every body goes through the route's schema.
 */

/** Bytes of a request body: the largest task envelope (protocols/socket-api.md, "Requests"). */
export const BODY_BYTES = 262_144
/** Nesting of a request body: a proposal's group sits at 3, the rest is room for task envelopes. */
const BODY_DEPTH = 8

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset=("utf-8"|utf-8)[ \t]*)?$/i

/** Refuses with `unsupported_media_type` unless the body, if any, is announced as plain JSON in UTF-8. */
export function checkMedia(request: IncomingMessage): Result<void> {
  const { headers } = request
  const types = request.headersDistinct['content-type']
  if (headers['content-encoding'] !== undefined) return unsupported('a body must not be compressed')
  if (types === undefined) {
    const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
    return empty ? ok() : unsupported('a body needs the header content-type: application/json')
  }
  const [type] = types
  if (types.length !== 1 || type === undefined || !JSON_TYPE.test(type)) {
    return unsupported('only content-type: application/json is taken, with charset=utf-8 or none')
  }
  return ok()
}

/** Reads a body strictly; no bytes at all count as `{}`. */
export function readBody(bytes: Uint8Array | undefined): Result<Json> {
  if (bytes === undefined || bytes.length === 0) return ok({})
  return readJson(bytes, { maxBytes: BODY_BYTES, maxDepth: BODY_DEPTH })
}

function unsupported(message: string): Result<never> {
  return fail(refusal('unsupported_media_type', message))
}
