import { MINUTE, hasPassed, instantOf } from '../base/time.js'
import { isSettled } from '../tasks/settle.js'
import { chainOf } from './chain.js'
import type { JobBook } from './job-book.js'
import { PAY_MARGIN, agreedPlan, termsOf } from './job-terms.js'
import type { Chain, Clock, Tx } from './ports.js'
import type { AttemptRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx } from './steps.js'
import type { TaskBook } from './task-book.js'

/** What is left to do about the attempts at paying one job of ours (protocols/jobs.md, "Payment"). */
export interface JobAttempts {
  /** What the chain is to be asked about next; without it the job rests. */
  next(tx: StepTx, task: TaskRecord): Pending | undefined
  /** Whether what was promised may be signed now. */
  readiness(tx: Pick<Tx, 'get'>, task: TaskRecord, attempt: AttemptRecord): Readiness
  /** Those before an attempt that were called dead and might have been on the chain. */
  doubted(tx: Pick<Tx, 'get'>, task: TaskRecord, before: number): readonly AttemptRecord[]
}

/** `go`: to its end. `doubt`: it was called dead, and nothing else is under way. */
type Pending =
  | { readonly do: 'go'; readonly attempt: AttemptRecord }
  | { readonly do: 'doubt'; readonly attempts: readonly AttemptRecord[] }

type Readiness = 'ready' | 'wait' | 'late' | 'refused'

/** Between a second promise and its signature: a provider whose own RPC node saw the first payment can still say so. */
const OBJECTION = MINUTE

export function createJobAttempts(components: {
  readonly book: TaskBook
  readonly jobs: JobBook
  readonly chain: Pick<Chain, 'cluster'>
  readonly clock: Clock
}): JobAttempts {
  const { book, jobs, chain, clock } = components

  function next(tx: StepTx, { agent, uid }: TaskRecord): Pending | undefined {
    const task = book.find(tx, agent, uid)
    const pending = task === undefined ? undefined : (going(tx, task) ?? inDoubt(tx, task))
    if (pending === undefined) jobs.rest(tx, { agent, uid })
    return pending
  }

  function going(tx: StepTx, task: TaskRecord): Pending | undefined {
    const last = unknownAttempt(tx, task) ?? jobs.find(tx, task).attempts.at(-1)
    if (last === undefined || last.state === 'landed' || last.state === 'dead') return undefined
    return { do: 'go', attempt: last }
  }

  /** While the job could be paid anew, what was called dead is looked for: an RPC node may remember. */
  function inDoubt(tx: StepTx, task: TaskRecord): Pending | undefined {
    const { status } = book.report(tx, task, clock.now())
    if (status !== 'agreed' && status !== 'awaiting_approval') return undefined
    const attempts = doubted(tx, task, Number.MAX_SAFE_INTEGER)
    return attempts.length === 0 || hasLanded(tx, task) ? undefined : { do: 'doubt', attempts }
  }

  function hasLanded(tx: Pick<Tx, 'get'>, task: TaskRecord): boolean {
    return jobs.find(tx, task).attempts.some(({ state }) => state === 'landed')
  }

  function doubted(tx: Pick<Tx, 'get'>, task: TaskRecord, before: number): readonly AttemptRecord[] {
    const { attempts } = jobs.find(tx, task)
    return attempts.filter(
      ({ attempt, state, signed, code }) =>
        attempt < before && state === 'dead' && (signed !== undefined || code === 'not_landed')
    )
  }

  /** A promise of ours that this home has forgotten, with a restored backup: it may have been kept. */
  function unknownAttempt(tx: Tx, task: TaskRecord): AttemptRecord | undefined {
    const now = clock.now()
    const reported = book.report(tx, task, now)
    const said = reported.reduced.job?.attempts.at(-1)
    const known = jobs.find(tx, task)
    const agreed = agreedPlan(reported)
    if (said === undefined || agreed === undefined || said.state !== 'open') return undefined
    if (known.attempts.some((one) => one.attempt === said.attempt)) return undefined
    const terms = termsOf(chain.cluster, task, agreed, said)
    if (!terms.ok) return undefined
    const sealedAt = instantOf(said.at) ?? now
    const lost: AttemptRecord = { attempt: said.attempt, terms: terms.value, sealedAt, state: 'lost' }
    jobs.saveAttempt(tx, known, lost)
    return lost
  }

  function readiness(tx: Pick<Tx, 'get'>, { agent, uid }: TaskRecord, attempt: AttemptRecord): Readiness {
    const task = book.find(tx, agent, uid)
    if (task === undefined) return 'wait'
    const { reference } = attempt.terms
    const own = book.log(tx, task).inviter
    const promise = own.find((entry) => entry.kind === 'job.pay' && entry.body.reference === reference)
    if (promise === undefined) return 'wait'
    const now = clock.now()
    const { status, reduced } = book.report(tx, task, now)
    const stands = status === 'paying' && reduced.effects.get(promise.id) === 'applied'
    if (stands && now > task.expiresAt - PAY_MARGIN) return 'late'
    // Until it is settled it may still be refused, and a refusal may still turn out to come too late.
    if (!isSettled(own, promise.n, chainOf(tx, task).in.seq)) return 'wait'
    if (attempt.attempt > 1 && !hasPassed(now, attempt.sealedAt, OBJECTION)) return 'wait'
    return stands ? 'ready' : 'refused'
  }

  return { next, readiness, doubted }
}
