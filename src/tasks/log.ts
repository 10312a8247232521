import { badRequest } from '../base/refusal.js'
import type { MessageId } from '../base/ids.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, instantOf } from '../base/time.js'
import { LIMITS } from '../wire/limits.js'
import type { Content, VerifiedMessage } from '../wire/message.js'

/** The log of one task: the two chains of entries that everything else in this folder is computed from. */

export type Side = 'inviter' | 'invitee'
export type TaskContent = Extract<Content, { kind: `task.${string}` | `job.${string}` }>
/** The codes that a `task.refuse` may carry. Source: protocols/tasks.md, "Refusal". */
export type RefuseCode = Extract<TaskContent, { kind: 'task.refuse' }>['body']['code']

/** Where a message stands in its chain and in its task. Source: protocols/tasks.md, "The log". */
export interface Place {
  readonly id: MessageId
  /** Position in the sender's chain towards the other agent, from 1. */
  readonly seq: number
  /** Position among the sender's messages in this task, from 1. */
  readonly n: number
  /** How many of the other side's messages in this task the sender held. */
  readonly seen: number
  /** Id of the last of them, '' when there is none. */
  readonly seenId: MessageId | ''
  /** The sender's time, ISO 8601, informative. */
  readonly at: string
  /**
   * How far the receiver's own chain reached when it stored this message, as far as the holder of the log can know:
   * see `coverOf`. A node knows it for its own entries only.
   */
  readonly coverHead?: number
}

/** One message of a task. `opaque` is what we could not read: it keeps its place and has no effect. */
export type TaskEntry = Place & (TaskContent | { readonly kind: 'opaque'; readonly body: undefined })

/** One message of any log; what the kinds mean is for the folds to say. */
export type LogEntry = Place & { readonly kind: string; readonly body: unknown }

/** Both chains of a task, each in the order of `n`. `inviter[0]` opens it. */
export interface LogOf<E> {
  readonly inviter: readonly E[]
  readonly invitee: readonly E[]
}

/** The log of a negotiation: it opens with an invite. */
export type TaskLog = LogOf<TaskEntry>

/** The kinds that open a task. */
const OPENERS: readonly string[] = ['task.invite', 'envelope.submit']

/** What an entry says that could not be read. */
export const OPAQUE = { kind: 'opaque', body: undefined } as const

export const EMPTY_LOG: TaskLog = { inviter: [], invitee: [] }

/** The side across the table. */
export function otherSide(side: Side): Side {
  return side === 'inviter' ? 'invitee' : 'inviter'
}

/** An entry with whatever it says; throws when the message does not belong to a task, for then we are broken. */
export function entryWith<C extends Pick<LogEntry, 'kind' | 'body'>>(
  { id, header }: VerifiedMessage,
  { kind, body }: C,
  coverHead?: number
): Place & C {
  const { seq, at, task } = header
  if (task === undefined) throw new Error(`message ${id} belongs to no task`)
  const { n, seen, seenId } = task
  // In one literal: logs are made of these, and what is spread is put together member by member.
  const entry =
    coverHead === undefined
      ? { id, seq, n, seen, seenId, at, kind, body }
      : { id, seq, n, seen, seenId, at, coverHead, kind, body }
  return entry as Place & C
}

/** The entry of a verified message in a negotiation, to which other kinds say nothing; throws when the message does not belong to a task, for then we are broken. */
export function entryOf(message: VerifiedMessage, coverHead?: number): TaskEntry {
  const content = message.content
  return content !== undefined && isTaskContent(content)
    ? entryWith(message, content, coverHead)
    : entryWith(message, OPAQUE, coverHead)
}

function isTaskContent(content: Content): content is TaskContent {
  return content.kind.startsWith('task.') || content.kind.startsWith('job.')
}

/**
 * What to remember as `coverHead` of the own entries that a receipt covers first. A receipt whose `head` lies below what
 * we already hold must not turn a refusal that we already counted into a late one, so what we hold is the floor.
 * `head`: of the receipt; `inSeq`: last seq of the peer's chain that we hold as the receipt arrives.
 */
export function coverOf(head: number, inSeq: number): number {
  return Math.max(head, inSeq)
}

/** The invite that opens a log. Throws on a log without one: `checkPlace` lets none come about. */
export function inviteOf(log: TaskLog): Extract<TaskEntry, { kind: 'task.invite' }> {
  const first = log.inviter[0]
  if (first?.kind !== 'task.invite') throw new Error('a task log opens with its invite')
  return first
}

/** When the task expires. A time that can't be read counts as long past. */
export function expiryOf(invite: Extract<TaskEntry, { kind: 'task.invite' }>): Instant {
  return instantOf(invite.body.expiresAt) ?? 0
}

/**
 * Whether `entry` may stand next in the chain of `side`: protocols/tasks.md, "Place". A message that has no place is
 * stored like any other, but does not enter the log. Refuses with `malformed_message` (field at fault) or `task_full`.
 */
export function checkPlace(log: LogOf<LogEntry>, side: Side, entry: LogEntry): Result<void> {
  const own = log[side]
  const other = log[otherSide(side)]
  const last = own[own.length - 1]
  if (entry.n !== own.length + 1) return misplaced('task.n', `must be ${own.length + 1}`)
  if (last !== undefined && entry.seq <= last.seq) return misplaced('seq', `must be above ${last.seq}`)
  if (side === 'inviter' && last === undefined && !OPENERS.includes(entry.kind)) {
    return misplaced('kind', `must be ${OPENERS.join(' or ')}: it opens the task`)
  }
  const least = Math.max(last?.seen ?? 0, side === 'invitee' ? 1 : 0)
  if (entry.seen < least) return misplaced('task.seen', `must be at least ${least}`)
  if (entry.seen > other.length) return misplaced('task.seen', `must be at most ${other.length}`)
  const seenId = entry.seen === 0 ? '' : other[entry.seen - 1]?.id
  if (entry.seenId !== seenId) return misplaced('task.seenId', 'must name the last message counted by seen')
  return isFull(own, entry.kind)
    ? fail(badRequest('task_full', 'This side has used up its messages in this task.'))
    : ok()
}

/**
 * Whether a side has used up its messages: `LIMITS.taskMessages` of any kind but `task.refuse`, and as many refusals
 * again, so that neither side can keep the other from refusing.
 */
export function isFull(own: readonly LogEntry[], kind: string): boolean {
  if (own.length < LIMITS.taskMessages) return false
  const refuses = own.filter((entry) => entry.kind === 'task.refuse').length
  return (kind === 'task.refuse' ? refuses : own.length - refuses) >= LIMITS.taskMessages
}

function misplaced(field: string, rule: string): ReturnType<typeof fail> {
  return fail(badRequest('malformed_message', `${field} ${rule}.`, field))
}
