import { toHex } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import type { Json, JsonObject } from '../base/json.js'
import { type DetailCode, badRequest, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { HOUR, type Instant, isoOf } from '../base/time.js'
import { contractRefusal, dependencyFault, faultsOf } from '../tasks/envelope/contract.js'
import { faultsAmongTasks } from '../tasks/envelope/dependencies.js'
import type { EnvelopeContent } from '../tasks/envelope/log.js'
import type { EnvelopeDraft } from '../tasks/envelope/rules.js'
import { envelopeUid } from '../tasks/envelope/uid.js'
import { type Contract, taskId as taskIdShape } from '../wire/envelope-bodies.js'
import { KINDS } from '../wire/kinds.js'
import { type Pair, onlyPair } from './chain.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import type { EnvelopeBook } from './envelope-book.js'
import { type EnvelopeCommand, contentOf } from './envelope-commands.js'
import { taskIdKey, taskKey } from './keys.js'
import type { Random, Tx } from './ports.js'
import type { EnvelopeRecord } from './records/envelopes.js'
import { MAX_TASK_HOURS } from './invite-judge.js'

/** Commands about delegated tasks, resolved and checked: the second step of their outbound journey. */

type SubmitContent = Extract<EnvelopeContent, { kind: 'envelope.submit' }>

/** What would be sealed, where, and the capability that its text needs. */
export type EnvelopePlan = { readonly pair: Pair; readonly capability?: string } & (
  | { readonly step: 'open'; readonly content: SubmitContent; readonly chosen: boolean; readonly expiresAt: Instant }
  | {
      readonly step: 'add'
      readonly content: EnvelopeDraft
      readonly task: EnvelopeRecord
      /** Whose word it is, when it is not the agent's. */
      readonly by?: 'owner'
    }
)

export interface EnvelopePlanner {
  plan(tx: Pick<Tx, 'get'>, agent: AgentId, command: EnvelopeCommand, now: Instant): Result<EnvelopePlan>
  /** The same for a contract that the owner said yes to. */
  planSubmit(tx: Pick<Tx, 'get'>, pair: Pair, body: SubmitContent['body'], now: Instant): Result<EnvelopePlan>
  /** The same for a message in a task. */
  planDraft(tx: Pick<Tx, 'get'>, task: EnvelopeRecord, content: EnvelopeDraft): Result<EnvelopePlan>
  /** The task that an agent means: its id, or its uid where two senders chose one id. Refuses with `not_found` or `task_id_ambiguous`. */
  find(tx: Pick<Tx, 'get'>, agent: AgentId, taskId: string): Result<EnvelopeRecord>
}

/** Hours that a task lives when its sender says nothing (protocols/socket-api.md, "Task envelopes"). */
const DEFAULT_HOURS = 72

export function createEnvelopePlanner(components: {
  readonly book: EnvelopeBook
  readonly contacts: ContactBook
  readonly random: Random
}): EnvelopePlanner {
  const { book, contacts, random } = components

  function find(tx: Pick<Tx, 'get'>, agent: AgentId, taskId: string): Result<EnvelopeRecord> {
    const named = tx.get('envelopeIds', taskIdKey(agent, taskId)) ?? []
    const byUid = tx.get('envelopes', taskKey(agent, taskId as EnvelopeRecord['uid']))
    const found = [...named.map((uid) => book.find(tx, agent, uid)), byUid].filter(
      (one): one is EnvelopeRecord => one !== undefined && one.hidden !== true
    )
    const [first, second] = found
    if (first === undefined) {
      const message = 'There is no such task. GET /v1/agent/envelopes lists them.'
      return fail(refusal('not_found', message, { field: 'taskId' }))
    }
    if (second === undefined) return ok(first)
    const taskUids = found.map((one) => one.uid)
    const message = 'Two senders chose this id. Name the task by its taskUid.'
    return fail(conflict('task_id_ambiguous', message, { field: 'taskId', taskUids }))
  }

  function plan(tx: Pick<Tx, 'get'>, agent: AgentId, command: EnvelopeCommand, now: Instant): Result<EnvelopePlan> {
    if (command.do === 'submit') return planNew(tx, agent, command, now)
    const task = find(tx, agent, command.taskId)
    if (!task.ok) return task
    const active = mayReach(tx, task.value)
    if (!active.ok) return active
    const staged = tx.get('staged', taskKey(agent, task.value.uid))
    const { reduced } = book.report(tx, task.value, now)
    const content = contentOf(command, { staged, reduced })
    if (!content.ok) return content
    const fault = KINDS[content.value.kind].body.fault(content.value.body as unknown as Json)
    if (fault === undefined) {
      const adding = addingTo(task.value, content.value)
      return ok(command.do === 'cancel' && command.by === 'owner' ? { ...adding, by: 'owner' } : adding)
    }
    return fail(badRequest(fault.code, `${fault.path || 'the request'} ${fault.want}`, fault.path))
  }

  function planDraft(tx: Pick<Tx, 'get'>, task: EnvelopeRecord, content: EnvelopeDraft): Result<EnvelopePlan> {
    const active = mayReach(tx, task)
    return active.ok ? ok(addingTo(task, content)) : active
  }

  /** Refuses with `not_contact` or `contact_frozen`. */
  function mayReach(tx: Pick<Tx, 'get'>, pair: Pair): Result<void> {
    const contact = contacts.find(tx, pair)
    return contact === undefined ? ok() : requireActive(contact)
  }

  function planNew(
    tx: Pick<Tx, 'get'>,
    agent: AgentId,
    command: Extract<EnvelopeCommand, { do: 'submit' }>,
    now: Instant
  ): Result<EnvelopePlan> {
    const hours = command.expiresInHours ?? DEFAULT_HOURS
    if (!Number.isInteger(hours) || hours < 1 || hours > MAX_TASK_HOURS) {
      return no('invalid_field', `expiresInHours must be a whole number from 1 to ${MAX_TASK_HOURS}`, 'expiresInHours')
    }
    const taskId = command.taskId ?? toHex(random.bytes(16))
    const fault = taskIdShape.fault(taskId)
    if (fault !== undefined) return no('invalid_field', `taskId ${fault.want}`, 'taskId')
    const contract = checked(tx, agent, taskId, command.envelope)
    if (!contract.ok) return contract
    const contact = contacts.resolve(tx, agent, command.recipient)
    if (!contact.ok) {
      const { details } = contact.refusal
      return fail({ ...contact.refusal, details: { ...details, field: 'recipient' } })
    }
    const body = { taskId, contract: contract.value, expiresAt: isoOf(now + hours * HOUR) }
    const planned = planSubmit(tx, onlyPair({ agent, peer: contact.value.peer }), body, now)
    if (!planned.ok || planned.value.step !== 'open') return planned
    return ok({ ...planned.value, chosen: command.taskId !== undefined })
  }

  /** Everything that is wrong, by itself and among the agent's other tasks, at once. */
  function checked(tx: Pick<Tx, 'get'>, agent: AgentId, taskId: string, value: JsonObject): Result<Contract> {
    const faults = faultsOf(value, taskId)
    const listed = faults.some((fault) => fault.field.startsWith('dependsOn'))
    const dependsOn = listed ? [] : ((value['dependsOn'] ?? []) as string[])
    const among = faultsAmongTasks(taskId, dependsOn, (id) => dependenciesOf(tx, agent, id))
    const all = [...faults, ...among.map(({ at, code }) => dependencyFault(code, at, dependsOn[at] as string))]
    return all.length === 0 ? ok(value as unknown as Contract) : fail(contractRefusal(all))
  }

  /** What a task that this agent submitted depends on. */
  function dependenciesOf(tx: Pick<Tx, 'get'>, agent: AgentId, taskId: string): readonly string[] | undefined {
    const own = submittedBy(tx, agent, taskId)
    return own === undefined ? undefined : (book.contract(tx, own).dependsOn ?? [])
  }

  function submittedBy(tx: Pick<Tx, 'get'>, agent: AgentId, taskId: string): EnvelopeRecord | undefined {
    const named = tx.get('envelopeIds', taskIdKey(agent, taskId)) ?? []
    return named.map((uid) => book.find(tx, agent, uid)).find((one) => one?.role === 'inviter')
  }

  function planSubmit(
    tx: Pick<Tx, 'get'>,
    pair: Pair,
    body: SubmitContent['body'],
    now: Instant
  ): Result<EnvelopePlan> {
    const active = mayReach(tx, pair)
    if (!active.ok) return active
    if (submittedBy(tx, pair.agent, body.taskId) !== undefined) {
      return fail(conflict('task_id_taken', 'This agent has submitted a task of that id.', { field: 'taskId' }))
    }
    const expiresAt = Date.parse(body.expiresAt)
    if (expiresAt <= now) return fail(conflict('task_expired', 'The task would have ended before the answer.'))
    const content: SubmitContent = { kind: 'envelope.submit', body }
    return ok({ step: 'open', pair, content, chosen: true, expiresAt, capability: 'delegate.submit' })
  }

  return { plan, planSubmit, planDraft, find }
}

function addingTo(task: EnvelopeRecord, content: EnvelopeDraft): Extract<EnvelopePlan, { step: 'add' }> {
  const capability = capabilityOf(content)
  return { step: 'add', pair: onlyPair(task), task, content, ...(capability === undefined ? {} : { capability }) }
}

/** Under which the text of a message leaves; codes need none. Source: protocols/envelopes.md, "Messages". */
function capabilityOf(content: EnvelopeDraft): string | undefined {
  switch (content.kind) {
    case 'envelope.answer':
      return 'delegate.submit'
    case 'envelope.verdict':
      return content.body.note === undefined && content.body.run === undefined ? undefined : 'delegate.submit'
    case 'envelope.result':
      return 'delegate.report'
    case 'envelope.status':
    case 'envelope.reject':
      return content.body.reason === undefined ? undefined : 'delegate.report'
    default:
      return undefined
  }
}

/** Where the messages of a new task travel. */
export function uidOf(plan: Extract<EnvelopePlan, { step: 'open' }>): EnvelopeRecord['uid'] {
  return envelopeUid(plan.pair.agent, plan.pair.peer, plan.content.body.taskId)
}

function no(code: DetailCode, message: string, field: string): ReturnType<typeof fail> {
  return fail(badRequest(code, message, field))
}
