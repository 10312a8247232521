/**
 * Verification of a transcript by anyone: no node, no network, nothing but the file and a time. Every signature, every
 * place in the task, every receipt, then the state anew. Source: protocols/transcripts.md, "Verification".
 */
import { fromBase64url } from '../../base/bytes.js'
import { canonicalBytes } from '../../base/canonical.js'
import type { AgentId } from '../../base/ids.js'
import type { Json } from '../../base/json.js'
import { type Refusal, badRequest, refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { checkAs } from '../../base/shape.js'
import { readJson } from '../../base/strict-json.js'
import type { Instant } from '../../base/time.js'
import { LIMITS } from '../../wire/limits.js'
import type { VerifiedMessage } from '../../wire/message.js'
import { open } from '../../wire/open.js'
import { type Receipt, openReceipt } from '../../wire/receipt.js'
import { openEnvelope } from '../../wire/signed-envelope.js'
import { agentIdOf } from '../../wire/keys.js'
import { equalBytes } from '../../base/bytes.js'
import { EMPTY_LOG, type Side, type TaskEntry, type TaskLog, checkPlace, entryOf, otherSide } from '../log.js'
import { fold } from '../fold.js'
import type { Reduced } from '../negotiation.js'
import { type Path, offsetOf } from './offset.js'
import { TRANSCRIPT_DEPTH, TRANSCRIPT_PURPOSE, type Transcript, digestToSeal, transcriptShape } from './transcript.js'

/** What a transcript proves. */
export interface VerifiedTranscript {
  readonly transcript: Transcript
  readonly log: TaskLog
  /** In an order in which both sides can have stored them. */
  readonly messages: ReadonlyArray<{ readonly side: Side; readonly entry: TaskEntry }>
  /** The state at the time that was asked for. */
  readonly reduced: Reduced
}

/**
 * Verifies the bytes of a transcript and folds its log at `at`. A refusal names what does not hold: `details.field` is
 * its path in the file, `details.offset` the byte at which it begins. Codes: `too_large`, those of strict JSON,
 * `malformed_transcript`, and those of `wire/open.ts` and `wire/receipt.ts` for a message or a receipt.
 */
export function verifyTranscript(bytes: Uint8Array, at: Instant): Result<VerifiedTranscript> {
  const read = readTranscript(bytes)
  if (!read.ok) return read
  const transcript = read.value
  const placed = placeMessages(transcript)
  if (!placed.ok) return placed
  const covered = checkCovers(transcript, placed.value.log)
  if (!covered.ok) return covered
  const sealed = checkSeal(transcript)
  if (!sealed.ok) return sealed
  const log = withCovers(transcript, placed.value.log)
  return ok({ transcript, log, messages: placed.value.messages, reduced: fold(log, at) })
}

// ---- the file ----

const LINE_FEED = 0x0a

function readTranscript(file: Uint8Array): Result<Transcript> {
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

function at(transcript: Transcript, path: Path, why: Refusal): ReturnType<typeof fail> {
  return fail(pointAt(transcript as unknown as Json, path, why))
}

// ---- messages ----

interface Placed {
  readonly log: TaskLog
  readonly messages: VerifiedTranscript['messages']
}

/** Opens and places all messages, each as soon as what it counts as seen stands in the log. */
function placeMessages(transcript: Transcript): Result<Placed> {
  const opened = openBoth(transcript)
  if (!opened.ok) return opened
  let log = EMPTY_LOG
  const messages: Array<{ side: Side; entry: TaskEntry }> = []
  for (;;) {
    const side = (['inviter', 'invitee'] as const).find((each) => isNext(opened.value, log, each))
    if (side === undefined) break
    const entry = opened.value[side][log[side].length] as TaskEntry
    const place = checkPlace(log, side, entry)
    if (!place.ok) return at(transcript, [side, 'messages', log[side].length], place.refusal)
    log = { ...log, [side]: [...log[side], entry] }
    messages.push({ side, entry })
  }
  const left = (['inviter', 'invitee'] as const).find((side) => log[side].length < opened.value[side].length)
  if (left === undefined && log.inviter.length > 0) return ok({ log, messages })
  const side = left ?? 'inviter'
  const why = left === undefined ? 'the invite is missing' : 'counts messages that are not in the file'
  return at(transcript, [side, 'messages', log[side].length], badRequest('malformed_transcript', why))
}

function isNext(opened: TaskLog, log: TaskLog, side: Side): boolean {
  const entry = opened[side][log[side].length]
  return entry !== undefined && entry.seen <= log[otherSide(side)].length
}

function openBoth(transcript: Transcript): Result<TaskLog> {
  const inviter = openSide(transcript, 'inviter')
  if (!inviter.ok) return inviter
  const invitee = openSide(transcript, 'invitee')
  return invitee.ok ? ok({ inviter: inviter.value, invitee: invitee.value }) : invitee
}

function openSide(transcript: Transcript, side: Side): Result<TaskEntry[]> {
  const pair = { from: transcript[side].agent, to: transcript[otherSide(side)].agent }
  const entries: TaskEntry[] = []
  for (const [index, text] of transcript[side].messages.entries()) {
    const message = openMessage(text, pair, transcript.task)
    if (!message.ok) return at(transcript, [side, 'messages', index], message.refusal)
    entries.push(entryOf(message.value))
  }
  return ok(entries)
}

function openMessage(text: string, pair: { from: AgentId; to: AgentId }, task: string): Result<VerifiedMessage> {
  const message = open(fromBase64url(text) as Uint8Array, pair)
  if (!message.ok || message.value.header.task?.uid === task) return message
  return fail(badRequest('malformed_transcript', 'belongs to another task'))
}

// ---- receipts ----

/** Each message of the exporter's that counts as covered has its receipt, and counts at least as far as that says. */
function checkCovers(transcript: Transcript, log: TaskLog): Result<void> {
  const receipts = openReceipts(transcript)
  if (!receipts.ok) return receipts
  const own = log[transcript.exportedBy]
  if (transcript.covers.length > own.length) {
    return at(transcript, ['covers', own.length], badRequest('malformed_transcript', 'covers no message'))
  }
  for (const [index, entry] of own.entries()) {
    const first = receipts.value.find((receipt) => receipt.upTo.seq >= entry.seq)
    const why = faultOfCover(transcript.covers[index], entry, first)
    if (why === undefined) continue
    const path = index < transcript.covers.length ? ['covers', index] : ['covers']
    return at(transcript, path, badRequest('malformed_transcript', why))
  }
  return ok()
}

function faultOfCover(cover: number | undefined, entry: TaskEntry, first: Receipt | undefined): string | undefined {
  if (first === undefined) return cover === undefined ? undefined : 'no receipt covers this message'
  if (cover === undefined) return 'a receipt covers more than is counted'
  if (cover < first.head) return 'counts less than the receipt says'
  return first.upTo.seq === entry.seq && first.upTo.id !== entry.id ? 'its receipt is for another message' : undefined
}

function openReceipts(transcript: Transcript): Result<Receipt[]> {
  const exporter = transcript.exportedBy
  const pair = { from: transcript[otherSide(exporter)].agent, to: transcript[exporter].agent }
  const receipts: Receipt[] = []
  for (const [index, text] of transcript.receipts.entries()) {
    const receipt = openReceipt(fromBase64url(text) as Uint8Array, pair)
    if (!receipt.ok) return at(transcript, ['receipts', index], receipt.refusal)
    if (receipt.value.upTo.seq <= (receipts.at(-1)?.upTo.seq ?? 0)) {
      return at(
        transcript,
        ['receipts', index],
        badRequest('malformed_transcript', 'covers no more than the one before')
      )
    }
    receipts.push(receipt.value)
  }
  return ok(receipts)
}

function withCovers({ exportedBy, covers }: Transcript, log: TaskLog): TaskLog {
  const own = log[exportedBy].map((entry, index) => {
    const coverHead = covers[index]
    return coverHead === undefined ? entry : { ...entry, coverHead }
  })
  return { ...log, [exportedBy]: own }
}

// ---- the seal ----

function checkSeal(transcript: Transcript): Result<void> {
  const { domain, payloadType } = TRANSCRIPT_PURPOSE
  const opened = openEnvelope(fromBase64url(transcript.seal) as Uint8Array, domain, payloadType)
  if (!opened.ok) return at(transcript, ['seal'], opened.refusal)
  if (agentIdOf(opened.value.publicKey) !== transcript[transcript.exportedBy].agent) {
    return at(transcript, ['seal'], badRequest('wrong_sender', 'signed by another agent than the exporter'))
  }
  if (equalBytes(opened.value.payload, digestToSeal(transcript))) return ok()
  return at(transcript, ['seal'], badRequest('malformed_transcript', 'the file was changed after it was exported'))
}
