import type { JsonObject } from '../base/json.js'
import { type Result, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { type Approval, type DisclosureSubject, payloadOf } from '../policy/approval.js'
import { decideDisclosure } from '../policy/disclosure.js'
import { isNegotiable } from '../tasks/negotiation.js'
import { capabilitiesIn } from '../types/proposal.js'
import type { AskBook, Need, Question } from './ask-book.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { grantsOfAgent } from './grants.js'
import type { Asked, Disclosure, NewTask, Plan } from './plan.js'
import type { Tx } from './ports.js'
import type { StepTx } from './steps.js'
import type { TaskBook } from './task-book.js'
import type { TypeBook } from './type-book.js'

/** Questions of kind `disclosure`: may this proposal be sent (protocols/policy.md, "Disclosure")? */
export interface Disclosures {
  /** As `AskBook.consult`, of a plan; one that discloses nothing is allowed. */
  consult(tx: StepTx, plan: Plan, now: Instant): Result<Approval | undefined>
  denied(tx: Pick<Tx, 'get'>, plan: Plan): Result<void>
  /** Whether a yes could still lead to the proposal being sent, now or when the agent proposes it anew. */
  standing(tx: Pick<Tx, 'get'>, approval: Approval<DisclosureSubject>, now: Instant): boolean
  /** What a yes would execute. */
  asked(approval: Approval<DisclosureSubject>): Asked
  /** The plan that was the latest when the question was asked. */
  replaced(tx: Pick<Tx, 'get'>, approval: Approval<DisclosureSubject>, now: Instant): JsonObject | undefined
}

export function createDisclosures(components: {
  readonly asks: AskBook
  readonly book: TaskBook
  readonly contacts: ContactBook
  readonly types: TypeBook
}): Disclosures {
  const { asks, book, contacts, types } = components

  function standing(tx: Pick<Tx, 'get'>, approval: Approval<DisclosureSubject>, now: Instant): boolean {
    const { action, type } = approval.subject
    const contact = contacts.find(tx, { agent: approval.agent, peer: approval.contact })
    if (contact === undefined || !requireActive(contact).ok) return false
    const known = types.byHash(tx, type.hash)
    if (known === undefined || (action === 'create' && known.retired)) return false
    const needs = capabilitiesIn(known.definition, proposalOf(approval))
    if (decideDisclosure(grantsOfAgent(tx, approval.agent), approval.contact, needs).effect === 'deny') return false
    return action === 'create' || takesProposals(tx, approval, now)
  }

  function takesProposals(tx: Pick<Tx, 'get'>, { agent, taskUid }: Approval, now: Instant): boolean {
    const record = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
    return record !== undefined && isNegotiable(book.report(tx, record, now).status)
  }

  return {
    consult(tx, plan, now) {
      const { discloses } = plan
      if (discloses === undefined) return ok(undefined)
      const need = needOf(plan, discloses)
      return asks.consult(tx, need, () => questionOf(plan, discloses, need), now)
    },
    denied: (tx, plan) => (plan.discloses === undefined ? ok() : asks.denied(tx, needOf(plan, plan.discloses))),
    standing,
    asked,
    replaced(tx, { agent, taskUid, subject }, now) {
      const record = taskUid === undefined ? undefined : book.find(tx, agent, taskUid)
      if (record === undefined || subject.baseProposalId === undefined) return undefined
      const { proposals } = book.report(tx, record, now)
      return proposals.find((proposal) => proposal.proposalId === subject.baseProposalId)?.proposal
    }
  }
}

export function proposalOf(approval: Approval<DisclosureSubject>): JsonObject {
  return JSON.parse(approval.payload) as JsonObject
}

function needOf({ pair }: Plan, { needs }: Disclosure): Need {
  return { agent: pair.agent, contact: pair.peer, needs }
}

function questionOf(plan: Plan, discloses: Disclosure, need: Need): Question {
  const { name, version, hash } = discloses.type
  return {
    ...need,
    taskUid: plan.task.uid,
    subject: {
      kind: 'disclosure',
      type: { name, version, hash },
      ...(plan.step === 'open' ? newMembers(plan.task) : baseMembers(discloses))
    },
    payload: payloadOf(discloses.proposal),
    until: plan.task.expiresAt,
    task: plan.step === 'open' ? 'new' : 'known'
  }
}

type Members = Omit<DisclosureSubject, 'kind' | 'type'>

function newMembers(task: NewTask): Members {
  return {
    action: 'create',
    taskExpiresAt: task.expiresAt,
    ...(task.title === undefined ? {} : { title: task.title })
  }
}

function baseMembers(discloses: Disclosure): Members {
  return { action: 'propose', ...(discloses.base === undefined ? {} : { baseProposalId: discloses.base }) }
}

function asked(approval: Approval<DisclosureSubject>): Asked {
  const { subject, taskUid } = approval
  if (taskUid === undefined) throw new Error(`approval ${approval.id} lacks its task`)
  const common = {
    agent: approval.agent,
    contact: approval.contact,
    proposal: proposalOf(approval),
    typeHash: subject.type.hash,
    approvalId: approval.id
  }
  if (subject.action === 'propose') return { ...common, action: 'propose', taskUid, base: subject.baseProposalId }
  if (subject.taskExpiresAt === undefined) throw new Error(`approval ${approval.id} lacks the end of its task`)
  const task: NewTask = {
    uid: taskUid,
    expiresAt: subject.taskExpiresAt,
    ...(subject.title === undefined ? {} : { title: subject.title })
  }
  return { ...common, action: 'create', task }
}
