import { toHex } from '../base/bytes.js'
import { type AgentId, parseApprovalId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { type ActionSubject, type Approval, binds, markUsed, permits, statusAt } from '../policy/approval.js'
import { capabilityOf } from '../policy/capability.js'
import { actionsOf, completeParams, sharedParams } from '../types/actions.js'
import { type Deed, confirmOf, exactOf, keyOf, needsOf, questionOf, unknownAction } from './action-deed.js'
import type { AskBook } from './ask-book.js'
import { record as audit } from './audit.js'
import { grantsBehind } from './audit-tasks.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { denialOf, tellDenial } from './denials.js'
import type { ActionCommand, Answered, Once } from './doors.js'
import { runOnce } from './once.js'
import type { Clock, Random, Tx } from './ports.js'
import type { ActionRecord, TaskRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'
import { findVisible } from './task-view.js'
import type { TypeBook } from './type-book.js'
import type { ActionView } from './views/approvals.js'
import type { ActionAnswer } from './views/tasks.js'

/**
 * Actions on an agreed plan: checked, asked for, recorded, told to the peer; nothing is done in the outside world
 * (protocols/policy.md, "Actions").
 */
export interface Actions {
  run(agent: AgentId, command: ActionCommand, once?: Once): Promise<Result<Answered<ActionAnswer>>>
  /** Whether the action could still be recorded. */
  standing(tx: Pick<Tx, 'get'>, approval: Approval<ActionSubject>, now: Instant): boolean
  /** What the owner sees of it. */
  view(tx: Pick<Tx, 'get'>, approval: Approval<ActionSubject>, now: Instant): ActionView
  /** Stages that the task waits for the owner no longer because of this approval. */
  release(tx: Tx, approval: Approval): void
}

export function createActions(components: {
  readonly steps: Steps
  readonly submit: Submit
  readonly asks: AskBook
  readonly book: TaskBook
  readonly contacts: ContactBook
  readonly types: TypeBook
  readonly clock: Clock
  readonly random: Random
}): Actions {
  const { steps, submit, asks, book, contacts, types, clock, random } = components

  function run(agent: AgentId, command: ActionCommand, once?: Once): Promise<Result<Answered<ActionAnswer>>> {
    return steps.run((tx) => {
      const now = clock.now()
      return runOnce(tx, once, now, () => decide(tx, agent, command, now))
    })
  }

  function decide(tx: StepTx, agent: AgentId, command: ActionCommand, now: Instant): Result<ActionAnswer> {
    const resolved = resolve(tx, agent, command, now)
    if (!resolved.ok) return resolved
    const deed = resolved.value
    const named = approvalNamed(tx, deed, command.approvalId)
    if (!named.ok) return named
    const done = tx.get('actions', keyOf(deed))
    if (done !== undefined) return ok(recorded(done))
    const active = activeContact(tx, deed.task)
    if (!active.ok) return active
    const acceptable = submit.acceptable(tx, confirmOf(deed, ''), now)
    if (!acceptable.ok) return acceptable
    const denied = asks.attempted(tx, deed.question, now)
    if (!denied.ok) return denied
    const approval = named.value
    if (approval !== undefined && permits(approval, exactOf(deed.question), now)) {
      return perform(tx, deed, approval, now)
    }
    if (asks.verdict(tx, deed.question).effect === 'allow') return perform(tx, deed, undefined, now)
    return approval === undefined ? ask(tx, deed, now) : unspendable(tx, deed, approval, now)
  }

  // ---- resolved and checked ----

  function resolve(tx: StepTx, agent: AgentId, command: ActionCommand, now: Instant): Result<Deed> {
    const found = findVisible(tx, book, agent, command.taskUid)
    if (!found.ok) return found
    const task = book.latch(tx, found.value, now)
    const type = types.byHash(tx, task.type.hash)
    if (type === undefined) throw new Error(`task ${task.uid} is pinned to a type that this node does not have`)
    const offered = actionsOf(type.definition)
    const action = offered.find((one) => one.name === command.action)
    if (action === undefined) return fail(unknownAction(offered))
    const { agreedProposalId, proposals, status } = book.report(tx, task, now)
    const agreed = proposals.find((one) => one.proposalId === agreedProposalId)
    if (agreed === undefined) {
      return fail(conflict('illegal_transition', `The task is ${status}: an action needs an agreed plan.`, { status }))
    }
    const params = completeParams(action, agreed.proposal, command.params ?? {})
    if (!params.ok) return params
    const question = questionOf(task, type, { action, params: params.value, proposalId: agreed.proposalId })
    return ok({ task, action, params: params.value, plan: agreed.proposal, question })
  }

  /** The approval that the call names. It must be one for exactly this, whatever became of it. */
  function approvalNamed(tx: StepTx, { question }: Deed, id: string | undefined): Result<Approval | undefined> {
    if (id === undefined) return ok(undefined)
    const parsed = parseApprovalId(id)
    const approval = parsed.ok ? asks.find(tx, parsed.value) : undefined
    if (approval === undefined || approval.agent !== question.agent) {
      return fail(refusal('not_found', 'There is no such approval.', { field: 'approvalId' }))
    }
    if (binds(approval, exactOf(question))) return ok(approval)
    const message = 'This approval is for another task, action or other params. Call without approvalId to ask anew.'
    return fail(conflict('approval_mismatch', message, { field: 'approvalId' }))
  }

  // ---- asked for ----

  function ask(tx: StepTx, { task, question, action }: Deed, now: Instant): Result<ActionAnswer> {
    const asked = asks.raise(tx, question, [capabilityOf(action.name)], now)
    if (!asked.ok) return asked
    book.awaitOwner(tx, task, { approvalId: asked.value.id, until: asked.value.expiresAt })
    return ok(pending(asked.value, task))
  }

  /** What the agent is told of an approval that holds no yes to spend. */
  function unspendable(tx: Tx, deed: Deed, approval: Approval, now: Instant): Result<ActionAnswer> {
    switch (statusAt(approval, now)) {
      case 'pending':
        return ok(pending(approval, deed.task))
      case 'expired':
        return fail(conflict('approval_expired', 'This approval has expired. Call without approvalId to ask anew.'))
      case 'denied': {
        const capabilities = [capabilityOf(deed.action.name)]
        const denial = denialOf(tx, deed.question, capabilities)
        tellDenial(tx, { ...denial, under: { approvalId: approval.id } }, now)
        const message = 'Your owner said no to exactly this. Do not ask for it in another way.'
        return fail(refusal('policy_denied', message, { denied: capabilities, fields: [] }))
      }
      default:
        return fail(
          conflict('approval_stale', 'The world moved while this approval waited. Call without approvalId to ask anew.')
        )
    }
  }

  // ---- recorded and told ----

  function perform(tx: StepTx, deed: Deed, approval: Approval | undefined, now: Instant): Result<ActionAnswer> {
    const used = approval === undefined ? undefined : markUsed(approval, now)
    if (used?.ok === false) return used
    const recordId = toHex(random.bytes(16))
    const sealed = submit.seal(tx, confirmOf(deed, recordId), now)
    if (!sealed.ok) return sealed
    if (used !== undefined) asks.settle(tx, used.value)
    else overtake(tx, deed.question, now)
    const { agent, contact, subject } = deed.question
    const entry: ActionRecord = {
      recordId,
      agent,
      contact,
      taskUid: deed.task.uid,
      action: subject.action,
      proposalId: subject.proposalId,
      params: deed.params,
      at: now,
      ...(approval === undefined ? {} : { approvalId: approval.id })
    }
    tx.put('actions', keyOf(deed), entry)
    tell(tx, entry, now)
    return ok(recorded(entry))
  }

  function overtake(tx: StepTx, question: Deed['question'], now: Instant): void {
    const waited = asks.overtake(tx, question, now)
    if (waited !== undefined) release(tx, waited)
  }

  /** Refuses with `not_contact` or `contact_frozen`. */
  function activeContact(tx: Pick<Tx, 'get'>, task: TaskRecord): Result<void> {
    const known = contacts.find(tx, task)
    if (known === undefined) throw new Error(`task ${task.uid} is with nobody`)
    return requireActive(known)
  }

  function standing(tx: Pick<Tx, 'get'>, approval: Approval<ActionSubject>, now: Instant): boolean {
    const { agent, contact, taskUid, subject } = approval
    const task = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    if (task === undefined || !activeContact(tx, task).ok) return false
    const { status, agreedProposalId, cancelRequested } = book.report(tx, task, now)
    const going = status === 'agreed' || status === 'awaiting_approval' || status === 'confirmed'
    if (!going || cancelRequested || agreedProposalId !== subject.proposalId) return false
    return asks.verdict(tx, { agent, contact, needs: needsOf(subject.action) }).effect !== 'deny'
  }

  function release(tx: Tx, { id, agent, taskUid }: Approval): void {
    const task = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    if (task !== undefined) book.releaseOwner(tx, task, id)
  }

  function view(
    tx: Pick<Tx, 'get'>,
    { agent, taskUid, subject, payload }: Approval<ActionSubject>,
    now: Instant
  ): ActionView {
    const { type, proposalId, action } = subject
    const known = types.byHash(tx, type.hash)
    const offered = known === undefined ? undefined : actionsOf(known.definition).find((one) => one.name === action)
    const task = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    const plans = task === undefined ? [] : book.report(tx, task, now).proposals
    const proposal = plans.find((one) => one.proposalId === proposalId)?.proposal ?? {}
    const params = JSON.parse(payload) as JsonObject
    const leaves = offered === undefined ? {} : sharedParams(offered, proposal, params)
    return { kind: 'action', action, label: offered?.label ?? action, type, params, leaves, proposalId, proposal }
  }

  return { run, standing, view, release }
}

type Pending = Extract<ActionAnswer, { readonly status: 'pending_approval' }>

function pending(approval: Approval, task: TaskRecord): Pending {
  return { status: 'pending_approval', approvalId: approval.id, taskUid: task.uid }
}

function recorded({ recordId }: ActionRecord): ActionAnswer {
  return { status: 'recorded', simulated: true, recordId }
}

function tell(tx: Tx, entry: ActionRecord, now: Instant): void {
  const { agent, contact, taskUid, action, recordId, approvalId } = entry
  const about = { agent, contact, taskUid, action, recordId }
  const grants = grantsBehind(tx, { agent, peer: contact }, [capabilityOf(action)])
  const under = approvalId === undefined ? grants : { approvalId }
  audit(tx, { at: now, who: { kind: 'agent', id: agent }, what: 'action.recorded', about, under })
}
