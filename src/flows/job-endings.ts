import type { Instant } from '../base/time.js'
import { onlyPair } from './chain.js'
import { putInInbox } from './inbox.js'
import type { JobBook } from './job-book.js'
import type { Clock } from './ports.js'
import type { AttemptRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'

/** How an attempt at paying a job ended (protocols/jobs.md, "Payment", 7). */
export type Ending = { readonly state: 'landed' } | { readonly state: 'dead'; readonly code: string }

export interface JobEndings {
  /**
   * Stores it, unless the attempt has moved on meanwhile. Of a dead one the provider is told in the same step, and the
   * limits get it back; one that was called dead and landed after all takes it from them again.
   */
  end(task: TaskRecord, attempt: AttemptRecord, ending: Ending): Promise<void>
}

export function createJobEndings(components: {
  readonly steps: Steps
  readonly submit: Submit
  readonly book: TaskBook
  readonly jobs: JobBook
  readonly clock: Clock
}): JobEndings {
  const { steps, submit, book, jobs, clock } = components

  function conclude(tx: StepTx, { agent, uid }: TaskRecord, attempt: AttemptRecord, ending: Ending): void {
    const now = clock.now()
    const task = book.find(tx, agent, uid)
    const known = task === undefined ? undefined : jobs.find(tx, task)
    const stands = known?.attempts.find((one) => one.attempt === attempt.attempt)
    if (task === undefined || known === undefined || stands?.state !== attempt.state) return
    const { status, reduced } = book.report(tx, task, now)
    if (ending.state === 'dead' && status === 'paying' && reduced.job?.attempts.length === attempt.attempt) {
      const content = { kind: 'job.unpaid', body: { attempt: attempt.attempt } } as const
      // What can't be said now is said in the next round: until then the attempt lives.
      if (!submit.seal(tx, { step: 'add', pair: onlyPair(task), content, task }, now).ok) return
    }
    const { code: _, ...before } = stands
    jobs.saveAttempt(tx, known, { ...before, ...ending })
    if (ending.state === 'dead') jobs.unspend(tx, uid, attempt.attempt)
    else {
      const at = stands.state === 'dead' ? now : stands.sealedAt
      const { lamports } = stands.terms
      jobs.spent(tx, { at, lamports, taskUid: uid, attempt: attempt.attempt, landedAt: now })
    }
    tell(tx, task, attempt, ending, now)
  }

  return { end: (task, attempt, ending) => steps.run((tx) => conclude(tx, task, attempt, ending)) }
}

function tell(tx: StepTx, task: TaskRecord, { attempt, signed }: AttemptRecord, ending: Ending, now: Instant): void {
  const signature = signed === undefined ? {} : { signature: signed.signature }
  const why = ending.state === 'dead' ? { code: ending.code } : {}
  const kind = ending.state === 'landed' ? 'job.landed' : 'job.not_paid'
  const content = { attempt, ...signature, ...why }
  putInInbox(tx, { agent: task.agent, kind, from: task.agent, taskUid: task.uid, at: now, content })
}
