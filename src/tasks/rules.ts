import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { Definition } from '../types/definition.js'
import { checkProposal } from '../types/proposal.js'
import {
  type Place,
  type RefuseCode,
  type Side,
  type TaskContent,
  type TaskEntry,
  type TaskLog,
  expiryOf,
  isFull,
  otherSide
} from './log.js'
import { fold } from './fold.js'
import { isNegotiable, isPerishable } from './negotiation.js'
import { checkJobStep } from './job/rules.js'
import { type Report, type ReportInput, type TaskStatus, report } from './report.js'

/** What a side may write next, and what it refuses of the other. Source: protocols/tasks.md, "What a node writes" and "What a node refuses". */

/** What an agent wants to write; `task.invite` opens a task and `task.refuse` is the node's own, so neither is judged here. */
export type TaskDraft = Exclude<TaskContent, { kind: 'task.invite' | 'task.refuse' }>

/**
 * Whether a message of ours, sealed now, would have effect. Refuses with a `conflict`: `version_conflict`,
 * `illegal_transition`, `agreement_not_settled` or `task_full`. `reported`: the report of this input, if it was made.
 */
export function wouldApply(input: ReportInput, draft: TaskDraft, reported: Report = report(input)): Result<void> {
  if (reported.cancelRequested) {
    return illegal('A cancel of this task is under way: nothing more can be written. Read the task again later.')
  }
  const verdict = checkDraft(input, reported, draft)
  if (!verdict.ok || !isFull(input.log[input.self], draft.kind)) return verdict
  return fail(conflict('task_full', 'This side has used up its messages in this task. Open a new task.'))
}

function checkDraft(input: ReportInput, reported: Report, draft: TaskDraft): Result<void> {
  switch (draft.kind) {
    case 'task.propose':
      return isNegotiable(reported.status) ? ok() : notNow(reported.status, 'take a proposal')
    case 'task.respond':
      return checkRespond(input.self, reported, draft.body.proposalId)
    case 'task.confirm':
      return checkConfirm(input.self, reported, draft.body)
    case 'task.cancel':
      return isNegotiable(reported.status) || isAgreed(reported.status) ? ok() : notNow(reported.status, 'be cancelled')
    case 'job.pay':
    case 'job.unpaid':
    case 'job.paid':
    case 'job.deliver':
    case 'job.complete':
      return checkJobStep(input.self, reported, draft)
  }
}

function checkRespond(self: Side, reported: Report, proposalId: string): Result<void> {
  if (!isNegotiable(reported.status) && !isAgreed(reported.status)) return notNow(reported.status, 'take a response')
  const target = reported.proposals.find((proposal) => proposal.proposalId === proposalId)
  if (target === undefined) return stale('This task has no such proposal. Read the task again.')
  if (target.status !== 'pending') return stale(`This proposal is already ${target.status}. Read the task again.`)
  if (target.side === self)
    return stale('This is your own proposal: it counts as your acceptance. Wait for the other side.')
  return ok()
}

function checkConfirm(self: Side, reported: Report, body: { proposalId: string; recordId: string }): Result<void> {
  if (reported.reduced.job !== undefined)
    return illegal('A paid job has no actions: it is paid, delivered and completed.')
  if (!isAgreed(reported.status) && reported.status !== 'confirmed') return notNow(reported.status, 'be confirmed')
  if (reported.agreedProposalId !== body.proposalId)
    return stale('This is not the agreed proposal. Read the task again.')
  if (!reported.settled) {
    return fail(
      conflict(
        'agreement_not_settled',
        'The other node has not yet stored the acceptance. Try again when it is delivered.'
      )
    )
  }
  const known = reported.reduced.confirms.some((done) => done.side === self && done.recordId === body.recordId)
  return known ? illegal('This record was confirmed before.') : ok()
}

export interface JudgeInput {
  /** What was held before this message. */
  readonly log: TaskLog
  /** The side that wrote `entry`. */
  readonly side: Side
  /** The inbound message; it has its place in the log. */
  readonly entry: TaskEntry
  readonly now: Instant
  /** Whether this node reported the task as expired before. */
  readonly expired: boolean
  /** The pinned definition of the task's type; without it (its invite was refused) proposals are not checked. */
  readonly definition: Definition | undefined
}

/**
 * The code by which this node refuses an inbound message in the commit that stores it; undefined lets it stand. A
 * `task.refuse` and what can't be read are never refused: the one has no effect to take away, nor has the other.
 */
export function judge(input: JudgeInput): RefuseCode | undefined {
  const { entry, log, side } = input
  if (entry.kind === 'task.refuse' || entry.kind === 'opaque') return undefined
  if (isOver(input)) return 'task_expired'
  if (isBackdated(log[otherSide(side)], entry)) return 'backdated'
  if (entry.kind !== 'task.invite' && entry.kind !== 'task.propose') return undefined
  if (input.definition === undefined) return undefined
  return checkProposal(input.definition, entry.body.proposal).ok ? undefined : 'invalid_proposal'
}

function isOver({ log, entry, now, expired }: JudgeInput): boolean {
  if (log.inviter.length === 0) return entry.kind === 'task.invite' && now > expiryOf(entry)
  const reduced = fold(log, now)
  return reduced.status === 'expired' || (expired && isPerishable(reduced))
}

/** The writer's node had stored one of ours when it wrote this (its receipt says so), yet this does not count it. */
export function isBackdated(ours: readonly Place[], entry: Place): boolean {
  return ours.slice(entry.seen).some((unseen) => unseen.coverHead !== undefined && entry.seq > unseen.coverHead)
}

function isAgreed(status: TaskStatus): boolean {
  return status === 'agreed' || status === 'awaiting_approval'
}

function notNow(status: TaskStatus, what: string): ReturnType<typeof fail> {
  return illegal(`The task is ${status}: it can't ${what}. ${ALLOWED[status]}`)
}

/** What may be done instead, by status; it ends the message of an `illegal_transition`. */
const ALLOWED: Readonly<Record<TaskStatus, string>> = {
  open: 'Propose, answer the pending proposal, or cancel.',
  negotiating: 'Propose, answer the pending proposal, or cancel.',
  agreed: 'Run an action on the agreed plan, or cancel.',
  awaiting_approval: 'Wait for the owner, or cancel.',
  confirmed: 'Only further actions on the agreed plan are possible.',
  paying: 'A payment is under way. Wait for the provider to say that it arrived.',
  paid: 'The provider delivers next.',
  delivered: 'The hirer completes it next.',
  completed: 'It has ended: open a new task.',
  cancelled: 'It has ended: open a new task.',
  expired: 'It has ended: open a new task.'
}

function illegal(message: string): ReturnType<typeof fail> {
  return fail(conflict('illegal_transition', message))
}

function stale(message: string): ReturnType<typeof fail> {
  return fail(conflict('version_conflict', message))
}
