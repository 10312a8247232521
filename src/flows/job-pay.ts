import type { AgentId } from '../base/ids.js'
import type { Json, JsonObject } from '../base/json.js'
import { type Refusal, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { type Approval, type PaymentSubject, payloadOf } from '../policy/approval.js'
import { type SpendLimits, checkSpend } from '../policy/spend.js'
import { toBase58 } from '../wire/base58.js'
import type { AskBook, Question } from './ask-book.js'
import { onlyPair } from './chain.js'
import { tellDenial } from './denials.js'
import type { Answered, Once } from './doors.js'
import type { JobBook } from './job-book.js'
import { PAY_MARGIN, type Payment, type Purse, nextPayment } from './job-terms.js'
import type { KindRow } from './kind-row.js'
import { runOnce } from './once.js'
import type { AddPlan } from './plan.js'
import type { Clock, Random, Tx } from './ports.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'
import { type TaskViews, findVisible } from './task-view.js'
import type { WriteAnswer } from './views/tasks.js'
import { limitsView } from './wallet.js'

/**
 * The hirer promises to pay: checked against the agreed plan and the owner's limits, asked for with every parameter, sealed
 * as `job.pay`. Nothing is signed for the chain here: `job-payer.ts` does that once the promise is settled
 * (protocols/jobs.md, "Payment").
 */
export interface JobPay {
  run(agent: AgentId, taskUid: string, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  readonly kind: KindRow<'payment'>
}

const REFERENCE_BYTES = 32
const LANDED = conflict(
  'illegal_transition',
  'A payment for this job is on the chain already. Wait for the provider: it has the money.'
)

export function createJobPay(
  components: {
    readonly steps: Steps
    readonly submit: Submit
    readonly asks: AskBook
    readonly book: TaskBook
    readonly jobs: JobBook
    readonly views: TaskViews
    readonly purse: Purse | undefined
    readonly clock: Clock
    readonly random: Random
  },
  options: { readonly spend: SpendLimits }
): JobPay {
  const { steps, submit, asks, book, jobs, views, purse, clock, random } = components

  function decide(tx: StepTx, agent: AgentId, taskUid: string, now: Instant): Result<WriteAnswer> {
    const found = findVisible(tx, book, agent, taskUid)
    if (!found.ok) return found
    const task = book.latch(tx, found.value, now)
    const planned = plan(tx, task, now)
    if (!planned.ok) return planned
    const acceptable = submit.acceptable(tx, payOf(task, planned.value), now)
    if (!acceptable.ok) return acceptable
    const within = withinLimits(tx, planned.value, now)
    const question = questionOf(task, planned.value)
    const asked = within.ok ? asks.consult(tx, question, () => question, now) : within
    if (!asked.ok) return denied(tx, task, asked.refusal, now)
    if (asked.value !== undefined && asked.value.status !== 'used') return wait(tx, task, planned.value, asked.value)
    const sealed = seal(tx, task, planned.value, now)
    return sealed.ok ? ok({ task: views.task(tx, sealed.value, now), status: 'sent' }) : sealed
  }

  /** The next attempt, with the reference that was made for it before, if one was. */
  function plan(tx: Pick<Tx, 'get'>, task: TaskRecord, now: Instant): Result<Payment> {
    const { next, attempts } = jobs.find(tx, task)
    if (attempts.some(({ state }) => state === 'landed')) return fail(LANDED)
    const reference = (attempt: number): string =>
      next?.attempt === attempt ? next.reference : toBase58(random.bytes(REFERENCE_BYTES))
    return nextPayment(purse, task, book.report(tx, task, now), { reference, now })
  }

  function withinLimits(tx: Pick<Tx, 'get'>, { terms }: Payment, now: Instant): Result<void> {
    return checkSpend(options.spend, jobs.spends(tx), { lamports: terms.lamports, now })
  }

  function wait(tx: StepTx, task: TaskRecord, payment: Payment, approval: Approval): Result<WriteAnswer> {
    const next = { attempt: payment.attempt, reference: payment.terms.reference }
    jobs.save(tx, { ...jobs.find(tx, task), next })
    book.awaitOwner(tx, task, { approvalId: approval.id, until: approval.expiresAt })
    return ok({ status: 'pending_approval', approvalId: approval.id, taskUid: task.uid })
  }

  /** The promise, the attempt and the money that it takes from the limits, in one step. */
  function seal(tx: StepTx, task: TaskRecord, payment: Payment, now: Instant): Result<TaskRecord> {
    const sealed = submit.seal(tx, payOf(task, payment), now)
    if (!sealed.ok) return sealed
    const { next: _, ...job } = jobs.find(tx, task)
    jobs.saveAttempt(tx, job, { attempt: payment.attempt, terms: payment.terms, sealedAt: now, state: 'sealed' })
    jobs.spend(tx, { at: now, lamports: payment.terms.lamports, taskUid: task.uid, attempt: payment.attempt })
    tx.after({ do: 'chain' })
    return sealed
  }

  function denied(tx: StepTx, task: TaskRecord, why: Refusal, now: Instant): Result<WriteAnswer> {
    tellDenied(tx, task, why, now)
    return { ok: false, refusal: why }
  }

  // ---- the owner's answer ----

  function approve(tx: StepTx, approval: Approval<PaymentSubject>, now: Instant): 'done' | 'moved' {
    release(tx, approval)
    const task = taskOf(tx, approval)
    const planned = task === undefined ? undefined : plan(tx, task, now)
    if (task === undefined || planned?.ok !== true || !isSame(approval, task, planned.value)) return 'moved'
    const within = withinLimits(tx, planned.value, now)
    if (!within.ok) tellDenied(tx, task, within.refusal, now)
    if (!within.ok || !asks.denied(tx, questionOf(task, planned.value)).ok) return 'moved'
    return seal(tx, task, planned.value, now).ok ? 'done' : 'moved'
  }

  function standing(tx: Pick<Tx, 'get'>, approval: Approval<PaymentSubject>, now: Instant): boolean {
    const task = taskOf(tx, approval)
    const planned = task === undefined ? undefined : plan(tx, task, now)
    if (task === undefined || planned?.ok !== true || !isSame(approval, task, planned.value)) return false
    const { status, cancelRequested } = book.report(tx, task, now)
    const open = (status === 'agreed' || status === 'awaiting_approval') && !cancelRequested
    return open && asks.denied(tx, questionOf(task, planned.value)).ok
  }

  function taskOf(tx: Pick<Tx, 'get'>, { agent, taskUid }: Approval): TaskRecord | undefined {
    return taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
  }

  function release(tx: Tx, approval: Approval): void {
    const task = taskOf(tx, approval)
    if (task !== undefined) book.releaseOwner(tx, task, approval.id)
  }

  return {
    run: (agent, taskUid, once) =>
      steps.run((tx) => {
        const now = clock.now()
        return runOnce(tx, once, now, () => decide(tx, agent, taskUid, now))
      }),
    kind: {
      approve,
      standing,
      end: release,
      view(tx, approval, now) {
        const { payload, subject } = approval
        const { proposalId, attempt } = subject
        const task = taskOf(tx, approval)
        const plans = task === undefined ? [] : book.report(tx, task, now).proposals
        const proposal = plans.find((one) => one.proposalId === proposalId)?.proposal ?? {}
        const terms = JSON.parse(payload) as JsonObject
        const limits = approval.status === 'pending' ? limitsView(options.spend, jobs.spends(tx), now) : undefined
        return { kind: 'payment', proposalId, attempt, terms, proposal, ...(limits === undefined ? {} : { limits }) }
      }
    }
  }
}

function payOf(task: TaskRecord, { proposalId, attempt, terms }: Payment): AddPlan {
  const { reference, payer } = terms
  const content = { kind: 'job.pay', body: { proposalId, attempt, reference, payer } } as const
  return { step: 'add', pair: onlyPair(task), content, task }
}

function questionOf(task: TaskRecord, { proposalId, attempt, terms }: Payment): Question {
  return {
    agent: task.agent,
    contact: task.peer,
    taskUid: task.uid,
    subject: { kind: 'payment', proposalId, attempt },
    payload: payloadOf({ ...terms } as unknown as Json as JsonObject),
    needs: new Map([['pay.solana', ['payTo', 'price']]]),
    until: task.expiresAt - PAY_MARGIN,
    task: 'known'
  }
}

/** Whether a yes is for exactly this: the same attempt at the same plan, and the same terms to the last character. */
function isSame(approval: Approval<PaymentSubject>, task: TaskRecord, payment: Payment): boolean {
  const { proposalId, attempt } = approval.subject
  const { payload } = questionOf(task, payment)
  return proposalId === payment.proposalId && attempt === payment.attempt && approval.payload === payload
}

function tellDenied(tx: Tx, { agent, peer, uid }: TaskRecord, why: Refusal, now: Instant): void {
  const code = why.details.code ?? why.code
  const about = { agent, contact: peer, taskUid: uid, capability: 'pay.solana', code }
  tellDenial(tx, { who: { kind: 'agent', id: agent }, what: 'payment.denied', about }, now)
}
