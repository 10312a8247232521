import type { AgentId, ApprovalId } from '../base/ids.js'
import type { Json, JsonObject } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { check } from '../base/shape.js'
import type { Instant } from '../base/time.js'
import { type Approval, type DeliverySubject, payloadOf } from '../policy/approval.js'
import { type BodyOf, KINDS } from '../wire/kinds.js'
import type { AskBook, Question } from './ask-book.js'
import { record as audit } from './audit.js'
import { grantsBehind } from './audit-tasks.js'
import { onlyPair } from './chain.js'
import type { Answered, Once } from './doors.js'
import { agreedPlan } from './job-terms.js'
import type { KindRow } from './kind-row.js'
import { runOnce } from './once.js'
import type { AddPlan } from './plan.js'
import type { Clock, Tx } from './ports.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'
import { type TaskViews, findVisible } from './task-view.js'
import type { WriteAnswer } from './views/tasks.js'

/** What follows a payment: the provider hands over, under `disclose.job`; the hirer says that it is done (protocols/jobs.md). */
export interface JobSteps {
  /** `delivery`: the body of a `job.deliver`. */
  deliver(agent: AgentId, taskUid: string, delivery: JsonObject, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  complete(agent: AgentId, taskUid: string, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  readonly kind: KindRow<'delivery'>
}

const NEEDED = 'disclose.job'

export function createJobSteps(components: {
  readonly steps: Steps
  readonly submit: Submit
  readonly asks: AskBook
  readonly book: TaskBook
  readonly views: TaskViews
  readonly clock: Clock
}): JobSteps {
  const { steps, submit, asks, book, views, clock } = components

  function run(
    agent: AgentId,
    taskUid: string,
    once: Once | undefined,
    act: (tx: StepTx, task: TaskRecord, now: Instant) => Result<WriteAnswer>
  ): Promise<Result<Answered<WriteAnswer>>> {
    return steps.run((tx) => {
      const now = clock.now()
      return runOnce(tx, once, now, () => {
        const found = findVisible(tx, book, agent, taskUid)
        return found.ok ? act(tx, book.latch(tx, found.value, now), now) : found
      })
    })
  }

  function deliver(tx: StepTx, task: TaskRecord, delivery: JsonObject, now: Instant): Result<WriteAnswer> {
    const body = deliveryOf(delivery)
    if (!body.ok) return body
    const plan = planOf(task, body.value)
    const acceptable = submit.acceptable(tx, plan, now)
    if (!acceptable.ok) return acceptable
    const question = questionOf(task, body.value)
    const asked = asks.consult(tx, question, () => question, now)
    if (!asked.ok) return asked
    if (asked.value !== undefined && asked.value.status !== 'used') {
      return ok({ status: 'pending_approval', approvalId: asked.value.id, taskUid: task.uid })
    }
    const sealed = seal(tx, plan, asked.value?.id, now)
    return sealed.ok ? ok({ task: views.task(tx, sealed.value, now), status: 'sent' }) : sealed
  }

  function seal(tx: StepTx, plan: AddPlan, approvalId: ApprovalId | undefined, now: Instant): Result<TaskRecord> {
    const sealed = submit.seal(tx, plan, now)
    if (!sealed.ok) return sealed
    const { agent, peer, uid } = plan.task
    const about = { agent, contact: peer, taskUid: uid, capabilities: [NEEDED] }
    const under = {
      ...grantsBehind(tx, { agent, peer }, [NEEDED]),
      ...(approvalId === undefined ? {} : { approvalId })
    }
    audit(tx, { at: now, who: { kind: 'agent', id: agent }, what: 'disclosure.sent', about, under })
    return sealed
  }

  /** What a yes would deliver, while that would have effect. */
  function asked(tx: Pick<Tx, 'get'>, approval: Approval<DeliverySubject>): AddPlan | undefined {
    const { agent, taskUid, payload } = approval
    const task = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    return task === undefined ? undefined : planOf(task, JSON.parse(payload) as BodyOf<'job.deliver'>)
  }

  /** The agreed plan of the job, while the task is there. */
  function planFor(tx: Pick<Tx, 'get'>, { agent, taskUid }: Approval, now: Instant): JsonObject | undefined {
    const task = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    return task === undefined ? undefined : agreedPlan(book.report(tx, task, now))?.plan
  }

  return {
    deliver: (agent, taskUid, delivery, once) =>
      run(agent, taskUid, once, (tx, task, now) => deliver(tx, task, delivery, now)),
    complete: (agent, taskUid, once) =>
      run(agent, taskUid, once, (tx, task, now) => {
        const content = { kind: 'job.complete', body: {} } as const
        const sealed = submit.seal(tx, { step: 'add', pair: onlyPair(task), content, task }, now)
        return sealed.ok ? ok({ task: views.task(tx, sealed.value, now), status: 'sent' }) : sealed
      }),
    kind: {
      approve(tx, approval, now) {
        const plan = asked(tx, approval)
        if (plan === undefined || !asks.denied(tx, questionFor(approval)).ok) return 'moved'
        return seal(tx, plan, approval.id, now).ok ? 'done' : 'moved'
      },
      end: () => undefined,
      standing(tx, approval, now) {
        const plan = asked(tx, approval)
        const paid = plan !== undefined && book.report(tx, plan.task, now).status === 'paid'
        return paid && asks.denied(tx, questionFor(approval)).ok
      },
      view(tx, approval, now) {
        const agreed = planFor(tx, approval, now)
        const content = JSON.parse(approval.payload) as JsonObject
        return { kind: 'delivery', content, ...(agreed === undefined ? {} : { proposal: agreed }) }
      }
    }
  }
}

/** The body of a delivery. Refuses with the member at fault, below `delivery`. */
function deliveryOf(delivery: JsonObject): Result<BodyOf<'job.deliver'>> {
  const { artifacts = [], ...rest } = delivery
  const body = check<BodyOf<'job.deliver'>>(KINDS['job.deliver'].body, { artifacts, ...rest } as Json)
  if (body.ok || body.refusal.details.field !== '') return body
  return fail(badRequest('missing_field', 'A delivery has at least one artifact, or evidence.', 'artifacts'))
}

function planOf(task: TaskRecord, body: BodyOf<'job.deliver'>): AddPlan {
  return { step: 'add', pair: onlyPair(task), content: { kind: 'job.deliver', body }, task }
}

function questionOf(task: TaskRecord, body: BodyOf<'job.deliver'>): Question {
  return {
    agent: task.agent,
    contact: task.peer,
    taskUid: task.uid,
    subject: { kind: 'delivery' },
    payload: payloadOf(body as unknown as Json as JsonObject),
    needs: new Map([[NEEDED, []]]),
    until: Number.MAX_SAFE_INTEGER,
    task: 'known'
  }
}

function questionFor({ agent, contact, subject, payload }: Approval<DeliverySubject>): Question {
  return { agent, contact, subject, payload, needs: new Map([[NEEDED, []]]), until: 0, task: 'known' }
}
