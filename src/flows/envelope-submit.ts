import type { AgentId, ApprovalId } from '../base/ids.js'
import type { Json, JsonObject } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import { type Approval, type EnvelopeSubject, payloadOf } from '../policy/approval.js'
import type { EnvelopeDraft } from '../tasks/envelope/rules.js'
import { auditOwn, grantsBehind } from './audit-tasks.js'
import type { AskBook, Need, Question } from './ask-book.js'
import { appendOwn, chainOf, mayWrite } from './chain.js'
import type { Answered, Once } from './doors.js'
import type { EnvelopeBook } from './envelope-book.js'
import type { EnvelopeCommand } from './envelope-commands.js'
import type { EnvelopeDesk } from './envelope-desk.js'
import { noteDependencies } from './envelope-intake.js'
import { type EnvelopePlan, type EnvelopePlanner, uidOf } from './envelope-plan.js'
import type { EnvelopeViews } from './envelope-view.js'
import { taskKey } from './keys.js'
import { runOnce } from './once.js'
import type { Clock, Keyring, Tx } from './ports.js'
import { mayOpenEnvelope } from './quotas.js'
import type { EnvelopeRecord } from './records/envelopes.js'
import type { StepTx, Steps } from './steps.js'
import type { SubmitOptions } from './submit.js'
import type { EnvelopeWritten } from './views/envelopes.js'

/** The outbound journey of delegated tasks: as `flows/submit.ts`, with `delegate.submit` and `delegate.report`. */
export interface EnvelopeSubmit {
  submit(agent: AgentId, command: EnvelopeCommand, once?: Once): Promise<Result<Answered<EnvelopeWritten>>>
  /** The owner said yes: everything is recomputed, then sealed in the same step. */
  resume(tx: StepTx, approval: Approval<EnvelopeSubject>, now: Instant): Result<EnvelopeRecord>
  /** Whether a yes could still lead to it. */
  standing(tx: Pick<Tx, 'get'>, approval: Approval<EnvelopeSubject>, now: Instant): boolean
}

export function createEnvelopeSubmit(
  components: {
    readonly steps: Steps
    readonly planner: EnvelopePlanner
    readonly book: EnvelopeBook
    readonly desk: EnvelopeDesk
    readonly asks: AskBook
    readonly views: EnvelopeViews
    readonly keyring: Keyring
    readonly clock: Clock
  },
  options: SubmitOptions
): EnvelopeSubmit {
  const { steps, planner, book, desk, asks, views, keyring, clock } = components

  function decide(tx: StepTx, agent: AgentId, command: EnvelopeCommand, now: Instant): Result<EnvelopeWritten> {
    const same = command.do === 'submit' ? undefined : repeated(tx, agent, command, now)
    if (same !== undefined) return ok({ status: 'unchanged', envelope: views.envelope(tx, same, now) })
    const planned = planner.plan(tx, agent, command, now)
    if (!planned.ok) return planned
    const foldSays = acceptable(tx, planned.value, now)
    if (!foldSays.ok) return foldSays
    const need = needOf(planned.value)
    const asked =
      need === undefined ? ok(undefined) : asks.consult(tx, need, () => questionOf(planned.value, need), now)
    if (!asked.ok) return asked
    if (asked.value !== undefined && asked.value.status !== 'used') {
      const { id, subject } = asked.value as Approval<EnvelopeSubject>
      return ok({ status: 'pending_approval', approvalId: id, taskId: subject.taskId })
    }
    const sealed = commit(tx, planned.value, now, asked.value?.id)
    if (!sealed.ok) return sealed
    const envelope = views.envelope(tx, sealed.value, now)
    return ok({ status: 'sent', envelope, ...(command.do === 'submit' ? { created: true } : {}) })
  }

  /** A request to end a task that has ended in the same way: the task as it is. */
  function repeated(
    tx: StepTx,
    agent: AgentId,
    command: Exclude<EnvelopeCommand, { do: 'submit' }>,
    now: Instant
  ): EnvelopeRecord | undefined {
    const found = planner.find(tx, agent, command.taskId)
    if (!found.ok) return undefined
    const record = desk.settle(tx, found.value, now)
    const { state, cancelRequested } = book.report(tx, record, now)
    const end = ENDS[command.do]
    const isWriter = (record.role === 'inviter') === (command.do === 'cancel')
    const isSame = state === end || (command.do === 'cancel' && cancelRequested)
    return end !== undefined && isWriter && isSame ? record : undefined
  }

  function acceptable(tx: StepTx, planned: EnvelopePlan, now: Instant): Result<void> {
    const may = mayWrite(tx, planned.pair)
    if (!may.ok) return may
    const chain = chainOf(tx, planned.pair)
    if (chain.out.seq - chain.acked >= options.queuePerContact) {
      const message = 'Too many messages wait for this contact. Try again when its node was reached.'
      return fail(refusal('rate_limited', message, { code: 'queue_full' }))
    }
    if (planned.step === 'open') return mayOpenEnvelope(tx, planned.pair, options.quotas)
    return book.wouldApply(tx, planned.task, planned.content, now)
  }

  function commit(tx: StepTx, planned: EnvelopePlan, now: Instant, approvalId?: ApprovalId): Result<EnvelopeRecord> {
    const { pair } = planned
    const disclosed = disclosedBy(tx, planned, approvalId)
    if (planned.step === 'open') return openTask(tx, planned, disclosed, now)
    const written = desk.write(tx, planned.task, planned.content, now, disclosed, planned.by)
    if (written.ok && planned.content.kind === 'envelope.result')
      tx.del('staged', taskKey(pair.agent, planned.task.uid))
    return written
  }

  function openTask(
    tx: StepTx,
    planned: Extract<EnvelopePlan, { step: 'open' }>,
    disclosed: Parameters<typeof auditOwn>[3],
    now: Instant
  ): Result<EnvelopeRecord> {
    const { pair, content, expiresAt } = planned
    const task = { uid: uidOf(planned), n: 1, seen: 0, seenId: '' as const }
    const sealed = appendOwn(tx, pair, { content, task }, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) return sealed
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
    auditOwn(tx, pair, sealed.value, disclosed, now)
    const { taskId, contract } = content.body
    const draft: EnvelopeRecord = {
      ...pair,
      uid: task.uid,
      role: 'inviter',
      taskId,
      createdAt: now,
      expiresAt,
      mine: [],
      covers: [],
      theirs: [],
      turn: 'none'
    }
    const record = book.open(tx, draft, sealed.value, now)
    noteDependencies(tx, record, contract.dependsOn)
    return ok(desk.catchUp(tx, record, now))
  }

  /** What a yes would execute, planned anew. */
  function replan(tx: Pick<Tx, 'get'>, approval: Approval<EnvelopeSubject>, now: Instant): Result<EnvelopePlan> {
    const { agent, contact: peer, subject, taskUid } = approval
    const body = JSON.parse(approval.payload) as JsonObject
    if (subject.action === 'envelope.submit') {
      const expiresAt = isoOf(subject.taskExpiresAt ?? 0)
      const contract = body as never
      return planner.planSubmit(tx, { agent, peer }, { taskId: subject.taskId, contract, expiresAt }, now)
    }
    const task = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    if (task === undefined) return fail(refusal('not_found', 'The task is not here.', { field: 'taskId' }))
    const content = { kind: subject.action, body } as unknown as EnvelopeDraft
    const may = book.wouldApply(tx, task, content, now)
    return may.ok ? planner.planDraft(tx, task, content) : may
  }

  return {
    submit: (agent, command, once) =>
      steps.run((tx) => {
        const now = clock.now()
        return runOnce(tx, once, now, () => decide(tx, agent, command, now))
      }),
    resume(tx, approval, now) {
      const planned = replan(tx, approval, now)
      if (!planned.ok) return planned
      const foldSays = acceptable(tx, planned.value, now)
      if (!foldSays.ok) return foldSays
      const need = needOf(planned.value)
      const denied = need === undefined ? ok() : asks.denied(tx, need)
      return denied.ok ? commit(tx, planned.value, now, approval.id) : denied
    },
    standing(tx, approval, now) {
      const planned = replan(tx, approval, now)
      const need = planned.ok ? needOf(planned.value) : undefined
      return planned.ok && (need === undefined || asks.denied(tx, need).ok)
    }
  }
}

/** What a message lets out, and what let it. */
function disclosedBy(
  tx: StepTx,
  { pair, capability }: EnvelopePlan,
  approvalId: ApprovalId | undefined
): Parameters<typeof auditOwn>[3] {
  if (capability === undefined) return undefined
  const yes = approvalId === undefined ? {} : { approvalId }
  return { capabilities: [capability], under: { ...grantsBehind(tx, pair, [capability]), ...yes } }
}

/** The state that a command asks for at the end of a task. */
const ENDS: Readonly<Record<string, string>> = {
  complete: 'completed',
  fail: 'failed',
  reject: 'rejected',
  cancel: 'canceled'
}

function needOf({ pair, capability }: EnvelopePlan): Need | undefined {
  return capability === undefined
    ? undefined
    : { agent: pair.agent, contact: pair.peer, needs: new Map([[capability, []]]) }
}

function questionOf(planned: EnvelopePlan, need: Need): Question {
  const { content } = planned
  const isNew = planned.step === 'open'
  const taskId = planned.step === 'open' ? planned.content.body.taskId : planned.task.taskId
  const until = planned.step === 'open' ? planned.expiresAt : planned.task.expiresAt
  const shown = planned.step === 'open' ? planned.content.body.contract : content.body
  return {
    ...need,
    taskUid: planned.step === 'open' ? uidOf(planned) : planned.task.uid,
    subject: { kind: 'envelope', action: content.kind, taskId, ...(isNew ? { taskExpiresAt: until } : {}) },
    payload: payloadOf(shown as unknown as Json as JsonObject),
    // A verdict is given after the end.
    until: content.kind === 'envelope.verdict' ? Number.MAX_SAFE_INTEGER : until,
    task: planned.step === 'open' && !planned.chosen ? 'new' : 'known'
  }
}
