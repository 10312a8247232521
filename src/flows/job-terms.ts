import type { MessageId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { MINUTE, type Instant } from '../base/time.js'
import type { Address } from '../payments/address.js'
import { memoOf } from '../payments/memo.js'
import { parsePrice } from '../payments/price.js'
import type { Cluster, PaymentTerms } from '../payments/terms.js'
import { isJob } from '../types/job-type.js'
import type { Report } from '../tasks/report.js'
import type { Chain } from './ports.js'
import type { TaskRecord } from './records/tasks.js'

/** What the plan of a job says about money: what a provider lets into it, and what a hirer would pay. Source: protocols/jobs.md, "Plan" and "Payment". */

/** A transaction that is signed has at least this long to land before the agreement ends, and is refused as late else. */
export const PAY_MARGIN = 5 * MINUTE

/** The chain as far as plans are concerned: which it is, and our address on it. */
export type Purse = Pick<Chain, 'cluster' | 'address'>

/**
 * The proposal of a provider with its owner's receiving address. Refuses with `policy_denied` (`pay.receive`) when it names
 * another one, with `wallet_needed` without one, and with `plan_not_payable` for another chain.
 */
export function withPayTo(purse: Purse | undefined, proposal: JsonObject): Result<JsonObject> {
  const own = receivingAddress(purse, proposal)
  if (!own.ok) return own
  const { payTo } = proposal
  return payTo === undefined || payTo === own.value ? ok({ ...proposal, payTo: own.value }) : fail(redirected())
}

/** Whether a provider may agree to a plan: it pays our owner's address, on our chain. Refuses as `withPayTo`. */
export function mayReceive(purse: Purse | undefined, plan: JsonObject): Result<void> {
  const own = receivingAddress(purse, plan)
  if (!own.ok) return own
  return plan['payTo'] === own.value ? ok() : fail(redirected())
}

function receivingAddress(purse: Purse | undefined, plan: JsonObject): Result<Address> {
  const own = purse?.address()
  if (purse === undefined || own === undefined) return fail(walletNeeded())
  return plan['cluster'] === purse.cluster ? ok(own) : fail(otherChain(purse.cluster))
}

function redirected(): ReturnType<typeof refusal> {
  const message =
    'payTo is filled in by this node with its owner’s address. Leave it out, and propose the plan yourself.'
  return refusal('policy_denied', message, { denied: ['pay.receive'], fields: ['payTo'] })
}

function walletNeeded(): ReturnType<typeof refusal> {
  return conflict('wallet_needed', 'This node has no wallet. Your owner makes one with `agentlink wallet create`.')
}

function otherChain(cluster: Cluster): ReturnType<typeof refusal> {
  return conflict('plan_not_payable', `This node is on ${cluster}: the plan must say so.`, { field: 'cluster' })
}

/** What would be paid, or was promised to be. */
export interface Payment {
  readonly proposalId: MessageId
  readonly attempt: number
  readonly terms: PaymentTerms
}

/** The agreed plan of a task, and its id. */
export function agreedPlan(reported: Report): { readonly id: MessageId; readonly plan: JsonObject } | undefined {
  const agreed = reported.proposals.find((one) => one.proposalId === reported.agreedProposalId)
  return agreed === undefined ? undefined : { id: agreed.proposalId, plan: agreed.proposal }
}

/**
 * What the next attempt would pay. Refuses with `illegal_transition` where nothing is to be paid by us, `wallet_needed`,
 * `plan_not_payable`, and `payment_too_late` when it could not land in time.
 */
export function nextPayment(
  purse: Purse | undefined,
  task: TaskRecord,
  reported: Report,
  at: { readonly reference: (attempt: number) => Address; readonly now: Instant }
): Result<Payment> {
  if (!isJob(task.type)) return fail(conflict('illegal_transition', 'This task is no paid job (job.request@1).'))
  if (task.role !== 'inviter') return fail(conflict('illegal_transition', 'The hirer pays: wait for it.'))
  const agreed = agreedPlan(reported)
  if (agreed === undefined) return fail(conflict('illegal_transition', 'There is no agreed plan to pay for.'))
  const payer = purse?.address()
  if (purse === undefined || payer === undefined) return fail(walletNeeded())
  if (at.now > task.expiresAt - PAY_MARGIN) {
    return fail(conflict('payment_too_late', 'The agreement ends too soon for a payment to land. Open a new task.'))
  }
  const attempt = (reported.reduced.job?.attempts.length ?? 0) + 1
  const payment = { attempt, payer, reference: at.reference(attempt) }
  const terms = termsOf(purse.cluster, task, agreed, payment)
  return terms.ok ? ok({ proposalId: agreed.id, attempt, terms: terms.value }) : terms
}

/** The terms of an attempt at paying an agreed plan. Refuses with `plan_not_payable`. */
export function termsOf(
  cluster: Cluster,
  task: Pick<TaskRecord, 'uid'>,
  agreed: { readonly id: MessageId; readonly plan: JsonObject },
  { payer, reference }: { readonly payer: Address; readonly reference: Address }
): Result<PaymentTerms> {
  const { payTo, price, cluster: wanted } = agreed.plan
  if (wanted !== cluster) return fail(otherChain(cluster))
  if (typeof payTo !== 'string' || payTo === payer) {
    const message = 'The plan does not say whom to pay: the provider has to propose it.'
    return fail(conflict('plan_not_payable', message, { field: 'payTo' }))
  }
  const lamports = parsePrice({ amount: String(price), currency: 'SOL' })
  if (!lamports.ok) return lamports
  const memo = memoOf(task.uid, agreed.id)
  return ok({ cluster, payer, recipient: payTo, lamports: lamports.value, reference, memo })
}
