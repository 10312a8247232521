/** From the bytes of a file to a transcript that has its form. Source: protocols/transcripts.md, "The file". */
import { equalBytes } from '../../base/bytes.js'
import { canonicalBytes } from '../../base/canonical.js'
import type { Json } from '../../base/json.js'
import { type Refusal, refusal } from '../../base/refusal.js'
import { type Result, fail } from '../../base/result.js'
import { checkAs } from '../../base/shape.js'
import { readJson } from '../../base/strict-json.js'
import { LIMITS } from '../../wire/limits.js'
import { type Path, offsetOf } from './offset.js'
import { TRANSCRIPT_DEPTH, type Transcript, transcriptShape } from './transcript.js'

const LINE_FEED = 0x0a

/** Refuses with `too_large`, or `malformed_transcript` with the path and the offset of what is wrong. */
export function readTranscript(file: Uint8Array): Result<Transcript> {
  // What a shell redirected ends with a line feed.
  const bytes = file.at(-1) === LINE_FEED ? file.subarray(0, -1) : file
  if (bytes.length > LIMITS.transcriptBytes) {
    return fail(refusal('too_large', `a transcript has at most ${LIMITS.transcriptBytes} bytes`))
  }
  // Everything in it is ASCII, so characters are bytes from here on.
  const odd = bytes.findIndex((byte) => byte < 0x20 || byte > 0x7e)
  if (odd !== -1) return unreadable('a byte that no transcript holds', odd)
  const json = readJson(bytes, { maxBytes: LIMITS.transcriptBytes, maxDepth: TRANSCRIPT_DEPTH })
  if (!json.ok) {
    const { message, details } = json.refusal
    return unreadable(message, typeof details.at === 'number' ? details.at : 0)
  }
  const canonical = canonicalBytes(json.value)
  if (!equalBytes(canonical, bytes)) {
    return unreadable(
      'not in canonical form (RFC 8785)',
      bytes.findIndex((byte, at) => byte !== canonical[at])
    )
  }
  const shaped = checkAs('malformed_transcript', transcriptShape, json.value)
  return shaped.ok ? shaped : fail(pointAt(json.value, pathOf(shaped.refusal.details.field ?? ''), shaped.refusal))
}

function unreadable(message: string, offset: number): ReturnType<typeof fail> {
  return fail(refusal('bad_request', message, { code: 'malformed_transcript', offset: Math.max(0, offset) }))
}

/** `inviter.messages[3]` -> its steps. */
function pathOf(field: string): Path {
  return (field.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

function pointAt(file: Json, path: Path, why: Refusal): Refusal {
  const [first = '', ...rest] = path
  const field = rest.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    `${first}`
  )
  return refusal(why.code, `${field}: ${why.message}`, { ...why.details, field, offset: offsetOf(file, path) })
}

/** A fault of what stands at a path. */
export function faultAt(transcript: Transcript, path: Path, why: Refusal): ReturnType<typeof fail> {
  return fail(pointAt(transcript as unknown as Json, path, why))
}
