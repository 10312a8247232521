import type { Instant } from '../base/time.js'
import { type JobDetail, jobDetail } from '../tasks/job/detail.js'
import { putInInbox } from './inbox.js'
import type { JobBook } from './job-book.js'
import type { Log } from './ports.js'
import type { StepTx } from './steps.js'
import type { TaskBook } from './task-book.js'

/** What silence means: said to the agent when a job waits longer than it should (protocols/jobs.md, "Silence"). */

const LATE: ReadonlySet<JobDetail> = new Set<JobDetail>([
  'not_landed',
  'landed',
  'delivery_overdue',
  'completion_overdue'
])

/** Stages the word about the job under this key of `tasks`, if it is late now. */
export function createJobReminders(components: {
  readonly book: TaskBook
  readonly jobs: JobBook
  readonly log: Log
}): (tx: StepTx, key: string, now: Instant) => void {
  const { book, jobs, log } = components
  return (tx, key, now) => {
    const task = tx.get('tasks', key)
    if (task === undefined) return
    const record = jobs.find(tx, task)
    const landed = record.attempts.some(({ state }) => state === 'landed') ? 'landed' : 'unseen'
    // What was due at `now` is late only after it.
    const detail = jobDetail(book.report(tx, task, now), landed, now + 1)
    if (detail === undefined || !LATE.has(detail) || record.told === detail) return
    jobs.save(tx, { ...record, told: detail })
    log.warn('a job waits', { task: task.uid, detail })
    putInInbox(tx, {
      agent: task.agent,
      kind: 'job.overdue',
      from: task.peer,
      taskUid: task.uid,
      at: now,
      content: { detail }
    })
  }
}
