import type { Instant } from '../base/time.js'
import { DAY, hasPassed } from '../base/time.js'
import type { PaymentFault, PaymentFinding } from '../payments/finding.js'
import type { PaymentTerms } from '../payments/terms.js'
import { verifyPayment } from '../payments/verify.js'
import type { Attempt } from '../tasks/job/steps.js'
import type { Report } from '../tasks/report.js'
import { onlyPair } from './chain.js'
import { putInInbox } from './inbox.js'
import { AGAIN, type Candidates, createCandidates } from './job-candidates.js'
import type { JobSideComponents } from './job-payer.js'
import { agreedPlan, termsOf } from './job-terms.js'
import { taskKey } from './keys.js'
import type { Log } from './ports.js'
import type { MoneyRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx } from './steps.js'

/**
 * The provider's side of the chain: what names the reference of an attempt is fetched, verified and, if it is the payment,
 * receipted in the same step that spends its signature for ever. Money that pays nothing is kept on record
 * (protocols/jobs.md, "Receipt of a payment").
 */
export interface JobWatch {
  /** One look at all attempts of a job that somebody pays us for. Never rejects. */
  round(task: TaskRecord): Promise<void>
}

/** How long a reference is watched after the end of the agreement: late money is told, too. */
const AFTERWARDS = DAY
/** Odd money that is kept on record for a job: a stranger may send as many crumbs as it pays fees for. */
const KEPT = 100
/** Attempts that every look takes: the newest, and the one before it, whose money may cross the next promise. */
const NEWEST = 2
/**
 * What is found in what the RPC node tells around the signed bytes. It may have told wrong, so it is looked at again;
 * anything else about a transaction stays as it was found.
 */
const TOLD: ReadonlySet<string> = new Set<PaymentFault>([
  'failed',
  'before_quote',
  'late',
  'two_transfers',
  'inner_transfer',
  'other_balance',
  'two_memos'
])

interface Watched {
  readonly attempts: readonly WatchedAttempt[]
  readonly quote: { readonly issuedSlot: number; readonly expiresAt: Instant }
  readonly known: ReadonlySet<string>
  readonly awaited: boolean
}

interface WatchedAttempt {
  readonly attempt: Attempt
  readonly terms: PaymentTerms
}

interface Memory {
  lookedAt: Instant | undefined
  /** Counts looks: of the older attempts each takes one. */
  turn: number
  readonly candidates: Map<number, Candidates>
}

export function createJobWatch(components: JobSideComponents): JobWatch {
  const { steps, submit, book, jobs, chain, clock, log } = components
  /** What one process remembers of a job between looks. */
  const memories = new Map<string, Memory>()

  async function round(task: TaskRecord): Promise<void> {
    const watched = await steps.run((tx) => toWatch(tx, task))
    const key = taskKey(task.agent, task.uid)
    if (watched === undefined) return void memories.delete(key)
    const memory = memories.get(key) ?? { lookedAt: undefined, turn: 0, candidates: new Map() }
    memories.set(key, memory)
    const rests = memory.lookedAt !== undefined && !hasPassed(clock.now(), memory.lookedAt, AGAIN)
    if (!watched.awaited && rests) return
    memory.lookedAt = clock.now()
    for (const one of inTurn(watched.attempts, memory.turn++)) await look(task, watched, one, candidatesOf(memory, one))
  }

  /** The attempts that exist, and what they would have to look like; a job that is over for good rests. */
  function toWatch(tx: StepTx, { agent, uid }: TaskRecord): Watched | undefined {
    const task = book.find(tx, agent, uid)
    const now = clock.now()
    const reported = task === undefined ? undefined : book.report(tx, task, now)
    const awaited = reported !== undefined && isAwaited(reported)
    if (task === undefined || reported === undefined || (!awaited && now > task.expiresAt + AFTERWARDS)) {
      jobs.rest(tx, { agent, uid })
      return undefined
    }
    const { issuedSlot = 0, findings } = jobs.find(tx, task)
    const agreed = agreedPlan(reported)
    const attempts = (reported.reduced.job?.attempts ?? []).flatMap((attempt) => {
      const terms = agreed === undefined ? undefined : termsOf(chain.cluster, task, agreed, attempt)
      return terms?.ok === true ? [{ attempt, terms: terms.value }] : []
    })
    const known = new Set(findings.flatMap(({ signature, code }) => (TOLD.has(code) ? [] : [signature])))
    return { attempts, quote: { issuedSlot, expiresAt: task.expiresAt }, known, awaited }
  }

  async function look(
    task: TaskRecord,
    watched: Watched,
    { attempt, terms }: WatchedAttempt,
    candidates: Candidates
  ): Promise<void> {
    const found = await chain.find(attempt.reference)
    if (!found.ok) return
    // Oldest first: of two good ones the first is the payment.
    for (const signature of candidates.take(found.value, clock.now())) {
      if (watched.known.has(signature)) continue
      const fetched = await chain.fetch(signature)
      const finding = fetched.ok && fetched.value && verifyPayment(terms, watched.quote, fetched.value)
      if (!finding || isUnknown(finding)) candidates.unanswered(signature)
      else if (finding.paid || finding.received > 0n) {
        const seen = { attempt: attempt.attempt, signature, terms, finding }
        if ((await steps.run((tx) => settle(tx, task, seen))) === 'later') candidates.unanswered(signature)
      }
    }
  }

  /** Everything that follows from one transaction, in one step: the spent signature, the receipt, and the owner's record. */
  function settle(tx: StepTx, { agent, uid }: TaskRecord, seen: Seen): 'done' | 'later' {
    const task = book.find(tx, agent, uid)
    const { signature, finding } = seen
    const before =
      task === undefined ? undefined : jobs.find(tx, task).findings.find((one) => one.signature === signature)
    if (task === undefined || (before !== undefined && !TOLD.has(before.code))) return 'done'
    if (!finding.paid) return keep(tx, task, seen, finding.fault, finding.received)
    const received = BigInt(seen.terms.lamports)
    const spentOn = tx.get('spent', signature)
    if (spentOn?.uid === uid && spentOn.agent === agent) return 'done'
    if (spentOn !== undefined) return keep(tx, task, seen, 'already_spent', received)
    // Whatever becomes of it, no other task is paid with it.
    tx.put('spent', signature, { agent, uid })
    const now = clock.now()
    const content = { kind: 'job.paid', body: { attempt: seen.attempt, signature, slot: finding.slot } } as const
    const sealed = submit.seal(tx, { step: 'add', pair: onlyPair(task), content, task }, now)
    if (sealed.ok) return keep(tx, task, seen, 'paid', received)
    const { status } = book.report(tx, task, now)
    if (status !== 'paying' && status !== 'agreed') {
      return keep(tx, task, seen, status === 'expired' || status === 'cancelled' ? 'late' : 'double', received)
    }
    // It can't be said now: the queue is full, or what this home lost comes back first. It stays unspent until then.
    tx.del('spent', signature)
    return 'later'
  }

  function keep(tx: StepTx, task: TaskRecord, seen: Seen, code: string, received: bigint): 'done' {
    const record = jobs.find(tx, task)
    const { signature, attempt } = seen
    if (record.findings.some((one) => one.signature === signature && one.code === code)) return 'done'
    const others = record.findings.filter((one) => one.signature !== signature)
    if (others.length >= KEPT && code !== 'paid') return 'done'
    const money: MoneyRecord = { signature, attempt, code, received: received.toString(), at: clock.now() }
    jobs.save(tx, { ...record, findings: [...others, money] })
    tell(tx, task, money)
    return 'done'
  }

  return { round: (task) => round(task).catch((error: unknown) => failed(log, task, error)) }
}

interface Seen {
  readonly attempt: number
  readonly signature: string
  readonly terms: PaymentTerms
  readonly finding: PaymentFinding
}

/** The attempts of one look: a hirer may have made many, and each costs calls. */
function inTurn(attempts: readonly WatchedAttempt[], turn: number): readonly WatchedAttempt[] {
  const older = attempts.slice(0, -NEWEST)
  const one = older[turn % Math.max(1, older.length)]
  return [...(one === undefined ? [] : [one]), ...attempts.slice(-NEWEST)]
}

function candidatesOf({ candidates }: Memory, { attempt }: WatchedAttempt): Candidates {
  const known = candidates.get(attempt.attempt) ?? createCandidates()
  candidates.set(attempt.attempt, known)
  return known
}

/** Whether a payment could still move the job. */
function isAwaited({ status, reduced }: Report): boolean {
  return status === 'paying' || (status === 'agreed' && (reduced.job?.attempts.length ?? 0) > 0)
}

/** What an RPC node said that is no answer about this transaction: it is asked again. */
function isUnknown(finding: PaymentFinding): boolean {
  if (finding.paid) return false
  const { fault } = finding
  return fault === 'not_finalized' || fault === 'other_transaction' || fault === 'bad_signature' || fault === 'undated'
}

function tell(tx: StepTx, task: TaskRecord, { signature, attempt, code, received, at }: MoneyRecord): void {
  const kind = code === 'paid' ? 'job.paid' : 'job.odd_money'
  const content = { attempt, signature, code, lamports: received }
  putInInbox(tx, { agent: task.agent, kind, from: task.agent, taskUid: task.uid, at, content })
}

function failed(log: Log, task: TaskRecord, error: unknown): void {
  log.warn('a round of watching a job failed', {
    task: task.uid,
    why: error instanceof Error ? error.message : 'unknown'
  })
}
