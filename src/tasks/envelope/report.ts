import type { Instant } from '../../base/time.js'
import type { EnvelopeState, Outcome } from '../../wire/envelope-bodies.js'
import type { Side } from '../log.js'
import { isSettled } from '../settle.js'
import { type ReducedEnvelope, foldEnvelope } from './fold.js'
import { type TerminalState, isTerminal } from './lifecycle.js'
import { type EnvelopeLog, submitOf } from './log.js'

/** The state that a node reports: the fold overlaid with what only this node knows. Source: protocols/envelopes.md, "Report". */

/** An end that was reported: it is never followed by another. */
export interface Ended {
  readonly state: TerminalState
  readonly code?: string
  readonly reason?: string
}

export interface EnvelopeReportInput {
  readonly log: EnvelopeLog
  /** Which side this node's agent is: `inviter` sent the task envelope. */
  readonly self: Side
  readonly now: Instant
  /** Last seq of the peer's whole chain that we hold. */
  readonly inSeq: number
  /** The end that this node reported before, as it keeps it. */
  readonly ended: Ended | undefined
}

interface Dependency {
  readonly taskId: string
  /** Absent while the sender's node has not said how it ended. */
  readonly outcome?: Outcome
}

export interface EnvelopeReport {
  readonly state: EnvelopeState
  readonly code?: string
  readonly reason?: string
  /** Our own cancel has effect, but what is on its way may still beat it. */
  readonly cancelRequested: boolean
  readonly dependencies: readonly Dependency[]
  /** Whether the recipient may claim it now. */
  readonly claimable: boolean
  /** The fold underneath. */
  readonly reduced: ReducedEnvelope
}

/** The one place where a reported state is made. No terminal state is ever followed by another. */
export function reportEnvelope(input: EnvelopeReportInput): EnvelopeReport {
  const reduced = foldEnvelope(input.log)
  const cancelRequested = cancelIsOpen(input, reduced)
  const dependencies = dependenciesOf(input.log, reduced)
  const now = input.ended ?? standing(input, reduced, cancelRequested)
  const ready = dependencies.every((one) => one.outcome === 'completed')
  return {
    ...now,
    cancelRequested,
    dependencies,
    claimable: now.state === 'submitted' && ready && input.now <= reduced.expiresAt && !cancelRequested,
    reduced
  }
}

type Standing = Pick<EnvelopeReport, 'state' | 'code' | 'reason'>

function standing(input: EnvelopeReportInput, reduced: ReducedEnvelope, cancelRequested: boolean): Standing {
  // The code of the cancel says why it was asked for, also while it may still fall.
  const { code, reason } = reduced
  const why = { ...(code === undefined ? {} : { code }), ...(reason === undefined ? {} : { reason }) }
  if (cancelRequested && reduced.cancel !== undefined) return { state: reduced.cancel.from, ...why }
  if (isOver(input, reduced)) return { state: 'canceled', code: 'expired' }
  return { state: reduced.state, ...why }
}

/** The recipient's node writes nothing after the end, so what it reports then stays; the sender's cancels. */
function isOver({ self, now }: EnvelopeReportInput, reduced: ReducedEnvelope): boolean {
  return self === 'invitee' && !isTerminal(reduced.state) && now > reduced.expiresAt
}

function cancelIsOpen({ self, log, inSeq, ended }: EnvelopeReportInput, { cancel }: ReducedEnvelope): boolean {
  return ended === undefined && self === 'inviter' && cancel !== undefined && !isSettled(log.inviter, cancel.n, inSeq)
}

function dependenciesOf(log: EnvelopeLog, { outcomes }: ReducedEnvelope): Dependency[] {
  return (submitOf(log).body.contract.dependsOn ?? []).map((taskId) => {
    const outcome = outcomes.get(taskId)
    return outcome === undefined ? { taskId } : { taskId, outcome }
  })
}
