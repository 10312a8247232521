import type { AgentId, ApprovalId } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { entryOf } from '../tasks/log.js'
import type { VerifiedMessage } from '../wire/message.js'
import { auditOwn, grantsBehind } from './audit-tasks.js'
import { appendOwn, chainOf, mayWrite } from './chain.js'
import type { Disclosures } from './disclosures.js'
import type { Answered, Once } from './doors.js'
import type { JobBook } from './job-book.js'
import { runOnce } from './once.js'
import type { Asked, Command, Plan, Planner } from './plan.js'
import type { Clock, Keyring } from './ports.js'
import { type QuotaOptions, mayOpenTask } from './quotas.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import type { TaskViews } from './task-view.js'
import type { WriteAnswer } from './views/tasks.js'

/**
 * The outbound journey, top to bottom: command -> idempotency key seen? -> resolved and checked -> would the fold accept
 * it? -> policy: deny, ask or allow -> *ask*: an approval is stored, and the owner's yes re-enters at `resume` -> *allow*:
 * sealed, one synced commit (log, view, outbox) -> answer. `flows/deliver.ts` sends what is due from there on.
 */
export interface Submit {
  /** What an agent asks for. Every refusal leaves everything as it was. */
  submit(agent: AgentId, command: Command, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  /** Whether this could be sealed now: the contact takes it, the queue has room, the fold would accept it. */
  acceptable(tx: StepTx, planned: Plan, now: Instant): Result<void>
  /** Seals what policy let through, if it is acceptable. */
  seal(tx: StepTx, planned: Plan, now: Instant): Result<TaskRecord>
  /** The owner said yes: everything is recomputed, then sealed in the same step. Refuses when the world moved. */
  resume(tx: StepTx, asked: Asked, now: Instant): Result<TaskRecord>
}

export interface SubmitComponents {
  readonly steps: Steps
  readonly planner: Planner
  readonly book: TaskBook
  readonly jobs: JobBook
  readonly disclosures: Disclosures
  readonly views: TaskViews
  readonly keyring: Keyring
  readonly clock: Clock
}

export interface SubmitOptions {
  /** Own messages that may wait for one contact. */
  readonly queuePerContact: number
  /** What an agent may have under way. */
  readonly quotas: QuotaOptions
}

export function createSubmit(components: SubmitComponents, options: SubmitOptions): Submit {
  const { steps, planner, book, jobs, disclosures, views, keyring, clock } = components

  function submit(agent: AgentId, command: Command, once?: Once): Promise<Result<Answered<WriteAnswer>>> {
    return steps.run((tx) => {
      const now = clock.now()
      return runOnce(tx, once, now, () => decide(tx, agent, command, now))
    })
  }

  function decide(tx: StepTx, agent: AgentId, command: Command, now: Instant): Result<WriteAnswer> {
    const planned = planner.plan(tx, agent, command, now)
    if (!planned.ok) return planned
    const foldSays = acceptable(tx, planned.value, now)
    if (!foldSays.ok) return foldSays
    const policySays = disclosures.consult(tx, planned.value, now)
    if (!policySays.ok) return policySays
    const asked = policySays.value
    if (asked !== undefined && asked.status !== 'used') {
      // A repeated create is answered with the uid that the question was first asked for.
      const taskUid = asked.taskUid ?? planned.value.task.uid
      return ok({ status: 'pending_approval', approvalId: asked.id, taskUid })
    }
    const sealed = commit(tx, planned.value, now, asked?.id)
    if (!sealed.ok) return sealed
    const task = views.task(tx, book.latch(tx, sealed.value, now), now)
    return ok(command.do === 'create' ? { task, status: 'sent', created: true } : { task, status: 'sent' })
  }

  function resume(tx: StepTx, asked: Asked, now: Instant): Result<TaskRecord> {
    const planned = planner.planAsked(tx, asked, now)
    if (!planned.ok) return planned
    const foldSays = acceptable(tx, planned.value, now)
    if (!foldSays.ok) return foldSays
    const denied = disclosures.denied(tx, planned.value)
    return denied.ok ? commit(tx, planned.value, now, asked.approvalId) : denied
  }

  // ---- would the fold accept it? ----

  function acceptable(tx: StepTx, planned: Plan, now: Instant): Result<void> {
    const may = mayWrite(tx, planned.pair)
    if (!may.ok) return may
    const chain = chainOf(tx, planned.pair)
    if (chain.out.seq - chain.acked >= options.queuePerContact) {
      return fail(
        refusal('rate_limited', 'Too many messages wait for this contact. Try again when its node was reached.', {
          code: 'queue_full'
        })
      )
    }
    if (planned.step === 'open') return mayOpenTask(tx, planned.pair, options.quotas)
    const record = book.latch(tx, planned.task, now)
    return book.wouldApply(tx, record, planned.content, now)
  }

  function seal(tx: StepTx, planned: Plan, now: Instant): Result<TaskRecord> {
    const foldSays = acceptable(tx, planned, now)
    return foldSays.ok ? commit(tx, planned, now) : foldSays
  }

  // ---- sealed, one commit ----

  function commit(tx: StepTx, planned: Plan, now: Instant, approvalId?: ApprovalId): Result<TaskRecord> {
    const { pair, content } = planned
    const place =
      planned.step === 'open'
        ? { uid: planned.task.uid, n: 1, seen: 0, seenId: '' as const }
        : book.nextPlace(tx, planned.task)
    const sealed = appendOwn(tx, pair, { content, task: place }, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) return sealed
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
    const by = planned.step === 'add' ? planned.by : undefined
    auditOwn(tx, pair, sealed.value, disclosedBy(tx, planned, approvalId), now, by)
    if (planned.step === 'add') return ok(add(tx, planned.task, sealed.value, now))
    const { task } = planned
    const { name, version, hash } = planned.discloses.type
    const record: TaskRecord = {
      ...pair,
      uid: task.uid,
      role: 'inviter',
      type: { name, version, hash },
      createdAt: now,
      expiresAt: task.expiresAt,
      mine: [],
      covers: [],
      theirs: [],
      waiting: false,
      ...(task.title === undefined ? {} : { title: task.title })
    }
    return ok(book.open(tx, record, sealed.value, now))
  }

  function add(tx: StepTx, task: TaskRecord, message: VerifiedMessage, now: Instant): TaskRecord {
    const record = book.add(tx, current(tx, task), 'mine', message, now)
    jobs.noted(tx, record, entryOf(message), now)
    return record
  }

  /** The record as it stands in this step, which may have latched its expiry. */
  function current(tx: StepTx, task: TaskRecord): TaskRecord {
    return book.find(tx, task.agent, task.uid) ?? task
  }

  return { submit, acceptable, seal, resume }
}

/** What a plan lets out, and the grants that let it. */
function disclosedBy(tx: StepTx, { pair, discloses }: Plan, approvalId?: ApprovalId): Parameters<typeof auditOwn>[3] {
  if (discloses === undefined) return undefined
  const capabilities = [...discloses.needs.keys()].sort()
  const under = grantsBehind(tx, pair, capabilities)
  return { capabilities, under: approvalId === undefined ? under : { ...under, approvalId } }
}
