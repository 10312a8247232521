import type { TaskUid } from '../base/ids.js'
import { DAY, type Instant } from '../base/time.js'
import { type Spend, countingSpends } from '../policy/spend.js'
import { LANDING_TIME, REVIEW_TIME, deadlineOf } from '../tasks/job/detail.js'
import { isJobEntry } from '../tasks/job/steps.js'
import type { TaskEntry } from '../tasks/log.js'
import { dueKey, taskKey } from './keys.js'
import type { Tx } from './ports.js'
import type { AttemptRecord, JobRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import { type TaskBook, sideOf } from './task-book.js'

/** What this node knows of its jobs beside their messages: payments it made, money it saw, and what is still to be watched. */
export interface JobBook {
  find(tx: Pick<Tx, 'get'>, task: Pick<TaskRecord, 'agent' | 'uid'>): JobRecord
  save(tx: Tx, record: JobRecord): void
  /** Stages one attempt of ours in the place of what it was. */
  saveAttempt(tx: Tx, record: JobRecord, attempt: AttemptRecord): JobRecord
  /** Stages what follows from a step of a job, ours or the peer's, that was just added to the log. */
  noted(tx: Tx, task: TaskRecord, entry: TaskEntry, now: Instant): void
  /** Stages that the chain is asked about this job no more. */
  rest(tx: Tx, task: Pick<TaskRecord, 'agent' | 'uid'>): void
  spends(tx: Pick<Tx, 'get'>): readonly Spend[]
  /** Stages that a payment counts against the limits. */
  spend(tx: Tx, spend: Spend): void
  /** Stages that it has left the wallet; one that counted no more counts again. */
  spent(tx: Tx, spend: Required<Spend>): void
  /** Stages that it counts no more: it is proved that it was never made. */
  unspend(tx: Tx, taskUid: TaskUid, attempt: number): void
}

/** There is one wallet, so there is one list. */
const WALLET = 'wallet'
/** Nobody is reminded of what lies further ahead: keys of times have an end. */
const MOST_WAIT = 3650 * DAY

export function createJobBook(components: { readonly book: TaskBook; readonly slot: () => number }): JobBook {
  const { book, slot } = components

  const find: JobBook['find'] = (tx, { agent, uid }) =>
    tx.get('jobs', taskKey(agent, uid)) ?? { agent, uid, attempts: [], findings: [] }

  const save: JobBook['save'] = (tx, record) => tx.put('jobs', taskKey(record.agent, record.uid), record)

  function watch(tx: Tx, { agent, uid }: TaskRecord): void {
    tx.put('jobWork', taskKey(agent, uid), { agent, uid })
  }

  /** When somebody's silence is worth a word. */
  function remind(tx: Tx, task: TaskRecord, when: Instant, now: Instant): void {
    const at = Math.min(Math.max(when, now), now + MOST_WAIT)
    const due = { at, kind: 'job', key: taskKey(task.agent, task.uid) } as const
    tx.put('due', dueKey(due.at, due.kind, due.key), due)
  }

  function noted(tx: Tx, task: TaskRecord, entry: TaskEntry, now: Instant): void {
    if (!isJobEntry(entry)) return
    const reported = book.report(tx, task, now)
    if (reported.reduced.effects.get(entry.id) !== 'applied') return
    switch (entry.kind) {
      case 'job.pay': {
        watch(tx, task)
        const record = find(tx, task)
        if (sideOf(task) === 'invitee' && record.issuedSlot === undefined) save(tx, { ...record, issuedSlot: slot() })
        return remind(tx, task, now + LANDING_TIME, now)
      }
      case 'job.unpaid': {
        // The agreement stands again, and its time may have run out meanwhile.
        const due = { at: Math.max(now, task.expiresAt), kind: 'task', key: taskKey(task.agent, task.uid) } as const
        return tx.put('due', dueKey(due.at, due.kind, due.key), due)
      }
      case 'job.paid':
        return remind(tx, task, deadlineOf(reported), now)
      case 'job.deliver':
        return remind(tx, task, now + REVIEW_TIME, now)
      case 'job.complete':
        return undefined
    }
  }

  return {
    find,
    save,
    noted,
    saveAttempt(tx, record, attempt) {
      const others = record.attempts.filter((one) => one.attempt !== attempt.attempt)
      const next = { ...record, attempts: [...others, attempt].sort((a, b) => a.attempt - b.attempt) }
      save(tx, next)
      return next
    },
    rest: (tx, { agent, uid }) => tx.del('jobWork', taskKey(agent, uid)),
    spends: (tx) => tx.get('spending', WALLET) ?? [],
    spend(tx, spend) {
      const counting = countingSpends(tx.get('spending', WALLET) ?? [], spend.at)
      tx.put('spending', WALLET, [...counting, spend])
    },
    spent(tx, spend) {
      const all = tx.get('spending', WALLET) ?? []
      const before = all.find((one) => isOf(spend, one)) ?? spend
      tx.put('spending', WALLET, [...all.filter((one) => !isOf(spend, one)), { ...before, landedAt: spend.landedAt }])
    },
    unspend(tx, taskUid, attempt) {
      const all = tx.get('spending', WALLET) ?? []
      const left = all.filter((one) => !isOf({ taskUid, attempt }, one))
      if (left.length !== all.length) tx.put('spending', WALLET, left)
    }
  }
}

function isOf(wanted: Pick<Spend, 'taskUid' | 'attempt'>, one: Spend): boolean {
  return one.taskUid === wanted.taskUid && one.attempt === wanted.attempt
}
