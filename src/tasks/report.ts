import type { MessageId } from '../base/ids.js'
import type { Instant } from '../base/time.js'
import { type Side, type TaskLog, otherSide } from './log.js'
import { fold } from './fold.js'
import type { Reduced, ReducedProposal, ReducedStatus } from './negotiation.js'
import { agreementSettled, isSettled } from './settle.js'

/** The status that a node reports: the fold overlaid with what only this node knows. Source: protocols/tasks.md, "Report". */

export type TaskStatus = ReducedStatus | 'awaiting_approval'

export interface ReportInput {
  readonly log: TaskLog
  /** Which side this node's agent is. */
  readonly self: Side
  readonly now: Instant
  /** Last seq of the peer's whole chain that we hold. */
  readonly inSeq: number
  /**
   * Whether `expired` was reported before. The caller latches it with the commit or read that first reports it: a clock
   * that jumps back does not revive a task.
   */
  readonly expired: boolean
  /** Whether an approval for an action on the agreed plan waits for the owner. */
  readonly awaitingApproval: boolean
}

export interface Report {
  readonly status: TaskStatus
  readonly statusReason?: string
  /** Our own cancel has effect, but what is on its way may still beat it. */
  readonly cancelRequested: boolean
  readonly proposals: readonly ReducedProposal[]
  readonly agreedProposalId?: MessageId
  /** Whether the agreement is settled; false without one. */
  readonly settled: boolean
  /** The fold underneath. */
  readonly reduced: Reduced
}

/** The one place where a reported status is made. No terminal status is ever followed by another. */
export function report(input: ReportInput): Report {
  const { log, self, now, inSeq } = input
  const reduced = fold(log, now)
  const cancelRequested = !input.expired && cancelIsOpen(reduced, log, self, inSeq)
  const status = statusOf(input, reduced, cancelRequested)
  const reason = reduced.status === status ? reduced.statusReason : undefined
  return {
    status,
    ...(reason === undefined ? {} : { statusReason: reason }),
    cancelRequested,
    proposals: reduced.proposals,
    ...(reduced.agreedProposalId === undefined ? {} : { agreedProposalId: reduced.agreedProposalId }),
    settled: agreementSettled(reduced, log, self, inSeq),
    reduced
  }
}

function statusOf(input: ReportInput, reduced: Reduced, cancelRequested: boolean): TaskStatus {
  if (input.expired) return 'expired'
  if (cancelRequested && reduced.cancel !== undefined) return reduced.cancel.from
  return reduced.status === 'agreed' && input.awaitingApproval ? 'awaiting_approval' : reduced.status
}

function cancelIsOpen(reduced: Reduced, log: TaskLog, self: Side, inSeq: number): boolean {
  const cancel = reduced.cancel
  if (cancel === undefined || cancel.side !== self) return false
  if (isSettled(log[self], cancel.n, inSeq)) return false
  // Both cancelled at once: the peer's stands even if ours should fall, so the end is final.
  return !log[otherSide(self)].some(
    (peer) => peer.kind === 'task.cancel' && reduced.effects.get(peer.id) === 'illegal_transition'
  )
}
