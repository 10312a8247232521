import type { Instant } from '../base/time.js'
import { DAY, MINUTE } from '../base/time.js'
import type { PaymentFault, PaymentFinding } from '../payments/finding.js'
import type { PaymentTerms } from '../payments/terms.js'
import { verifyPayment } from '../payments/verify.js'
import type { Attempt } from '../tasks/job/steps.js'
import type { Report } from '../tasks/report.js'
import { onlyPair } from './chain.js'
import { putInInbox } from './inbox.js'
import type { JobSideComponents } from './job-payer.js'
import { agreedPlan, termsOf } from './job-terms.js'
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
/** Between looks at a job for which no payment is awaited any more. */
const SELDOM = 10 * MINUTE
/** Odd money that is kept on record for a job: a stranger may send as many crumbs as it pays fees for. */
const KEPT = 100
/** Transactions that are remembered as looked at. */
const LOOKED_AT = 5000
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
  readonly attempts: ReadonlyArray<{ readonly attempt: Attempt; readonly terms: PaymentTerms }>
  readonly quote: { readonly issuedSlot: number; readonly expiresAt: Instant }
  readonly known: ReadonlySet<string>
  readonly awaited: boolean
}

export function createJobWatch(components: JobSideComponents): JobWatch {
  const { steps, submit, book, jobs, chain, clock, log } = components
  /** When a transaction that is no payment so far was looked at, by signature. */
  const lookedAt = new Map<string, Instant>()
  const lastLook = new Map<string, Instant>()

  async function round(task: TaskRecord): Promise<void> {
    const watched = await steps.run((tx) => toWatch(tx, task))
    if (watched === undefined) return void lastLook.delete(task.uid)
    const due = (lastLook.get(task.uid) ?? 0) + SELDOM
    if (!watched.awaited && clock.now() < due) return
    lastLook.set(task.uid, clock.now())
    for (const one of watched.attempts) await look(task, watched, one)
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
    { attempt, terms }: Watched['attempts'][number]
  ): Promise<void> {
    const found = await chain.find(attempt.reference)
    if (!found.ok) return
    // Oldest first: of two good ones the first is the payment.
    for (const signature of [...found.value].reverse()) {
      if (watched.known.has(signature) || !isDue(signature)) continue
      const fetched = await chain.fetch(signature)
      // Not there, or no answer: it is asked for again in the next round.
      if (!fetched.ok || fetched.value === undefined) continue
      const finding = verifyPayment(terms, watched.quote, fetched.value)
      if (isUnknown(finding)) continue
      if (!finding.paid) looked(signature)
      if (!finding.paid && finding.received === 0n) continue
      await steps.run((tx) => settle(tx, task, { attempt: attempt.attempt, signature, terms, finding }))
    }
  }

  function looked(signature: string): void {
    if (lookedAt.size >= LOOKED_AT) lookedAt.clear()
    lookedAt.set(signature, clock.now())
  }

  function isDue(signature: string): boolean {
    const at = lookedAt.get(signature)
    return at === undefined || clock.now() >= at + SELDOM
  }

  /** Everything that follows from one transaction, in one step: the spent signature, the receipt, and the owner's record. */
  function settle(tx: StepTx, { agent, uid }: TaskRecord, seen: Seen): void {
    const task = book.find(tx, agent, uid)
    const { signature, finding } = seen
    if (task === undefined) return
    const before = jobs.find(tx, task).findings.find((one) => one.signature === signature)
    if (before !== undefined && !TOLD.has(before.code)) return
    if (!finding.paid) return keep(tx, task, seen, finding.fault, finding.received)
    const received = BigInt(seen.terms.lamports)
    const spentOn = tx.get('spent', signature)
    if (spentOn?.uid === uid && spentOn.agent === agent) return
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
  }

  function keep(tx: StepTx, task: TaskRecord, seen: Seen, code: string, received: bigint): void {
    const record = jobs.find(tx, task)
    const { signature, attempt } = seen
    if (record.findings.some((one) => one.signature === signature && one.code === code)) return
    const others = record.findings.filter((one) => one.signature !== signature)
    if (others.length >= KEPT && code !== 'paid') return
    const money: MoneyRecord = { signature, attempt, code, received: received.toString(), at: clock.now() }
    jobs.save(tx, { ...record, findings: [...others, money] })
    tell(tx, task, money)
  }

  return { round: (task) => round(task).catch((error: unknown) => failed(log, task, error)) }
}

interface Seen {
  readonly attempt: number
  readonly signature: string
  readonly terms: PaymentTerms
  readonly finding: PaymentFinding
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
