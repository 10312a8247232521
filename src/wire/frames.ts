/** Frames of the message stream, without their length prefix. Source: protocols/streams.md, "Frames". */
import { concat } from '../base/bytes.js'
import { canonicalBytes } from '../base/canonical.js'
import type { AgentId } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { badRequest, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Shape, checkAs, exactly, integer, object, oneOf, optional, refine } from '../base/shape.js'
import { readCanonicalJson } from '../base/strict-json.js'
import { type Head, agentId, base64url, head } from './forms.js'
import { LIMITS } from './limits.js'

/** The first frame each way: who speaks, to whom, and how far both chains go. */
export interface Hello {
  readonly v: 1
  /** The speaker's card, base64url of its signed bytes. */
  readonly card: string
  /** The agent that is spoken to. */
  readonly to: AgentId
  /** `mine`: the speaker's own chain towards the other. `yours`: the other's chain as the speaker has stored it. */
  readonly have: { readonly mine: Head; readonly yours: Head }
}

/** Asks for the messages of a chain, from a number on. `mine` is the chain of whoever asks. */
interface Want {
  readonly chain: 'mine' | 'yours'
  readonly from: number
}

/** Why nothing goes on. `afterMs` (milliseconds) comes with `retry` alone. */
interface Refuse {
  readonly code: 'not_contact' | 'retry' | 'bad_hello'
  readonly afterMs?: number
}

export type Frame =
  | { readonly type: 'hello'; readonly hello: Hello }
  | ({ readonly type: 'want' } & Want)
  | { readonly type: 'message'; readonly bytes: Uint8Array }
  | { readonly type: 'receipt'; readonly bytes: Uint8Array }
  | ({ readonly type: 'refuse' } & Refuse)

const TYPE = { hello: 1, want: 2, message: 3, receipt: 4, refuse: 5 } as const

const helloShape: Shape<Hello> = object({
  v: exactly(1),
  card: base64url(LIMITS.cardBytes),
  to: agentId,
  have: object({ mine: head, yours: head })
})

const wantShape: Shape<Want> = object({ chain: oneOf(['mine', 'yours']), from: integer({ min: 1 }) })

const refuseShape: Shape<Refuse> = refine(
  object({
    code: oneOf(['not_contact', 'retry', 'bad_hello']),
    afterMs: optional(integer({ min: 0, max: LIMITS.retryAfterMs }))
  }),
  ({ code, afterMs }) => afterMs === undefined || code === 'retry',
  'has afterMs with retry alone'
)

/** Writes a frame: its type byte and the rest. Throws when its parts are malformed. */
export function encodeFrame(frame: Frame): Uint8Array {
  switch (frame.type) {
    case 'message':
    case 'receipt':
      return concat(Uint8Array.of(TYPE[frame.type]), frame.bytes)
    case 'hello':
      return encodeJson('hello', helloShape, frame.hello)
    case 'want':
      return encodeJson('want', wantShape, { chain: frame.chain, from: frame.from })
    case 'refuse': {
      const { code, afterMs } = frame
      return encodeJson('refuse', refuseShape, afterMs === undefined ? { code } : { code, afterMs })
    }
  }
}

/**
 * Reads a frame. The bytes of a message or receipt are a view of `bytes` and still unopened. Refuses with
 * `malformed_message`, `too_large`, and the codes of strict JSON.
 */
export function decodeFrame(bytes: Uint8Array): Result<Frame> {
  const rest = bytes.subarray(1)
  switch (bytes[0]) {
    case TYPE.message:
      return sized(rest, LIMITS.envelopeMessageBytes) ?? ok({ type: 'message', bytes: rest })
    case TYPE.receipt:
      return sized(rest, LIMITS.receiptBytes) ?? ok({ type: 'receipt', bytes: rest })
    case TYPE.hello: {
      const hello = decodeJson(helloShape, rest, LIMITS.helloBytes)
      return hello.ok ? ok({ type: 'hello', hello: hello.value }) : hello
    }
    case TYPE.want: {
      const want = decodeJson(wantShape, rest, LIMITS.controlBytes)
      return want.ok ? ok({ type: 'want', ...want.value }) : want
    }
    case TYPE.refuse: {
      const refuse = decodeJson(refuseShape, rest, LIMITS.controlBytes)
      return refuse.ok ? ok({ type: 'refuse', ...refuse.value }) : refuse
    }
    default:
      return fail(badRequest('malformed_message', 'no frame of a known type'))
  }
}

function sized(rest: Uint8Array, max: number): ReturnType<typeof fail> | undefined {
  if (rest.length === 0) return fail(badRequest('malformed_message', 'an empty frame'))
  return rest.length > max ? fail(refusal('too_large', `the frame has at most ${max} bytes`)) : undefined
}

function encodeJson<T>(type: keyof typeof TYPE, shape: Shape<T>, value: T): Uint8Array {
  const checked = checkAs('malformed_message', shape, value as Json)
  if (!checked.ok) throw new Error(`a ${type} frame that no one would take: ${checked.refusal.message}`)
  return concat(Uint8Array.of(TYPE[type]), canonicalBytes(value as Json))
}

function decodeJson<T>(shape: Shape<T>, bytes: Uint8Array, maxBytes: number): Result<T> {
  const json = readCanonicalJson(bytes, { maxBytes, maxDepth: LIMITS.jsonDepth })
  return json.ok ? checkAs('malformed_message', shape, json.value) : json
}
