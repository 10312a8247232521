/** The messages of a transcript, opened, and each put in its place in the task. Source: protocols/transcripts.md, "Verification". */
import { fromBase64url } from '../../base/bytes.js'
import type { AgentId } from '../../base/ids.js'
import { badRequest } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import type { VerifiedMessage } from '../../wire/message.js'
import { open } from '../../wire/open.js'
import { type LogEntry, type LogOf, type Side, checkPlace, otherSide } from '../log.js'
import { faultAt } from './read.js'
import type { Transcript } from './transcript.js'

/** The messages of both sides, in the order of `n`. */
export interface Opened {
  readonly inviter: readonly VerifiedMessage[]
  readonly invitee: readonly VerifiedMessage[]
}

export interface Placed<E> {
  readonly log: LogOf<E>
  /** In an order in which both sides can have stored them. */
  readonly messages: ReadonlyArray<{ readonly side: Side; readonly entry: E }>
}

/** Opens each message as its side's to the other, about this task. Refuses as `wire/open.ts` does. */
export function openBoth(transcript: Transcript): Result<Opened> {
  const inviter = openSide(transcript, 'inviter')
  if (!inviter.ok) return inviter
  const invitee = openSide(transcript, 'invitee')
  return invitee.ok ? ok({ inviter: inviter.value, invitee: invitee.value }) : invitee
}

/** Places all messages, each as soon as what it counts as seen stands in the log. */
export function placeAll<E extends LogEntry>(
  transcript: Transcript,
  opened: Opened,
  entryOf: (message: VerifiedMessage) => E
): Result<Placed<E>> {
  const waiting = {
    inviter: opened.inviter.map((one) => entryOf(one)),
    invitee: opened.invitee.map((one) => entryOf(one))
  }
  let log: LogOf<E> = { inviter: [], invitee: [] }
  const messages: Array<{ side: Side; entry: E }> = []
  for (;;) {
    const side = SIDES.find((each) => isNext(waiting, log, each))
    if (side === undefined) break
    const entry = waiting[side][log[side].length] as E
    const place = checkPlace(log, side, entry)
    if (!place.ok) return faultAt(transcript, [side, 'messages', log[side].length], place.refusal)
    log = { ...log, [side]: [...log[side], entry] }
    messages.push({ side, entry })
  }
  const left = SIDES.find((side) => log[side].length < waiting[side].length)
  if (left === undefined && log.inviter.length > 0) return ok({ log, messages })
  const side = left ?? 'inviter'
  const why =
    left === undefined ? 'the message that opens the task is missing' : 'counts messages that are not in the file'
  return faultAt(transcript, [side, 'messages', log[side].length], badRequest('malformed_transcript', why))
}

const SIDES = ['inviter', 'invitee'] as const

function isNext(waiting: LogOf<LogEntry>, log: LogOf<LogEntry>, side: Side): boolean {
  const entry = waiting[side][log[side].length]
  return entry !== undefined && entry.seen <= log[otherSide(side)].length
}

function openSide(transcript: Transcript, side: Side): Result<VerifiedMessage[]> {
  const pair = { from: transcript[side].agent, to: transcript[otherSide(side)].agent }
  const opened: VerifiedMessage[] = []
  for (const [index, text] of transcript[side].messages.entries()) {
    const message = openMessage(text, pair, transcript.task)
    if (!message.ok) return faultAt(transcript, [side, 'messages', index], message.refusal)
    opened.push(message.value)
  }
  return ok(opened)
}

function openMessage(text: string, pair: { from: AgentId; to: AgentId }, task: string): Result<VerifiedMessage> {
  const message = open(fromBase64url(text) as Uint8Array, pair)
  if (!message.ok || message.value.header.task?.uid === task) return message
  return fail(badRequest('malformed_transcript', 'belongs to another task'))
}
