import { toHex } from '../base/bytes.js'
import { type AgentId, type MessageId, type TaskUid, parseMessageId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { badRequest, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { HOUR, type Instant, isoOf } from '../base/time.js'
import { type TaskDraft, wouldApply } from '../tasks/rules.js'
import { type InstalledType, resolveType } from '../types/catalog.js'
import { checkProposal } from '../types/proposal.js'
import { CANCEL_REASONS, isCancelReason } from '../wire/forms.js'
import type { Content } from '../wire/message.js'
import type { AskBook, Asked } from './ask-book.js'
import { type Pair, appendOwn, chainOf } from './chain.js'
import { type ContactBook, requireActive } from './contact-book.js'
import type { Answered, Once } from './doors.js'
import { runOnce } from './once.js'
import type { Clock, Keyring, Random } from './ports.js'
import type { TaskRecord } from './records.js'
import type { StepTx, Steps } from './steps.js'
import { type TaskBook, nextPlace, sideOf } from './task-book.js'
import { MAX_TASK_HOURS } from './task-intake.js'
import { type TaskViews, findVisible } from './task-view.js'
import type { WriteAnswer } from './views.js'

/**
 * The outbound journey, top to bottom: command -> idempotency key seen? -> resolved and checked -> would the fold accept
 * it? -> policy: deny, ask or allow -> *ask*: an approval is stored, and the owner's yes re-enters at `resume` -> *allow*:
 * sealed, one synced commit (log, view, outbox) -> answer. `flows/deliver.ts` sends what is due from there on.
 */
export interface Submit {
  /** What an agent asks for. Every refusal leaves everything as it was. */
  submit(agent: AgentId, command: Command, once?: Once): Promise<Result<Answered<WriteAnswer>>>
  /** The owner said yes: everything is recomputed, then sealed in the same step. Refuses when the world moved. */
  resume(tx: StepTx, asked: Asked, now: Instant): Result<TaskRecord>
}

export type Command =
  | {
      readonly do: 'create'
      readonly type: string
      readonly participant: string
      readonly title?: string
      readonly expiresInHours?: number
      readonly proposal: JsonObject
    }
  | { readonly do: 'propose'; readonly taskUid: string; readonly proposal: JsonObject }
  | {
      readonly do: 'respond'
      readonly taskUid: string
      readonly proposalId: string
      readonly decision: 'accept' | 'reject'
    }
  | { readonly do: 'cancel'; readonly taskUid: string; readonly reason?: string }

/** A command that was resolved and checked: what would be sealed, and where. */
export type Plan = { readonly pair: Pair; readonly discloses?: Disclosure } & (
  | { readonly step: 'open'; readonly task: NewTask; readonly content: InviteContent; readonly discloses: Disclosure }
  | { readonly step: 'add'; readonly task: TaskRecord; readonly content: TaskDraft }
)

type InviteContent = Extract<Content, { kind: 'task.invite' }>

export interface Disclosure {
  readonly type: InstalledType
  readonly proposal: JsonObject
  /** The latest proposal of the task, which this one would replace. */
  readonly base?: MessageId
}

export interface NewTask {
  readonly uid: TaskUid
  readonly title?: string
  readonly expiresAt: Instant
}

export interface SubmitComponents {
  readonly steps: Steps
  readonly contacts: ContactBook
  readonly book: TaskBook
  readonly asks: AskBook
  readonly views: TaskViews
  readonly keyring: Keyring
  readonly types: readonly InstalledType[]
  readonly clock: Clock
  readonly random: Random
}

export interface SubmitOptions {
  /** Own messages that may wait for one contact. */
  readonly queuePerContact: number
}

/** Hours that a task lives when its creator says nothing (seed 002). */
const DEFAULT_TASK_HOURS = 72
/** Characters of a title: a label in a list, not a document. */
const TITLE_LENGTH = 200

export function createSubmit(components: SubmitComponents, options: SubmitOptions): Submit {
  const { steps, contacts, book, asks, views, keyring, types, clock, random } = components

  function submit(agent: AgentId, command: Command, once?: Once): Promise<Result<Answered<WriteAnswer>>> {
    return steps.run((tx) => {
      const now = clock.now()
      return runOnce(tx, once, now, () => decide(tx, agent, command, now))
    })
  }

  function decide(tx: StepTx, agent: AgentId, command: Command, now: Instant): Result<WriteAnswer> {
    const planned = plan(tx, agent, command, now)
    if (!planned.ok) return planned
    const foldSays = acceptable(tx, planned.value, now)
    if (!foldSays.ok) return foldSays
    const policySays = asks.consult(tx, planned.value, now)
    if (!policySays.ok) return policySays
    if (policySays.value !== undefined) {
      return ok({ status: 'pending_approval', approvalId: policySays.value.id, taskUid: policySays.value.taskUid })
    }
    const sealed = commit(tx, planned.value, now)
    if (!sealed.ok) return sealed
    const task = views.task(tx, sealed.value, now)
    return ok(command.do === 'create' ? { task, status: 'sent', created: true } : { task, status: 'sent' })
  }

  function resume(tx: StepTx, asked: Asked, now: Instant): Result<TaskRecord> {
    const planned = asked.action === 'create' ? planAsked(tx, asked, now) : planPropose(tx, asked.agent, asked, now)
    if (!planned.ok) return planned
    if (asked.action === 'propose' && asked.base !== planned.value.discloses?.base) {
      return fail(conflict('version_conflict', 'The plan changed while the question waited.'))
    }
    const foldSays = acceptable(tx, planned.value, now)
    if (!foldSays.ok) return foldSays
    const denied = asks.denied(tx, planned.value)
    return denied.ok ? commit(tx, planned.value, now) : denied
  }

  // ---- resolved and checked ----

  function plan(tx: StepTx, agent: AgentId, command: Command, now: Instant): Result<Plan> {
    switch (command.do) {
      case 'create':
        return planCreate(tx, agent, command, now)
      case 'propose':
        return planPropose(tx, agent, command, now)
      case 'respond':
        return planResponse(tx, agent, command)
      case 'cancel':
        return planCancel(tx, agent, command)
    }
  }

  function planCreate(
    tx: StepTx,
    agent: AgentId,
    command: Extract<Command, { do: 'create' }>,
    now: Instant
  ): Result<Plan> {
    const hours = command.expiresInHours ?? DEFAULT_TASK_HOURS
    if (!Number.isInteger(hours) || hours < 1 || hours > MAX_TASK_HOURS) {
      return fail(
        badRequest(
          'invalid_field',
          `expiresInHours must be a whole number from 1 to ${MAX_TASK_HOURS}`,
          'expiresInHours'
        )
      )
    }
    if (command.title !== undefined && command.title.length > TITLE_LENGTH) {
      return fail(badRequest('invalid_field', `title takes at most ${TITLE_LENGTH} characters`, 'title'))
    }
    const contact = contacts.resolve(tx, agent, command.participant)
    if (!contact.ok) return contact
    const active = requireActive(contact.value)
    if (!active.ok) return active
    const fresh: NewTask = {
      uid: toHex(random.bytes(16)) as TaskUid,
      expiresAt: now + hours * HOUR,
      ...(command.title === undefined ? {} : { title: command.title })
    }
    return planInvite(contact.value, command.type, command.proposal, fresh)
  }

  function planAsked(tx: StepTx, asked: Extract<Asked, { action: 'create' }>, now: Instant): Result<Plan> {
    const contact = contacts.resolve(tx, asked.agent, asked.contact)
    if (!contact.ok) return contact
    const active = requireActive(contact.value)
    if (!active.ok) return active
    if (asked.task.expiresAt <= now) {
      return fail(conflict('task_expired', 'The task would have ended before the answer.'))
    }
    return planInvite(contact.value, asked.typeHash, asked.proposal, asked.task)
  }

  function planInvite(pair: Pair, typeName: string, proposal: JsonObject, task: NewTask): Result<Plan> {
    const type = resolveType(types, typeName)
    if (!type.ok) return type
    const checked = checkProposal(type.value.definition, proposal)
    if (!checked.ok) return checked
    const { name, version, hash, definition } = type.value
    const content: InviteContent = {
      kind: 'task.invite',
      body: {
        type: { name, version, hash, definition: definition as unknown as JsonObject },
        expiresAt: isoOf(task.expiresAt),
        proposal: checked.value
      }
    }
    return ok({
      step: 'open',
      pair: pairOfContact(pair),
      content,
      task,
      discloses: { type: type.value, proposal: checked.value }
    })
  }

  function planPropose(
    tx: StepTx,
    agent: AgentId,
    command: { readonly taskUid: string; readonly proposal: JsonObject },
    now: Instant
  ): Result<Plan> {
    const task = findWritable(tx, agent, command.taskUid)
    if (!task.ok) return task
    const type = types.find((one) => one.hash === task.value.type.hash)
    if (type === undefined) throw new Error(`task ${task.value.uid} is pinned to a type that this node does not have`)
    const checked = checkProposal(type.definition, command.proposal)
    if (!checked.ok) return checked
    const content: TaskDraft = { kind: 'task.propose', body: { proposal: checked.value } }
    const base = book.report(tx, task.value, now).proposals.at(-1)?.proposalId
    const discloses: Disclosure = { type, proposal: checked.value, ...(base === undefined ? {} : { base }) }
    return ok({ step: 'add', pair: pairOfContact(task.value), content, task: task.value, discloses })
  }

  function planResponse(tx: StepTx, agent: AgentId, command: Extract<Command, { do: 'respond' }>): Result<Plan> {
    const task = findWritable(tx, agent, command.taskUid)
    if (!task.ok) return task
    const proposalId = parseMessageId(command.proposalId, 'proposalId')
    if (!proposalId.ok) return proposalId
    const content: TaskDraft = {
      kind: 'task.respond',
      body: { proposalId: proposalId.value, decision: command.decision }
    }
    return ok({ step: 'add', pair: pairOfContact(task.value), content, task: task.value })
  }

  function planCancel(tx: StepTx, agent: AgentId, command: Extract<Command, { do: 'cancel' }>): Result<Plan> {
    const task = findWritable(tx, agent, command.taskUid)
    if (!task.ok) return task
    if (command.reason === undefined) {
      return ok({
        step: 'add',
        pair: pairOfContact(task.value),
        content: { kind: 'task.cancel', body: {} },
        task: task.value
      })
    }
    // A reason is a code from a list: free text would be a way around the owner's disclosure rules.
    if (!isCancelReason(command.reason)) {
      return fail(badRequest('invalid_field', `reason must be one of ${CANCEL_REASONS.join(', ')}`, 'reason'))
    }
    const content: TaskDraft = { kind: 'task.cancel', body: { reason: command.reason } }
    return ok({ step: 'add', pair: pairOfContact(task.value), content, task: task.value })
  }

  function findWritable(tx: StepTx, agent: AgentId, uid: string): Result<TaskRecord> {
    const task = findVisible(tx, book, agent, uid)
    if (!task.ok) return task
    const contact = contacts.find(tx, task.value)
    if (contact === undefined) throw new Error(`task ${task.value.uid} has no contact`)
    const active = requireActive(contact)
    return active.ok ? task : active
  }

  // ---- would the fold accept it? ----

  function acceptable(tx: StepTx, planned: Plan, now: Instant): Result<void> {
    const chain = chainOf(tx, planned.pair)
    if (chain.out.seq - chain.acked >= options.queuePerContact) {
      return fail(
        refusal('rate_limited', 'Too many messages wait for this contact. Try again when its node was reached.', {
          code: 'queue_full'
        })
      )
    }
    if (planned.step === 'open') return ok()
    const record = book.latch(tx, planned.task, now)
    return wouldApply(
      {
        log: book.log(tx, record),
        self: sideOf(record),
        now,
        inSeq: chain.in.seq,
        expired: record.expiredAt !== undefined,
        awaitingApproval: false
      },
      planned.content
    )
  }

  // ---- sealed, one commit ----

  function commit(tx: StepTx, planned: Plan, now: Instant): Result<TaskRecord> {
    const { pair, content } = planned
    const place =
      planned.step === 'open' ? { uid: planned.task.uid, n: 1, seen: 0, seenId: '' as const } : nextPlace(planned.task)
    const sealed = appendOwn(tx, pair, { content, task: place }, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) return sealed
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
    if (planned.step === 'add') return ok(book.add(tx, current(tx, planned.task), 'mine', sealed.value, now))
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
      theirs: [],
      waiting: false,
      ...(task.title === undefined ? {} : { title: task.title })
    }
    return ok(book.open(tx, record, sealed.value, now))
  }

  /** The record as it stands in this step, which may have latched its expiry. */
  function current(tx: StepTx, task: TaskRecord): TaskRecord {
    return book.find(tx, task.agent, task.uid) ?? task
  }

  return { submit, resume }
}

function pairOfContact(of: Pair): Pair {
  return { agent: of.agent, peer: of.peer }
}
