import { toHex, toUtf8 } from '../base/bytes.js'
import { canonicalText } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { ApprovalId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { HOUR, type Instant } from '../base/time.js'
import { type Approval, type ExactDisclosure, markUsed, payloadOf, permits, statusAt } from '../policy/approval.js'
import { decideDisclosure } from '../policy/disclosure.js'
import { capabilitiesIn } from '../types/proposal.js'
import { changeDesk, deskOf } from './inbox.js'
import { agentKey, approvalKey, askKey, dueKey } from './keys.js'
import type { Random, Tx } from './ports.js'
import type { Asked, Disclosure, NewTask, Plan } from './plan.js'
import type { StepTx } from './steps.js'

/** Questions to the owner: which disclosures need one, and the approvals that came of them (protocols/policy.md). */
export interface AskBook {
  /**
   * What policy says of a plan: undefined = allowed, an approval = the owner must answer it first. Refuses with
   * `policy_denied`, or `rate_limited` when the agent has too many questions open.
   */
  consult(tx: StepTx, plan: Plan, now: Instant): Result<Approval | undefined>
  /** Refuses with `policy_denied` when the owner denies something in the plan; an `ask` counts as answered. */
  denied(tx: Pick<Tx, 'get'>, plan: Plan): Result<void>
  find(tx: Pick<Tx, 'get'>, id: ApprovalId): Approval | undefined
  /** Stages what became of an approval, the badge included. */
  settle(tx: Tx, approval: Approval): void
  /** What an approval would execute. */
  asked(approval: Approval): Asked
}

/** A question in the making. */
interface Question {
  readonly plan: Plan
  readonly discloses: Disclosure
  /** Those that the owner has to open. */
  readonly capabilities: readonly string[]
  readonly key: string
}

export interface AskOptions {
  /** How long a question waits for the owner. */
  readonly approvalHours: number
  /** Open questions that one agent may have: a hijacked agent must not bury its owner. */
  readonly openApprovals: number
}

export function createAskBook(components: { readonly random: Random }, options: AskOptions): AskBook {
  const { random } = components

  const find: AskBook['find'] = (tx, id) => tx.get('approvals', approvalKey(id))

  function verdict(tx: Pick<Tx, 'get'>, plan: Plan): ReturnType<typeof decideDisclosure> {
    if (plan.discloses === undefined) return { effect: 'allow' }
    const { type, proposal } = plan.discloses
    const grants = tx.get('grants', agentKey(plan.pair.agent)) ?? []
    return decideDisclosure(grants, plan.pair.peer, capabilitiesIn(type.definition, proposal))
  }

  const denied: AskBook['denied'] = (tx, plan) => {
    const said = verdict(tx, plan)
    if (said.effect !== 'deny') return ok()
    const message = `Your owner denied ${said.denied.join(', ')} for this contact. Leave out: ${said.fields.join(', ')}.`
    return fail(refusal('policy_denied', message, { denied: said.denied, fields: said.fields }))
  }

  function consult(tx: StepTx, plan: Plan, now: Instant): Result<Approval | undefined> {
    const said = verdict(tx, plan)
    if (said.effect === 'deny') return denied(tx, plan) as Result<undefined>
    if (said.effect === 'allow' || plan.discloses === undefined) return ok(undefined)
    const key = askKey(plan.pair.agent, digestOf(plan, plan.discloses))
    const known = tx.get('asks', key)
    const earlier = known === undefined ? undefined : find(tx, known)
    if (earlier !== undefined && statusAt(earlier, now) === 'pending') return ok(earlier)
    if (earlier !== undefined && permits(earlier, exactly(plan, plan.discloses, earlier), now)) {
      // The owner said yes to exactly these bytes while the task moved on: that yes is used up now.
      const used = markUsed(earlier, now)
      if (used.ok) settle(tx, used.value)
      return used.ok ? ok(undefined) : used
    }
    if (deskOf(tx, plan.pair.agent).approvalsPending >= options.openApprovals) {
      return fail(
        refusal('rate_limited', 'Too many questions wait for your owner. Wait for answers before you ask more.')
      )
    }
    return ok(ask(tx, { plan, discloses: plan.discloses, capabilities: said.capabilities, key }, now))
  }

  function ask(tx: StepTx, question: Question, now: Instant): Approval {
    const { plan, discloses, capabilities, key } = question
    const { task, pair } = plan
    const { name, version, hash } = discloses.type
    const byCapability = capabilitiesIn(discloses.type.definition, discloses.proposal)
    const expiresAt = Math.min(now + options.approvalHours * HOUR, task.expiresAt)
    const approval: Approval = {
      id: newId(now),
      kind: 'disclosure',
      agent: pair.agent,
      contact: pair.peer,
      taskUid: task.uid,
      type: { name, version, hash },
      payload: payloadOf(discloses.proposal),
      capabilities: capabilities.map((capability) => ({ capability, fields: byCapability.get(capability) ?? [] })),
      createdAt: now,
      expiresAt,
      status: 'pending',
      ...(plan.step === 'open' ? newMembers(plan.task) : baseMembers(discloses))
    }
    tx.put('approvals', approvalKey(approval.id), approval)
    tx.put('asks', key, approval.id)
    const due = { at: expiresAt, kind: 'approval', key: approvalKey(approval.id) } as const
    tx.put('due', dueKey(due.at, due.kind, due.key), due)
    changeDesk(tx, pair.agent, (desk) => ({ approvalsPending: desk.approvalsPending + 1 }))
    return approval
  }

  /** 48 bits of time, so that ids sort as the questions came, and 80 random bits. */
  function newId(now: Instant): ApprovalId {
    const time = Math.min(Math.max(0, now), 2 ** 48 - 1)
    return (time.toString(16).padStart(12, '0') + toHex(random.bytes(10))) as ApprovalId
  }

  function settle(tx: Tx, approval: Approval): void {
    const before = find(tx, approval.id)
    tx.put('approvals', approvalKey(approval.id), approval)
    if (before?.status !== 'pending' || approval.status === 'pending') return
    changeDesk(tx, approval.agent, (desk) => ({ approvalsPending: desk.approvalsPending - 1 }))
  }

  return { consult, denied, find, settle, asked }
}

function newMembers(task: NewTask): Pick<Approval, 'action'> & Partial<Approval> {
  return {
    action: 'create',
    taskExpiresAt: task.expiresAt,
    ...(task.title === undefined ? {} : { title: task.title })
  }
}

function baseMembers(discloses: Disclosure): Pick<Approval, 'action'> & Partial<Approval> {
  return { action: 'propose', ...(discloses.base === undefined ? {} : { baseProposalId: discloses.base }) }
}

function exactly(plan: Plan, discloses: Disclosure, approval: Approval): ExactDisclosure {
  return {
    agent: plan.pair.agent,
    contact: plan.pair.peer,
    typeHash: discloses.type.hash,
    // A repeated create is a new draft with a new uid; the yes was to its bytes.
    taskUid: plan.step === 'open' ? approval.taskUid : plan.task.uid,
    payload: payloadOf(discloses.proposal)
  }
}

/** Identical questions are one approval: same agent, contact, task or type, and bytes. */
function digestOf(plan: Plan, discloses: Disclosure): string {
  const subject = plan.step === 'open' ? ['create', discloses.type.hash] : ['propose', plan.task.uid]
  return sha256Hex(toUtf8(canonicalText([...subject, plan.pair.peer, payloadOf(discloses.proposal)])))
}

function asked(approval: Approval): Asked {
  const common = {
    agent: approval.agent,
    contact: approval.contact,
    proposal: JSON.parse(approval.payload) as JsonObject,
    typeHash: approval.type.hash
  }
  if (approval.action === 'propose')
    return { ...common, action: 'propose', taskUid: approval.taskUid, base: approval.baseProposalId }
  if (approval.taskExpiresAt === undefined) throw new Error(`approval ${approval.id} lacks the end of its task`)
  const task: NewTask = {
    uid: approval.taskUid,
    expiresAt: approval.taskExpiresAt,
    ...(approval.title === undefined ? {} : { title: approval.title })
  }
  return { ...common, action: 'create', task }
}
