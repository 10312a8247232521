/** A message and how its payload is read. Source: protocols/wire.md, "Message" and "What authenticates is stored". */
import type { AgentId, MessageId, TaskUid } from '../base/ids.js'
import { type Json, isObject } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Infer, type Shape, anything, checkAs, integer, object, optional, refine, text } from '../base/shape.js'
import { readCanonicalJson } from '../base/strict-json.js'
import { agentId, instant, messageIdOrNone, taskUid } from './forms.js'
import { type BodyOf, KINDS, type Kind, isKind } from './kinds.js'
import { LIMITS } from './limits.js'

export const MESSAGE_DOMAIN = 'agentlink/message/1'
export const MESSAGE_TYPE = '/agentlink/message'
export const MESSAGE_VERSION = 1

/** Place in a task: the sender's own count, and what it held of the other side (protocols/tasks.md, "The log"). */
export interface TaskPlace {
  readonly uid: TaskUid
  /** 1, 2, 3 … per sender in this task. */
  readonly n: number
  /** How many of the other side's messages in this task the sender held. */
  readonly seen: number
  /** Id of the last of them; empty when `seen` is 0. */
  readonly seenId: MessageId | ''
}

export interface Header {
  /** 1 for all that this version writes; another is opaque. */
  readonly v: number
  readonly kind: string
  readonly from: AgentId
  readonly to: AgentId
  /** 1, 2, 3 … per (from, to), for ever. */
  readonly seq: number
  /** Id of the message before it in this chain; empty for the first. */
  readonly prev: MessageId | ''
  /** The sender's time, informative. */
  readonly at: string
  readonly task?: TaskPlace
}

/** What a message says, by kind. */
export type Content = { [K in Kind]: { readonly kind: K; readonly body: BodyOf<K> } }[Kind]

/** What `seal` takes: everything but the version. */
export type Draft = Omit<Header, 'v' | 'kind'> & Content

declare const verified: unique symbol

/** A message that authenticates. Only `open`, `reopen` and `seal` make one; it is frozen. */
export interface VerifiedMessage {
  readonly [verified]: true
  /** The signed message: the envelope as it was sent, stored and exported. */
  readonly bytes: Uint8Array
  /** SHA-256 of the payload, never of the signature. */
  readonly id: MessageId
  readonly header: Header
  /** Undefined = opaque: stored and counted, without effect. */
  readonly content: Content | undefined
}

const KIND = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/

const place: Shape<TaskPlace> = refine(
  object({ uid: taskUid, n: integer({ min: 1 }), seen: integer({ min: 0 }), seenId: messageIdOrNone }),
  ({ seen, seenId }) => (seen === 0) === (seenId === ''),
  'has a seenId exactly when seen is above 0'
)

const payloadShape = refine(
  object({
    v: integer({ min: 1 }),
    kind: text((value) => value.length <= LIMITS.kindLength && KIND.test(value), 'a kind such as task.invite'),
    from: agentId,
    to: agentId,
    seq: integer({ min: 1 }),
    prev: messageIdOrNone,
    at: instant,
    task: optional(place),
    body: anything
  }),
  ({ seq, prev }) => (seq === 1) === (prev === ''),
  'has a prev exactly when seq is above 1'
)
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['v', 'kind', 'from', 'to', 'seq', 'prev', 'at', 'task', 'body'])

/**
 * Reads a payload. Refuses, when the header can't be read, with `malformed_message`, or what `readCanonicalJson` refuses
 * with. When only version, kind or body can't be read, the content is undefined: such a message is opaque.
 */
export function readPayload(payload: Uint8Array): Result<{ header: Header; content: Content | undefined }> {
  const json = readCanonicalJson(payload, { maxBytes: LIMITS.envelopeMessageBytes, maxDepth: LIMITS.messageDepth })
  return json.ok ? readMembers(json.value) : json
}

/** The same from the value that the payload is the canonical form of. */
export function readMembers(value: Json): Result<{ header: Header; content: Content | undefined }> {
  const read = checkAs('malformed_message', payloadShape, knownMembers(value))
  if (!read.ok) return read
  const header = headerOf(read.value)
  return ok({ header, content: readContent(header, read.value.body) })
}

function headerOf({ v, kind, from, to, seq, prev, at, task }: Infer<typeof payloadShape>): Header {
  return task === undefined ? { v, kind, from, to, seq, prev, at } : { v, kind, from, to, seq, prev, at, task }
}

/** A later version may add members beside those of the header, whose meaning never changes; version 1 may not. */
function knownMembers(value: Json): Json {
  if (!isObject(value)) return value
  const { v } = value
  if (!Number.isSafeInteger(v) || (v as number) <= MESSAGE_VERSION) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => HEADER_MEMBERS.has(name)))
}

function readContent(header: Header, body: Json): Content | undefined {
  if (header.v !== MESSAGE_VERSION || !isKind(header.kind)) return undefined
  const row = KINDS[header.kind]
  if (row.task !== (header.task !== undefined) || row.body.fault(body) !== undefined) return undefined
  return { kind: header.kind, body } as Content
}

/** The refusal of a signed message above the limit of its kind. */
export function tooLong(kind: string, max: number): ReturnType<typeof fail> {
  return fail(refusal('too_large', `a ${kind} message has at most ${max} bytes`))
}
