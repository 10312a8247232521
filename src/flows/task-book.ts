import type { AgentId, ApprovalId, TaskUid } from '../base/ids.js'
import { type Result, fail } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { Writable } from '../base/writable.js'
import { covered, extend } from '../tasks/fold.js'
import { type Side, type TaskEntry, type TaskLog, coverOf, entryOf, otherSide } from '../tasks/log.js'
import { isNegotiable } from '../tasks/negotiation.js'
import { type Report, type ReportInput, report } from '../tasks/report.js'
import { type TaskDraft, wouldApply } from '../tasks/rules.js'
import type { TaskPlace, VerifiedMessage } from '../wire/message.js'
import type { Receipt } from '../wire/receipt.js'
import { chainOf, receivedMessage, restoring, sentMessage } from './chain.js'
import { changeDesk } from './inbox.js'
import { dueKey, taskKey, taskOrderKey } from './keys.js'
import type { Tx } from './ports.js'
import { countTask } from './quotas.js'
import { Readings } from './readings.js'
import type { OwnerWait, TaskRecord } from './records/tasks.js'

/**
 * Tasks as this node holds them: records that point into the two chains, and the logs that are read from them. A task's
 * state is always the fold of its log; nothing here sets a status.
 */
export interface TaskBook {
  find(tx: Pick<Tx, 'get'>, agent: AgentId, uid: TaskUid): TaskRecord | undefined
  log(tx: Pick<Tx, 'get'>, record: TaskRecord): TaskLog
  /** The place of our next message in the task's log. */
  nextPlace(tx: Pick<Tx, 'get'>, record: TaskRecord): TaskPlace
  /** The reported status; see `latch` for what must be stored before it may be told. */
  report(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): Report
  /** Whether a message of ours, sealed now, would have effect. Refuses as `tasks/rules.ts` does. */
  wouldApply(tx: Pick<Tx, 'get'>, record: TaskRecord, draft: TaskDraft, now: Instant): Result<void>
  /** Stages a new task with its first entry. */
  open(tx: Tx, record: TaskRecord, first: VerifiedMessage, now: Instant): TaskRecord
  /** Stages that the task is held no more; it stays hidden. */
  unhold(tx: Tx, record: TaskRecord, now: Instant): TaskRecord
  /** Stages that the task exists for the agent from now on. */
  reveal(tx: Tx, record: TaskRecord, now: Instant): TaskRecord
  /** Stages one more entry of our chain, or of the peer's. */
  add(tx: Tx, record: TaskRecord, whose: 'mine' | 'theirs', message: VerifiedMessage, now: Instant): TaskRecord
  /** Stages that an action on the task waits for the owner, until then at the latest. */
  awaitOwner(tx: Tx, record: TaskRecord, wait: OwnerWait): void
  /** Stages that it waits no longer because of this approval. */
  releaseOwner(tx: Tx, record: TaskRecord, approvalId: ApprovalId): void
  /** Stages what a receipt says of the own entries that it is the first to cover. */
  cover(tx: Tx, record: TaskRecord, receipt: Pick<Receipt, 'upTo' | 'head'>): void
  /** Whether `latch` would stage something. */
  mustLatch(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): boolean
  /** Stages that the task was seen expired, if it is: a clock that jumps back does not revive what was reported. */
  latch(tx: Tx, record: TaskRecord, now: Instant): TaskRecord
}

/** What was read of a record: its log, and the newest report of it. */
interface Known {
  readonly log: TaskLog
  said: { readonly now: Instant; readonly inSeq: number; readonly report: Report } | undefined
}

/** Which side of the log is ours. */
export function sideOf(record: TaskRecord): Side {
  return record.role
}

export function createTaskBook(): TaskBook {
  const known = new Readings<TaskRecord, Known>()

  function ours(tx: Pick<Tx, 'get'>, record: TaskRecord): TaskEntry[] {
    return record.mine.map((seq, at) => entryOf(sentMessage(tx, record, seq), record.covers[at]))
  }

  function peers(tx: Pick<Tx, 'get'>, record: TaskRecord): TaskEntry[] {
    return record.theirs.map((seq) => entryOf(receivedMessage(tx, record, seq)))
  }

  function read(tx: Pick<Tx, 'get'>, record: TaskRecord): Known {
    const found = known.of(record)
    if (found !== undefined) return found
    const mine = ours(tx, record)
    const theirs = peers(tx, record)
    return keep(
      record,
      record.role === 'inviter' ? { inviter: mine, invitee: theirs } : { inviter: theirs, invitee: mine }
    )
  }

  function keep(record: TaskRecord, log: TaskLog): Known {
    return known.keep(record, { log, said: undefined })
  }

  function log(tx: Pick<Tx, 'get'>, record: TaskRecord): TaskLog {
    return read(tx, record).log
  }

  /** One step asks for the same report several times: would it apply, what to show, whose turn. */
  function reportOf(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): Report {
    const inSeq = chainOf(tx, record).in.seq
    const found = read(tx, record)
    const { said } = found
    if (said !== undefined && said.now === now && said.inSeq === inSeq) return said.report
    const made = report(reportInput(tx, record, now))
    found.said = { now, inSeq, report: made }
    return made
  }

  function reportInput(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): ReportInput {
    return {
      log: log(tx, record),
      self: sideOf(record),
      now,
      inSeq: chainOf(tx, record).in.seq,
      expired: record.expiredAt !== undefined,
      awaitingApproval: record.awaiting?.some(({ until }) => now < until) ?? false
    }
  }

  /** Stages the record with the badge that follows from its state. */
  function save(tx: Tx, draft: TaskRecord, now: Instant): TaskRecord {
    const before = tx.get('tasks', taskKey(draft.agent, draft.uid))
    const waiting = draft.hidden !== true && isWaiting(reportOf(tx, draft, now), sideOf(draft))
    const record = marked(draft, waiting, isOpen(draft, reportOf(tx, draft, now)))
    const change = Number(waiting) - Number(before?.waiting ?? false)
    if (change !== 0) changeDesk(tx, draft.agent, (desk) => ({ tasksWaiting: desk.tasksWaiting + change }))
    const opened = Number(record.open ?? false) - Number(before?.open ?? false)
    if (opened !== 0) countTask(tx, record, opened)
    tx.put('tasks', taskKey(draft.agent, draft.uid), record)
    return record
  }

  /** The record with what is counted of it. */
  function marked(draft: TaskRecord, waiting: boolean, open: boolean): TaskRecord {
    if (draft.waiting === waiting && (draft.open ?? false) === open) return draft
    const record: Writable<TaskRecord> = { ...draft }
    record.waiting = waiting
    if (open) record.open = open
    else delete record.open
    return move(draft, record)
  }

  /** Hands the log of a record on to a record that only differs in other members. */
  function move(from: TaskRecord, to: TaskRecord): TaskRecord {
    const found = known.of(from)
    if (found === undefined) return to
    known.keep(to, { log: found.log, said: from.expiredAt === to.expiredAt ? found.said : undefined })
    return to
  }

  function add(
    tx: Tx,
    record: TaskRecord,
    whose: 'mine' | 'theirs',
    message: VerifiedMessage,
    now: Instant
  ): TaskRecord {
    const { seq } = message.header
    const next: Writable<TaskRecord> = { ...record }
    next[whose] = [...record[whose], seq]
    const side = whose === 'mine' ? sideOf(record) : otherSide(sideOf(record))
    keep(next, extend(log(tx, record), side, entryOf(message)))
    return save(tx, next, now)
  }

  function setAwaiting(tx: Tx, record: TaskRecord, awaiting: readonly OwnerWait[]): void {
    // Its log is read anew when it is next asked for: questions are rare.
    tx.put('tasks', taskKey(record.agent, record.uid), { ...record, awaiting })
  }

  function mustLatch(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): boolean {
    return record.expiredAt === undefined && reportOf(tx, record, now).status === 'expired'
  }

  function nextPlace(tx: Pick<Tx, 'get'>, record: TaskRecord): TaskPlace {
    const last = log(tx, record)[otherSide(sideOf(record))].at(-1)
    return { uid: record.uid, n: record.mine.length + 1, seen: record.theirs.length, seenId: last?.id ?? '' }
  }

  return {
    nextPlace,
    find: (tx, agent, uid) => tx.get('tasks', taskKey(agent, uid)),
    log,
    report: reportOf,
    add,
    unhold(tx, record, now) {
      const { held: _, ...rest } = record
      return save(tx, move(record, rest), now)
    },
    reveal(tx, record, now) {
      const { hidden: _, ...rest } = record
      return save(tx, move(record, rest), now)
    },
    open(tx, record, first, now) {
      tx.put('taskOrder', taskOrderKey(record.agent, record.createdAt, record.uid), record.uid)
      const due = { at: record.expiresAt, kind: 'task', key: taskKey(record.agent, record.uid) } as const
      tx.put('due', dueKey(due.at, due.kind, due.key), due)
      return add(tx, record, first.header.from === record.agent ? 'mine' : 'theirs', first, now)
    },
    cover(tx, record, receipt) {
      const first = record.covers.length
      const last = record.mine.filter((seq) => seq <= receipt.upTo.seq).length
      if (first >= last) return
      const floor = coverOf(receipt.head, chainOf(tx, record).in.seq)
      const next: Writable<TaskRecord> = { ...record }
      next.covers = [...record.covers, ...Array<number>(last - first).fill(floor)]
      keep(next, covered(log(tx, record), sideOf(record), first, last, floor))
      // A receipt settles what we wrote; whose turn it is stays as it was.
      tx.put('tasks', taskKey(record.agent, record.uid), next)
    },
    wouldApply(tx, record, draft, now) {
      const input = reportInput(tx, record, now)
      // Our own messages count some of the peer's that are not here: they were lost with a restored backup.
      const counted = input.log[input.self].at(-1)?.seen ?? 0
      if (counted > input.log[otherSide(input.self)].length) return fail(restoring())
      return wouldApply(input, draft, reportOf(tx, record, now))
    },
    awaitOwner(tx, record, wait) {
      const others = record.awaiting?.filter(({ approvalId }) => approvalId !== wait.approvalId) ?? []
      setAwaiting(tx, record, [...others, wait])
    },
    releaseOwner(tx, record, approvalId) {
      const left = record.awaiting?.filter((wait) => wait.approvalId !== approvalId) ?? []
      if (left.length !== (record.awaiting?.length ?? 0)) setAwaiting(tx, record, left)
    },
    mustLatch,
    latch(tx, record, now) {
      if (!mustLatch(tx, record, now)) return record
      return save(tx, move(record, { ...record, expiredAt: now }), now)
    }
  }
}

/** Nothing is agreed, and it has not ended; an invite that this node refused never began. */
function isOpen({ hidden, held }: TaskRecord, { status, cancelRequested }: Report): boolean {
  const isThere = hidden !== true || held === true
  return isThere && !cancelRequested && isNegotiable(status)
}

/** Our agent's turn: a plan of the peer waits for its answer. */
function isWaiting(state: Report, self: Side): boolean {
  if (state.cancelRequested) return false
  if (state.reduced.job !== undefined && !isNegotiable(state.status)) return turnInJob(state.status) === self
  if (!isNegotiable(state.status)) return false
  return state.proposals.some((proposal) => proposal.status === 'pending' && proposal.side !== self)
}

/** Who does the next step of a job whose plan was agreed. */
function turnInJob(status: Report['status']): Side | undefined {
  if (status === 'agreed' || status === 'delivered') return 'inviter'
  return status === 'paid' ? 'invitee' : undefined
}
