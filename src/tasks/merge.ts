import type { MessageId } from '../base/ids.js'
import type { LogEntry, LogOf, Side, TaskEntry } from './log.js'

/** The one order of both chains that every holder of a log computes. Source: protocols/tasks.md, "Merge". */

export interface MergedEntry<E> {
  readonly side: Side
  readonly entry: E
}

/** What goes first of two concurrent messages: the lower number. */
type Rank<E> = (entry: E) => number

const ACCEPT = 0
const REJECT = 1
const CONFIRM = 2
const JOB_STEP = 2
/** After the provider's word that the money came, which is the stronger one. */
const UNPAID = 3
const PROPOSE = 3
const CANCEL = 4

/** Merges the log of a negotiation. */
export function merge(log: LogOf<TaskEntry>, leftOut: ReadonlyMap<MessageId, unknown>): MergedEntry<TaskEntry>[] {
  return mergeBy(log, leftOut, rankOf)
}

/**
 * Merges the two chains. Entries in `leftOut` (what was refused), `task.refuse` and opaque entries do not appear in the
 * result, and count as taken from the start.
 */
export function mergeBy<E extends LogEntry>(
  log: LogOf<E>,
  leftOut: ReadonlyMap<MessageId, unknown>,
  rank: Rank<E>
): MergedEntry<E>[] {
  const inviter = kept(log.inviter, leftOut)
  const invitee = kept(log.invitee, leftOut)
  const merged: MergedEntry<E>[] = []
  let i = 0
  let j = 0
  for (;;) {
    const a = inviter[i]
    const b = invitee[j]
    if (a === undefined && b === undefined) return merged
    if (b === undefined || (a !== undefined && goesFirst(a, b, rank))) {
      merged.push({ side: 'inviter', entry: a as E })
      i += 1
    } else {
      merged.push({ side: 'invitee', entry: b })
      j += 1
    }
  }
}

function kept<E extends LogEntry>(chain: readonly E[], leftOut: ReadonlyMap<MessageId, unknown>): E[] {
  return chain.filter(
    (entry) => entry.kind !== 'task.refuse' && entry.kind !== 'opaque' && !(leftOut.size > 0 && leftOut.has(entry.id))
  )
}

/** Both are heads: whatever stands before them in their chains has been taken. */
function goesFirst<E extends LogEntry>(a: E, b: E, rank: Rank<E>): boolean {
  const aWaits = a.seen >= b.n
  const bWaits = b.seen >= a.n
  // Both wait only in a log that no two nodes can have written; taking them as concurrent keeps every holder agreed.
  if (aWaits !== bWaits) return bWaits
  const byRank = rank(a) - rank(b)
  return byRank === 0 ? a.id < b.id : byRank < 0
}

function rankOf(entry: TaskEntry): number {
  switch (entry.kind) {
    case 'task.respond':
      return entry.body.decision === 'accept' ? ACCEPT : REJECT
    case 'task.confirm':
      return CONFIRM
    case 'job.pay':
    case 'job.paid':
    case 'job.deliver':
    case 'job.complete':
      return JOB_STEP
    case 'job.unpaid':
      return UNPAID
    case 'task.cancel':
      return CANCEL
    case 'task.invite':
    case 'task.propose':
    case 'task.refuse':
    case 'opaque':
      return PROPOSE
  }
}
