import { toHex } from '../base/bytes.js'
import {
  type AgentId,
  type ApprovalId,
  type MessageId,
  type TaskUid,
  type TypeHash,
  parseMessageId
} from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { badRequest, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { HOUR, type Instant, isoOf } from '../base/time.js'
import type { TaskDraft } from '../tasks/rules.js'
import { type InstalledType, resolveType } from '../types/catalog.js'
import { capabilitiesIn, checkProposal } from '../types/proposal.js'
import { CANCEL_REASONS, isCancelReason } from '../wire/forms.js'
import type { Content } from '../wire/message.js'
import { type Pair, onlyPair } from './chain.js'
import { requireActive } from './contact.js'
import { mayInvite } from './declines.js'
import type { ContactBook } from './contact-book.js'
import { MAX_TASK_HOURS } from './invite-judge.js'
import type { JobGuard } from './job-guard.js'
import type { OfferGuard } from './offer-guard.js'
import type { Random } from './ports.js'
import type { ContactRecord } from './records/contacts.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx } from './steps.js'
import type { TaskBook } from './task-book.js'
import { findVisible } from './task-view.js'
import type { TypeBook } from './type-book.js'

/** Commands of an agent, resolved and checked: the second step of the outbound journey (`flows/submit.ts`). */

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
  | { readonly do: 'cancel'; readonly taskUid: string; readonly reason?: string; readonly by?: 'owner' }

/** A command that was resolved and checked: what would be sealed, and where. */
export type Plan =
  | AddPlan
  | {
      readonly step: 'open'
      readonly pair: Pair
      readonly task: NewTask
      readonly content: InviteContent
      readonly discloses: Disclosure
    }

/** One more message in a task that exists. */
export interface AddPlan {
  readonly step: 'add'
  readonly pair: Pair
  readonly task: TaskRecord
  readonly content: TaskDraft
  readonly discloses?: Disclosure
  /** Whose word it is, when it is not the agent's. */
  readonly by?: 'owner'
}

type InviteContent = Extract<Content, { kind: 'task.invite' }>

export interface Disclosure {
  readonly type: InstalledType
  readonly proposal: JsonObject
  /** As `capabilitiesIn` finds them. */
  readonly needs: ReadonlyMap<string, readonly string[]>
  /** The latest proposal of the task, which this one would replace. */
  readonly base?: MessageId
}

export interface NewTask {
  readonly uid: TaskUid
  readonly title?: string
  readonly expiresAt: Instant
}

/** What the owner said yes to. */
export type Asked = {
  readonly agent: AgentId
  readonly contact: AgentId
  readonly proposal: JsonObject
  readonly typeHash: TypeHash
  readonly approvalId: ApprovalId
} & (
  | { readonly action: 'create'; readonly task: NewTask }
  | { readonly action: 'propose'; readonly taskUid: TaskUid; readonly base: MessageId | undefined }
)

export interface Planner {
  /** What an agent's command would seal. Refuses with the field at fault, or with the state of the contact. */
  plan(tx: StepTx, agent: AgentId, command: Command, now: Instant): Result<Plan>
  /** The same for what the owner said yes to. Refuses when the world moved since it was asked. */
  planAsked(tx: StepTx, asked: Asked, now: Instant): Result<Plan>
}

/** Hours that a task lives when its creator says nothing (protocols/socket-api.md, "Routes"). */
const DEFAULT_TASK_HOURS = 72
/** Characters of a title: a label in a list, not a document. */
const TITLE_LENGTH = 200

export function createPlanner(components: {
  readonly contacts: ContactBook
  readonly book: TaskBook
  readonly types: TypeBook
  readonly guard: JobGuard
  readonly offerGuard: OfferGuard
  readonly random: Random
}): Planner {
  const { contacts, book, types, guard, offerGuard, random } = components

  function plan(tx: StepTx, agent: AgentId, command: Command, now: Instant): Result<Plan> {
    switch (command.do) {
      case 'create':
        return planCreate(tx, agent, command, now)
      case 'propose':
        return planPropose(tx, agent, command, now)
      case 'respond':
        return planResponse(tx, agent, command, now)
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
    if (command.title !== undefined && [...command.title].length > TITLE_LENGTH) {
      return fail(badRequest('invalid_field', `title takes at most ${TITLE_LENGTH} characters`, 'title'))
    }
    const contact = findActive(tx, agent, command.participant)
    if (!contact.ok) return contact
    const fresh: NewTask = {
      uid: toHex(random.bytes(16)) as TaskUid,
      expiresAt: now + hours * HOUR,
      ...(command.title === undefined ? {} : { title: command.title })
    }
    return planInvite(tx, contact.value, command.type, command.proposal, fresh)
  }

  function planAsked(tx: StepTx, asked: Asked, now: Instant): Result<Plan> {
    if (asked.action === 'create') return planAskedCreate(tx, asked, now)
    const planned = planPropose(tx, asked.agent, asked, now)
    if (!planned.ok || planned.value.discloses?.base === asked.base) return planned
    return fail(conflict('version_conflict', 'The plan changed while the question waited.'))
  }

  function planAskedCreate(tx: StepTx, asked: Extract<Asked, { action: 'create' }>, now: Instant): Result<Plan> {
    const contact = findActive(tx, asked.agent, asked.contact)
    if (!contact.ok) return contact
    if (asked.task.expiresAt <= now) {
      return fail(conflict('task_expired', 'The task would have ended before the answer.'))
    }
    return planInvite(tx, contact.value, asked.typeHash, asked.proposal, asked.task)
  }

  function findActive(tx: StepTx, agent: AgentId, participant: string): Result<ContactRecord> {
    const contact = contacts.resolve(tx, agent, participant)
    if (!contact.ok) return contact
    const active = requireActive(contact.value)
    return active.ok ? contact : active
  }

  function planInvite(tx: StepTx, pair: Pair, typeName: string, proposal: JsonObject, task: NewTask): Result<Plan> {
    const type = resolveType(types.all(tx), typeName)
    if (!type.ok) return type
    const may = mayInvite(tx, pair, type.value.hash)
    if (!may.ok) return may
    const checked = checkProposal(type.value.definition, proposal)
    if (!checked.ok) return checked
    const named = offerGuard.mayInvite(tx, pair, type.value, checked.value)
    if (!named.ok) return named
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
      pair: onlyPair(pair),
      content,
      task,
      discloses: disclosureOf(type.value, checked.value)
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
    const type = types.byHash(tx, task.value.type.hash)
    if (type === undefined) throw new Error(`task ${task.value.uid} is pinned to a type that this node does not have`)
    const asked = checkProposal(type.definition, command.proposal)
    const checked = asked.ok ? guard.quote(tx, task.value, asked.value, now) : asked
    if (!checked.ok) return checked
    const { proposals } = book.report(tx, task.value, now)
    const named = offerGuard.mayPropose(tx, task.value, checked.value, proposals)
    if (!named.ok) return named
    const content: TaskDraft = { kind: 'task.propose', body: { proposal: checked.value } }
    const base = proposals.at(-1)?.proposalId
    const discloses = disclosureOf(type, checked.value, base)
    return ok({ step: 'add', pair: onlyPair(task.value), content, task: task.value, discloses })
  }

  function planResponse(
    tx: StepTx,
    agent: AgentId,
    command: Extract<Command, { do: 'respond' }>,
    now: Instant
  ): Result<Plan> {
    const task = findWritable(tx, agent, command.taskUid)
    if (!task.ok) return task
    const proposalId = parseMessageId(command.proposalId, 'proposalId')
    if (!proposalId.ok) return proposalId
    const plan = book.report(tx, task.value, now).proposals.find((one) => one.proposalId === proposalId.value)
    const may = command.decision === 'accept' && plan ? guard.accept(tx, task.value, plan.proposal, now) : ok()
    if (!may.ok) return may
    const content: TaskDraft = {
      kind: 'task.respond',
      body: { proposalId: proposalId.value, decision: command.decision }
    }
    return ok({ step: 'add', pair: onlyPair(task.value), content, task: task.value })
  }

  function planCancel(tx: StepTx, agent: AgentId, command: Extract<Command, { do: 'cancel' }>): Result<Plan> {
    const task = findWritable(tx, agent, command.taskUid)
    if (!task.ok) return task
    const { reason, by } = command
    // A reason is a code from a list: free text would be a way around the owner's disclosure rules.
    if (reason !== undefined && !isCancelReason(reason)) {
      return fail(badRequest('invalid_field', `reason must be one of ${CANCEL_REASONS.join(', ')}`, 'reason'))
    }
    const content: TaskDraft = { kind: 'task.cancel', body: reason === undefined ? {} : { reason } }
    const plan = { step: 'add', pair: onlyPair(task.value), content, task: task.value } as const
    return ok(by === undefined ? plan : { ...plan, by })
  }

  function findWritable(tx: StepTx, agent: AgentId, uid: string): Result<TaskRecord> {
    const task = findVisible(tx, book, agent, uid)
    if (!task.ok) return task
    const active = findActive(tx, agent, task.value.peer)
    return active.ok ? task : active
  }

  return { plan, planAsked }
}

function disclosureOf(type: InstalledType, proposal: JsonObject, base?: MessageId): Disclosure {
  const needs = capabilitiesIn(type.definition, proposal)
  return { type, proposal, needs, ...(base === undefined ? {} : { base }) }
}
