import type { MessageId } from '../../src/base/ids.js'
import { isoOf } from '../../src/base/time.js'
import type { TaskContent, TaskEntry } from '../../src/tasks/log.js'
import type { TypeHash } from '../../src/base/ids.js'

/** Entries of task logs for tests: short to write, with ids that sort as the test wants. */

export const EXPIRES = Date.UTC(2026, 10, 14)
export const PLAN = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto' }

/** A message id that begins with `text` in hex order of its characters. */
export function idOf(text: string): MessageId {
  return Buffer.from(text).toString('hex').padEnd(64, '0') as MessageId
}

/** The id of a record of an action. */
export function recordOf(number: number): string {
  return number.toString(16).padStart(32, '0')
}

export type Content = TaskContent | { readonly kind: 'opaque'; readonly body: undefined }

export const say = {
  invite: (expiresAt = EXPIRES): Content => ({
    kind: 'task.invite',
    body: {
      type: { name: 'dinner.coordination', version: 1, hash: 'a'.repeat(64) as TypeHash, definition: {} },
      expiresAt: isoOf(expiresAt),
      proposal: PLAN
    }
  }),
  propose: (): Content => ({ kind: 'task.propose', body: { proposal: PLAN } }),
  accept: (of: string): Content => ({ kind: 'task.respond', body: { proposalId: idOf(of), decision: 'accept' } }),
  reject: (of: string): Content => ({ kind: 'task.respond', body: { proposalId: idOf(of), decision: 'reject' } }),
  confirm: (of: string, record = 1): Content => ({
    kind: 'task.confirm',
    body: { proposalId: idOf(of), action: 'calendar.hold', recordId: recordOf(record), summary: 'held', params: {} }
  }),
  cancel: (): Content => ({ kind: 'task.cancel', body: { reason: 'changed_plans' } }),
  refuse: (of: string, code: Extract<TaskContent, { kind: 'task.refuse' }>['body']['code']): Content => ({
    kind: 'task.refuse',
    body: { of: idOf(of), code }
  }),
  opaque: (): Content => ({ kind: 'opaque', body: undefined })
}

/** A message of a test's log: its words, and where they differ from the plain place. */
export interface LineOf<W> {
  readonly id: string
  readonly say: W
  /** How many of the other side's messages it counts. */
  readonly seen?: number
  /** Position in the sender's whole chain; its place in the task when left out. */
  readonly seq?: number
  readonly coverHead?: number
}
export type Line = LineOf<Content>

/** Both chains of a log, written as lines; `seenId` follows from `seen`. */
export function logOf(
  inviter: readonly Line[],
  invitee: readonly Line[] = []
): { inviter: TaskEntry[]; invitee: TaskEntry[] } {
  return { inviter: chainOf(inviter, invitee), invitee: chainOf(invitee, inviter) }
}

/** The entries of one side. */
export function chainOf<W extends object>(lines: readonly LineOf<W>[], other: readonly LineOf<W>[]): Array<W & Place> {
  return lines.map((line, index) => {
    const seen = line.seen ?? 0
    const last = other[seen - 1]
    return {
      ...line.say,
      id: idOf(line.id),
      seq: line.seq ?? index + 1,
      n: index + 1,
      seen,
      seenId: last === undefined ? '' : idOf(last.id),
      at: '2026-11-01T10:00:00.000Z',
      ...(line.coverHead === undefined ? {} : { coverHead: line.coverHead })
    }
  })
}

type Place = Pick<TaskEntry, 'id' | 'seq' | 'n' | 'seen' | 'seenId' | 'at' | 'coverHead'>
