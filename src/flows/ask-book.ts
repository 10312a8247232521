import { toHex, toUtf8 } from '../base/bytes.js'
import { canonicalText } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { AgentId, ApprovalId, TaskUid } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { HOUR, type Instant } from '../base/time.js'
import {
  type Approval,
  type AskedCapability,
  type Subject,
  boundText,
  isLive,
  markStale,
  markUsed,
  permits,
  raisedBy,
  statusAt,
  waitsToItsEnd
} from '../policy/approval.js'
import { type DisclosureDecision, decideDisclosure } from '../policy/disclosure.js'
import { auditApproval } from './audit-approvals.js'
import { denialOf, tellDenial } from './denials.js'
import { grantsOfAgent } from './grants.js'
import { changeDesk, deskOf } from './inbox.js'
import { agentKey, approvalKey, askKey, dueKey } from './keys.js'
import type { Clock, Random, Tx } from './ports.js'
import type { StepTx } from './steps.js'

/** Questions to the owner of every kind: which need one, and the approvals that came of them (protocols/policy.md). */
export interface AskBook {
  /**
   * What policy says of a deed: undefined = allowed, a pending approval = the owner must answer it first, a used one = a
   * yes that was given to exactly this was spent now. The question is put into words only when there may be one to ask or
   * to take back. Refuses with `policy_denied`, or `rate_limited` when too many are open.
   */
  consult(tx: StepTx, need: Need, worded: () => Question, now: Instant): Result<Approval | undefined>
  /** What the grants say of the capabilities that a deed needs. */
  verdict(tx: Pick<Tx, 'get'>, need: Need): DisclosureDecision
  /** Refuses with `policy_denied` when the owner denies something that is needed; an `ask` counts as answered. */
  denied(tx: Pick<Tx, 'get'>, need: Need): Result<void>
  /** As `denied`, of an attempt that is made now: a refusal is told of in the audit log. */
  attempted(tx: Tx, question: Question, now: Instant): Result<void>
  /** The open approval for exactly this, or a new one. Refuses with `rate_limited`. */
  raise(tx: StepTx, question: Question, capabilities: readonly string[], now: Instant): Result<Approval>
  /**
   * The deed goes without asking by now: stages as stale the question that still waits, for a yes would only do it a
   * second time. Answers that question.
   */
  overtake(tx: StepTx, question: Question, now: Instant): Approval | undefined
  find(tx: Pick<Tx, 'get'>, id: ApprovalId): Approval | undefined
  /** Those of an agent that wait for an answer or for their yes to be spent. */
  live(tx: Pick<Tx, 'get'>, agent: AgentId): readonly Approval[]
  /** Stages what became of an approval, the badge included. */
  settle(tx: Tx, approval: Approval): void
}

/** What a deed towards a contact needs of the owner's grants. */
export interface Need {
  readonly agent: AgentId
  readonly contact: AgentId
  /** The capabilities, each with the top-level fields under it. */
  readonly needs: ReadonlyMap<string, readonly string[]>
}

/** A deed that may need the owner. */
export interface Question extends Need {
  readonly taskUid?: TaskUid
  readonly subject: Subject
  /** Canonical text of exactly what a yes would be bound to. */
  readonly payload: string
  /** When it is pointless at the latest. */
  readonly until: Instant
  /** `new`: the task does not exist yet, so its uid does not tell two questions apart. */
  readonly task: 'known' | 'new'
}

export interface AskOptions {
  /** How long a question waits for the owner. */
  readonly approvalHours: number
  /** Open questions that one agent, or all its peers, may give rise to: nobody must bury the owner in them. */
  readonly openApprovals: number
}

export function createAskBook(
  components: { readonly random: Random; readonly clock: Clock },
  options: AskOptions
): AskBook {
  const { random, clock } = components

  const find: AskBook['find'] = (tx, id) => tx.get('approvals', approvalKey(id))

  const verdict: AskBook['verdict'] = (tx, { agent, contact, needs }) =>
    decideDisclosure(grantsOfAgent(tx, agent), contact, needs)

  const denied: AskBook['denied'] = (tx, need) => {
    const said = verdict(tx, need)
    if (said.effect !== 'deny') return ok()
    const drop = said.fields.length === 0 ? '' : ` Leave out: ${said.fields.join(', ')}.`
    const message = `Your owner denied ${said.denied.join(', ')} for this contact.${drop}`
    return fail(refusal('policy_denied', message, { denied: said.denied, fields: said.fields }))
  }

  const attempted: AskBook['attempted'] = (tx, question, now) => {
    const said = verdict(tx, question)
    if (said.effect === 'deny') tellDenial(tx, denialOf(tx, question, said.denied), now)
    return denied(tx, question)
  }

  function consult(tx: StepTx, need: Need, worded: () => Question, now: Instant): Result<Approval | undefined> {
    const said = verdict(tx, need)
    if (said.effect === 'deny') return attempted(tx, worded(), now) as Result<undefined>
    if (said.effect === 'allow') {
      if (idsOf(tx, need.agent).length > 0) overtake(tx, worded(), now)
      return ok(undefined)
    }
    const question = worded()
    const earlier = lastAsked(tx, question)
    if (earlier !== undefined && permits(earlier, exactly(question, earlier), now)) {
      // The owner said yes to exactly these bytes while the task moved on: that yes is used up now.
      const used = markUsed(earlier, now)
      if (used.ok) settle(tx, used.value)
      return used
    }
    return raise(tx, question, said.capabilities, now)
  }

  function overtake(tx: StepTx, question: Question, now: Instant): Approval | undefined {
    const earlier = lastAsked(tx, question)
    if (earlier === undefined || statusAt(earlier, now) !== 'pending') return undefined
    settle(tx, markStale(earlier))
    return earlier
  }

  function lastAsked(tx: Pick<Tx, 'get'>, question: Question): Approval | undefined {
    const known = tx.get('asks', askKey(question.agent, digestOf(question)))
    return known === undefined ? undefined : find(tx, known)
  }

  function raise(tx: StepTx, question: Question, capabilities: readonly string[], now: Instant): Result<Approval> {
    const earlier = lastAsked(tx, question)
    if (earlier !== undefined && statusAt(earlier, now) === 'pending') return ok(earlier)
    const { approvalsPending, approvalsOfPeers = 0 } = deskOf(tx, question.agent)
    const open = raisedBy(question) === 'peer' ? approvalsOfPeers : approvalsPending - approvalsOfPeers
    if (open >= options.openApprovals) {
      const message = 'Too many questions wait for your owner. Wait for answers before you ask more.'
      return fail(refusal('rate_limited', message, { code: 'too_many_approvals' }))
    }
    const { needs } = question
    const asked = capabilities.map((capability) => ({ capability, fields: needs.get(capability) ?? [] }))
    return ok(store(tx, question, asked, now))
  }

  function store(tx: StepTx, question: Question, capabilities: readonly AskedCapability[], now: Instant): Approval {
    const { agent, contact, taskUid, subject, payload } = question
    const expiresAt = waitsToItsEnd(question)
      ? question.until
      : Math.min(now + options.approvalHours * HOUR, question.until)
    const approval: Approval = {
      id: newId(now),
      agent,
      contact,
      ...(taskUid === undefined ? {} : { taskUid }),
      subject,
      payload,
      capabilities,
      createdAt: now,
      expiresAt,
      status: 'pending'
    }
    settle(tx, approval)
    tx.put('asks', askKey(agent, digestOf(question)), approval.id)
    const due = { at: expiresAt, kind: 'approval', key: approvalKey(approval.id) } as const
    tx.put('due', dueKey(due.at, due.kind, due.key), due)
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
    auditApproval(tx, before, approval, clock.now())
    const waits = Number(approval.status === 'pending') - Number(before?.status === 'pending')
    if (waits !== 0) count(tx, approval, waits)
    if (isLive(approval) !== (before !== undefined && isLive(before))) list(tx, approval)
  }

  function count(tx: Tx, approval: Approval, change: number): void {
    changeDesk(tx, approval.agent, ({ approvalsPending, approvalsOfPeers = 0 }) => ({
      approvalsPending: approvalsPending + change,
      ...(raisedBy(approval) === 'peer' ? { approvalsOfPeers: approvalsOfPeers + change } : {})
    }))
  }

  function list(tx: Tx, approval: Approval): void {
    const others = idsOf(tx, approval.agent).filter((id) => id !== approval.id)
    tx.put('live', agentKey(approval.agent), isLive(approval) ? [...others, approval.id] : others)
  }

  function idsOf(tx: Pick<Tx, 'get'>, agent: AgentId): readonly ApprovalId[] {
    return tx.get('live', agentKey(agent)) ?? []
  }

  function live(tx: Pick<Tx, 'get'>, agent: AgentId): readonly Approval[] {
    return idsOf(tx, agent).flatMap((id) => find(tx, id) ?? [])
  }

  return { consult, verdict, denied, attempted, raise, overtake, find, live, settle }
}

/** What a question is about, as a yes to `approval` would have to bind it: a repeated create is a draft with a new uid. */
function exactly(question: Question, approval: Approval): Parameters<typeof permits>[1] {
  const { agent, contact, subject, payload } = question
  const taskUid = question.task === 'new' ? approval.taskUid : question.taskUid
  return { agent, contact, subject, payload, ...(taskUid === undefined ? {} : { taskUid }) }
}

/** Identical questions are one approval: same agent, contact, task, subject and bytes. */
function digestOf({ contact, taskUid, subject, payload, task }: Question): string {
  const place = task === 'new' || taskUid === undefined ? '' : taskUid
  return sha256Hex(toUtf8(canonicalText([boundText(subject), contact, place, payload])))
}
