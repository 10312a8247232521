import type { JsonObject } from '../base/json.js'
import { type Refusal, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { decide } from '../policy/grants.js'
import { isJob } from '../types/job-type.js'
import { tellDenial } from './denials.js'
import { grantsOfAgent } from './grants.js'
import { type Purse, mayReceive, withPayTo } from './job-terms.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx } from './steps.js'

/** Where money may be sent to is the node's word, never an agent's: `payTo` in the plans of a provider (protocols/jobs.md, "Plan"). */
export interface JobGuard {
  /** What a proposal in this task becomes before anything else is asked: a provider's job gets its owner's address. */
  quote(tx: StepTx, task: TaskRecord, proposal: JsonObject, now: Instant): Result<JsonObject>
  /** Whether this plan may be accepted. */
  accept(tx: StepTx, task: TaskRecord, plan: JsonObject, now: Instant): Result<void>
}

export function createJobGuard(components: { readonly purse: Purse | undefined }): JobGuard {
  const { purse } = components

  function guarded<T>(tx: StepTx, task: TaskRecord, now: Instant, rule: () => Result<T>): Result<T> {
    const grant = decide(grantsOfAgent(tx, task.agent), task.peer, 'pay.receive')
    const verdict = grant.effect === 'deny' ? fail(NOTHING_RECEIVED) : rule()
    if (!verdict.ok && verdict.refusal.code === 'policy_denied') tellDenied(tx, task, verdict.refusal, now)
    return verdict
  }

  return {
    quote(tx, task, proposal, now) {
      if (task.role !== 'invitee' || !isJob(task.type)) return ok(proposal)
      return guarded(tx, task, now, () => withPayTo(purse, proposal))
    },
    accept(tx, task, plan, now) {
      if (task.role !== 'invitee' || !isJob(task.type)) return ok()
      return guarded(tx, task, now, () => mayReceive(purse, plan))
    }
  }
}

const NOTHING_RECEIVED: Refusal = refusal('policy_denied', 'Your owner takes no money from this contact.', {
  denied: ['pay.receive'],
  fields: ['payTo']
})

function tellDenied(tx: StepTx, { agent, peer, uid }: TaskRecord, why: Refusal, now: Instant): void {
  const about = { agent, contact: peer, taskUid: uid, capability: 'pay.receive', code: why.code }
  tellDenial(tx, { who: { kind: 'agent', id: agent }, what: 'payment.denied', about }, now)
}
