import { fromBase64url, toBase64url } from '../base/bytes.js'
import { type Instant, MINUTE, hasPassed } from '../base/time.js'
import type { SignedPayment } from '../payments/terms.js'
import { createJobAttempts } from './job-attempts.js'
import type { JobBook } from './job-book.js'
import { type Ending, createJobEndings } from './job-endings.js'
import { FEE, createJobSearch } from './job-search.js'
import type { Chain, Clock, Log } from './ports.js'
import type { AttemptRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'

/**
 * The hirer's side of the chain, one round after another: settled? -> signed and stored -> sent, and the same bytes again ->
 * seen finalized, or proved dead. A new transaction for a job is made only by a new attempt, and that only after
 * `job.unpaid` and one more look for all before it. What the RPC node does not answer is unknown, never no
 * (protocols/jobs.md, "Payment").
 */
export interface JobPayer {
  /** One look at the attempts of a job of ours. Never rejects. */
  round(task: TaskRecord): Promise<void>
}

/** Signed for this long ago, and no block takes it any more: far above the life of a blockhash. */
const DEAD_AFTER = 3 * MINUTE
/** Rounds in a row that must find nothing: RPC nodes forget. */
const CLEAN_ROUNDS = 10
/** Between looks for what was called dead, while the job could still be paid anew. */
const SELDOM = MINUTE

type Signed = AttemptRecord & Required<Pick<AttemptRecord, 'signed'>>

/** What either side of a job stands on: the one that pays, and the one that is paid. */
export interface JobSideComponents {
  readonly steps: Steps
  readonly submit: Submit
  readonly book: TaskBook
  readonly jobs: JobBook
  readonly chain: Chain
  readonly clock: Clock
  readonly log: Log
}

export function createJobPayer(components: JobSideComponents): JobPayer {
  const { steps, jobs, chain, clock, log } = components
  const attempts = createJobAttempts(components)
  const search = createJobSearch(components)
  const endings = createJobEndings(components)
  const startedAt = clock.now()
  /** The same, but never in the future of a clock that was set back. */
  let waitedFrom = startedAt
  /** Rounds in a row that found nothing, by reference. Forgotten with the process: then it is counted anew. */
  const clean = new Map<string, number>()
  /** When what was called dead was looked for last, by reference. */
  const doubtedAt = new Map<string, Instant>()

  async function round(task: TaskRecord): Promise<void> {
    const pending = await steps.run((tx) => attempts.next(tx, task))
    if (pending === undefined) return
    if (pending.do === 'doubt') return doubt(task, pending.attempts)
    const { attempt } = pending
    if (attempt.state === 'sealed') return begin(task, attempt)
    if (attempt.state === 'lost') return recover(task, attempt)
    if (attempt.signed !== undefined) return follow(task, attempt as Signed)
  }

  // ---- settled, then signed ----

  async function begin(task: TaskRecord, attempt: AttemptRecord): Promise<void> {
    const ready = await steps.run((tx) => attempts.readiness(tx, task, attempt))
    if (ready === 'refused') return end(task, attempt, { state: 'dead', code: 'refused' })
    if (ready === 'late') return end(task, attempt, { state: 'dead', code: 'payment_too_late' })
    if (ready === 'wait' || !(await isFirstLife(task, attempt)) || !(await isOnly(task, attempt))) return
    const funds = await chain.balance(attempt.terms.payer)
    if (!funds.ok) return
    if (funds.value < BigInt(attempt.terms.lamports) + FEE) {
      return end(task, attempt, { state: 'dead', code: 'insufficient_funds' })
    }
    const signed = await chain.sign(attempt.terms)
    if (!signed.ok) return log.warn('payment not signed', { task: task.uid, code: signed.refusal.details.code })
    // Stored before the first byte leaves: whoever finds it in the store sends these bytes, and never makes others.
    const stored = await steps.run((tx) => store(tx, task, attempt, { made: signed.value, balance: funds.value }))
    if (stored !== undefined) await send(stored)
  }

  /**
   * What was promised before this process began may have been signed by another life of this home, which a restored backup
   * knows nothing of. Such a transaction is on the chain by now or never will be.
   */
  async function isFirstLife(task: TaskRecord, attempt: AttemptRecord): Promise<boolean> {
    if (attempt.sealedAt > startedAt) return true
    if (!hasWaited()) return false
    const seen = await search.seen(attempt)
    if (seen === 'nothing') return (await search.absence(task, attempt)) === 'absent'
    if (seen !== 'unknown') {
      await steps.run((tx) => jobs.saveAttempt(tx, jobs.find(tx, task), { ...attempt, state: 'lost' }))
    }
    return false
  }

  /** Whether what another life of this home sent has landed by now, if it ever will. */
  function hasWaited(): boolean {
    waitedFrom = Math.min(waitedFrom, clock.now())
    return clock.now() >= waitedFrom + DEAD_AFTER
  }

  /** Whether none of the attempts before has landed after all. It is asked at the last moment: an RPC node may remember. */
  async function isOnly(task: TaskRecord, attempt: AttemptRecord): Promise<boolean> {
    for (const earlier of await steps.run((tx) => attempts.doubted(tx, task, attempt.attempt))) {
      const seen = await search.seen(earlier)
      if (seen === 'landed') {
        await end(task, earlier, { state: 'landed' })
        await end(task, attempt, { state: 'dead', code: 'paid_before' })
        return false
      }
      if (seen === 'failed') continue
      if (seen === 'unknown' || (await search.absence(task, earlier)) !== 'absent') return false
    }
    return true
  }

  function store(
    tx: StepTx,
    task: TaskRecord,
    attempt: AttemptRecord,
    { made, balance }: { readonly made: SignedPayment; readonly balance: bigint }
  ): Signed | undefined {
    const known = jobs.find(tx, task)
    const stands = known.attempts.find((one) => one.attempt === attempt.attempt)
    if (stands?.state !== 'sealed' || attempts.readiness(tx, task, attempt) !== 'ready') return undefined
    const { signature, bytes, slot, lastValidBlockHeight } = made
    const at = clock.now()
    const signed = { signature, bytes: toBase64url(bytes), slot, lastValidBlockHeight, balance: balance.toString(), at }
    const next: Signed = { ...stands, state: 'signed', signed }
    jobs.saveAttempt(tx, known, next)
    return next
  }

  async function send({ signed }: Signed): Promise<void> {
    const bytes = fromBase64url(signed.bytes)
    if (bytes === undefined) throw new Error('a stored transaction is damaged')
    const sent = await chain.send(bytes)
    if (!sent.ok) log.warn('payment not taken yet', { code: sent.refusal.details.code })
  }

  // ---- followed to its end ----

  async function follow(task: TaskRecord, attempt: Signed): Promise<void> {
    const { reference } = attempt.terms
    // First the height, then the search: what lands in between is found by the next round.
    const height = await chain.blockHeight()
    const seen = await search.seen(attempt)
    if (seen !== 'nothing') return conclude(task, attempt, seen)
    const over = height.ok && height.value > attempt.signed.lastValidBlockHeight
    if (!over || !hasPassed(clock.now(), attempt.signed.at, DEAD_AFTER)) {
      clean.delete(reference)
      return send(attempt)
    }
    return missed(task, attempt)
  }

  /** An attempt of which only the promise is known: it is looked for, and never signed again. */
  async function recover(task: TaskRecord, attempt: AttemptRecord): Promise<void> {
    if (!hasWaited()) return
    const seen = await search.seen(attempt)
    return seen === 'nothing' ? missed(task, attempt) : conclude(task, attempt, seen)
  }

  async function conclude(
    task: TaskRecord,
    attempt: AttemptRecord,
    seen: 'landed' | 'failed' | 'unknown'
  ): Promise<void> {
    if (seen === 'unknown') return
    if (seen === 'landed') return end(task, attempt, { state: 'landed' })
    if (seenOften(attempt.terms.reference)) return end(task, attempt, { state: 'dead', code: 'failed' })
  }

  /** Nothing is there of a transaction that no block takes any more: once is no proof. */
  async function missed(task: TaskRecord, attempt: AttemptRecord): Promise<void> {
    const absence = await search.absence(task, attempt)
    if (absence === 'there') clean.delete(attempt.terms.reference)
    if (absence === 'absent' && seenOften(attempt.terms.reference)) {
      return end(task, attempt, { state: 'dead', code: 'not_landed' })
    }
  }

  function seenOften(reference: string): boolean {
    const rounds = (clean.get(reference) ?? 0) + 1
    clean.set(reference, rounds)
    return rounds >= CLEAN_ROUNDS
  }

  async function doubt(task: TaskRecord, dead: readonly AttemptRecord[]): Promise<void> {
    for (const attempt of dead) {
      const { reference } = attempt.terms
      if (!hasPassed(clock.now(), doubtedAt.get(reference) ?? 0, SELDOM)) continue
      doubtedAt.set(reference, clock.now())
      if ((await search.seen(attempt)) === 'landed') return end(task, attempt, { state: 'landed' })
    }
  }

  function end(task: TaskRecord, attempt: AttemptRecord, ending: Ending): Promise<void> {
    clean.delete(attempt.terms.reference)
    doubtedAt.delete(attempt.terms.reference)
    return endings.end(task, attempt, ending)
  }

  return { round: (task) => round(task).catch((error: unknown) => failed(log, task, error)) }
}

function failed(log: Log, task: TaskRecord, error: unknown): void {
  log.warn('a round of a payment failed', { task: task.uid, why: error instanceof Error ? error.message : 'unknown' })
}
