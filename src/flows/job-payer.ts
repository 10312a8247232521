import { fromBase64url, toBase64url } from '../base/bytes.js'
import type { Result } from '../base/result.js'
import { MINUTE, type Instant } from '../base/time.js'
import type { PaymentFault } from '../payments/finding.js'
import type { SignedPayment } from '../payments/terms.js'
import { verifyPayment } from '../payments/verify.js'
import { isSettled } from '../tasks/settle.js'
import { chainOf, onlyPair } from './chain.js'
import { putInInbox } from './inbox.js'
import type { JobBook } from './job-book.js'
import { PAY_MARGIN, agreedPlan, termsOf } from './job-terms.js'
import type { Chain, Clock, Log, Tx } from './ports.js'
import type { AttemptRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'

/**
 * The hirer's side of the chain, one round after another: settled? -> signed and stored -> sent, and the same bytes again ->
 * seen finalized, or proved dead. A new transaction for a job is made only by a new attempt, and that only after
 * `job.unpaid`. What the RPC node does not answer is unknown, never no (protocols/jobs.md, "Payment").
 */
export interface JobPayer {
  /** One look at the last attempt of a job of ours. Never rejects. */
  round(task: TaskRecord): Promise<void>
}

/** Signed for this long ago, and no block takes it any more: far above the life of a blockhash. */
const DEAD_AFTER = 3 * MINUTE
/** Rounds in a row that must find nothing: RPC nodes forget. */
const CLEAN_ROUNDS = 10
/** Between a second promise and its signature: a provider whose own RPC node saw the first payment can still say so. */
const OBJECTION = MINUTE
/** Lamports beside the price: the fee of one signature. */
const FEE = 5000n

/** What says that the transaction can never pay. */
const FAILED: ReadonlySet<PaymentFault> = new Set<PaymentFault>(['failed'])
/** What says nothing about our own transaction: the answer is another one, or none that can be read. */
const UNKNOWN: ReadonlySet<PaymentFault> = new Set<PaymentFault>([
  'wrong_cluster',
  'not_finalized',
  'unreadable',
  'other_transaction',
  'bad_signature'
])

type Ending = { readonly state: 'landed' } | { readonly state: 'dead'; readonly code: string }
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
  const { steps, submit, book, jobs, chain, clock, log } = components
  const startedAt = clock.now()
  /** Rounds in a row that found nothing, by reference. Forgotten with the process: then it is counted anew. */
  const clean = new Map<string, number>()

  async function round(task: TaskRecord): Promise<void> {
    const attempt = await steps.run((tx) => current(tx, task))
    if (attempt === undefined) return
    if (attempt.state === 'sealed') return begin(task, attempt)
    if (attempt.state === 'lost') return search(task, attempt)
    if (attempt.signed !== undefined) return follow(task, attempt as Signed)
  }

  /** The attempt that the chain is to be asked about; without one the job rests. */
  function current(tx: StepTx, { agent, uid }: TaskRecord): AttemptRecord | undefined {
    const task = book.find(tx, agent, uid)
    const open = task === undefined ? undefined : (unknownAttempt(tx, task) ?? jobs.find(tx, task).attempts.at(-1))
    if (task === undefined || open === undefined || open.state === 'landed' || open.state === 'dead') {
      jobs.rest(tx, { agent, uid })
      return undefined
    }
    return open
  }

  /** A promise of ours that this home has forgotten, with a restored backup: it may have been kept. */
  function unknownAttempt(tx: Tx, task: TaskRecord): AttemptRecord | undefined {
    const reported = book.report(tx, task, clock.now())
    const said = reported.reduced.job?.attempts.at(-1)
    const known = jobs.find(tx, task)
    const agreed = agreedPlan(reported)
    if (said === undefined || agreed === undefined || said.state !== 'open') return undefined
    if (known.attempts.some((one) => one.attempt === said.attempt)) return undefined
    const terms = termsOf(chain.cluster, task, agreed, said)
    if (!terms.ok) return undefined
    const lost: AttemptRecord = { attempt: said.attempt, terms: terms.value, sealedAt: clock.now(), state: 'lost' }
    jobs.saveAttempt(tx, known, lost)
    return lost
  }

  // ---- settled, then signed ----

  async function begin(task: TaskRecord, attempt: AttemptRecord): Promise<void> {
    const ready = await steps.run((tx) => readiness(tx, task, attempt))
    if (ready === 'refused') return end(task, attempt, { state: 'dead', code: 'refused' })
    if (ready === 'late') return end(task, attempt, { state: 'dead', code: 'payment_too_late' })
    if (ready === 'wait' || !(await isFirstLife(task, attempt))) return
    const funds = await chain.balance(attempt.terms.payer)
    if (!funds.ok) return
    if (funds.value < BigInt(attempt.terms.lamports) + FEE) {
      return end(task, attempt, { state: 'dead', code: 'insufficient_funds' })
    }
    const signed = await chain.sign(attempt.terms)
    if (!signed.ok) return log.warn('payment not signed', { task: task.uid, code: signed.refusal.details.code })
    // Stored before the first byte leaves: whoever finds it in the store sends these bytes, and never makes others.
    const stored = await steps.run((tx) => store(tx, task, attempt, signed.value))
    if (stored !== undefined) await send(stored)
  }

  function readiness(tx: Pick<Tx, 'get'>, { agent, uid }: TaskRecord, attempt: AttemptRecord): Readiness {
    const task = book.find(tx, agent, uid)
    if (task === undefined) return 'wait'
    const { reference } = attempt.terms
    const own = book.log(tx, task).inviter
    const promise = own.find((entry) => entry.kind === 'job.pay' && entry.body.reference === reference)
    if (promise === undefined) return 'wait'
    const { status, reduced } = book.report(tx, task, clock.now())
    const stands = status === 'paying' && reduced.effects.get(promise.id) === 'applied'
    if (stands && clock.now() > task.expiresAt - PAY_MARGIN) return 'late'
    // Until it is settled it may still be refused, and a refusal may still turn out to come too late.
    if (!isSettled(own, promise.n, chainOf(tx, task).in.seq)) return 'wait'
    if (attempt.attempt > 1 && clock.now() < attempt.sealedAt + OBJECTION) return 'wait'
    return stands ? 'ready' : 'refused'
  }

  /**
   * What was promised before this process began may have been signed by another life of this home, which a restored backup
   * knows nothing of. Such a transaction is on the chain by now or never will be.
   */
  async function isFirstLife(task: TaskRecord, attempt: AttemptRecord): Promise<boolean> {
    if (attempt.sealedAt > startedAt) return true
    if (clock.now() < startedAt + DEAD_AFTER) return false
    const found = await chain.find(attempt.terms.reference)
    if (!found.ok) return false
    if (found.value.length === 0) return true
    await steps.run((tx) => jobs.saveAttempt(tx, jobs.find(tx, task), { ...attempt, state: 'lost' }))
    return false
  }

  function store(tx: StepTx, task: TaskRecord, attempt: AttemptRecord, made: SignedPayment): Signed | undefined {
    const known = jobs.find(tx, task)
    const stands = known.attempts.find((one) => one.attempt === attempt.attempt)
    if (stands?.state !== 'sealed' || readiness(tx, task, attempt) !== 'ready') return undefined
    const { signature, bytes, lastValidBlockHeight } = made
    const signed = { signature, bytes: toBase64url(bytes), lastValidBlockHeight, at: clock.now() }
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
    const found = await chain.fetch(attempt.signed.signature)
    if (!found.ok) return
    if (found.value !== undefined) return judge(task, attempt, verify(attempt, found.value))
    const over = height.ok && height.value > attempt.signed.lastValidBlockHeight
    if (!over || clock.now() < attempt.signed.at + DEAD_AFTER) {
      clean.delete(reference)
      return send(attempt)
    }
    if (await isClean(reference)) return end(task, attempt, { state: 'dead', code: 'not_landed' })
  }

  function verify(attempt: AttemptRecord, tx: Parameters<typeof verifyPayment>[2]): ReturnType<typeof verifyPayment> {
    return verifyPayment(attempt.terms, { issuedSlot: 0, expiresAt: Number.MAX_SAFE_INTEGER }, tx)
  }

  async function judge(task: TaskRecord, attempt: Signed, finding: ReturnType<typeof verifyPayment>): Promise<void> {
    if (finding.paid) return end(task, attempt, { state: 'landed' })
    if (UNKNOWN.has(finding.fault)) return log.warn('the chain told of another transaction', { code: finding.fault })
    // It is ours, and it did not fail: the money is gone, whatever else is odd about it.
    if (!FAILED.has(finding.fault)) return end(task, attempt, { state: 'landed' })
    if (seenOften(attempt.terms.reference)) return end(task, attempt, { state: 'dead', code: 'failed' })
  }

  /** Nothing names the reference, time and again. */
  async function isClean(reference: string): Promise<boolean> {
    const found: Result<readonly string[]> = await chain.find(reference)
    if (!found.ok) return false
    if (found.value.length > 0) {
      clean.delete(reference)
      return false
    }
    return seenOften(reference)
  }

  function seenOften(reference: string): boolean {
    const rounds = (clean.get(reference) ?? 0) + 1
    clean.set(reference, rounds)
    return rounds >= CLEAN_ROUNDS
  }

  /** An attempt of which only the promise is known: it is looked for, and never signed again. */
  async function search(task: TaskRecord, attempt: AttemptRecord): Promise<void> {
    if (clock.now() < startedAt + DEAD_AFTER) return
    const found = await chain.find(attempt.terms.reference)
    if (!found.ok) return
    for (const signature of found.value) {
      const tx = await chain.fetch(signature)
      if (!tx.ok || tx.value === undefined) return
      if (verify(attempt, tx.value).paid) return end(task, attempt, { state: 'landed' })
    }
    if (seenOften(attempt.terms.reference)) return end(task, attempt, { state: 'dead', code: 'not_landed' })
  }

  /** Stores how an attempt ended; of a dead one the provider is told in the same step, and the limits get it back. */
  async function end(task: TaskRecord, attempt: AttemptRecord, ending: Ending): Promise<void> {
    clean.delete(attempt.terms.reference)
    await steps.run((tx) => conclude(tx, task, attempt, ending))
  }

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
    jobs.saveAttempt(tx, known, { ...stands, ...ending })
    if (ending.state === 'dead') jobs.unspend(tx, uid, attempt.attempt)
    jobs.rest(tx, { agent, uid })
    tell(tx, task, attempt, ending, now)
  }

  return { round: (task) => round(task).catch((error: unknown) => failed(log, task, error)) }
}

type Readiness = 'ready' | 'wait' | 'late' | 'refused'

function tell(tx: StepTx, task: TaskRecord, { attempt, signed }: AttemptRecord, ending: Ending, now: Instant): void {
  const signature = signed === undefined ? {} : { signature: signed.signature }
  const why = ending.state === 'dead' ? { code: ending.code } : {}
  const kind = ending.state === 'landed' ? 'job.landed' : 'job.not_paid'
  const content = { attempt, ...signature, ...why }
  putInInbox(tx, { agent: task.agent, kind, from: task.agent, taskUid: task.uid, at: now, content })
}

function failed(log: Log, task: TaskRecord, error: unknown): void {
  log.warn('a round of a payment failed', { task: task.uid, why: error instanceof Error ? error.message : 'unknown' })
}
