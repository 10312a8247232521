import type { BodyOf } from '../../wire/kinds.js'
import type { Contract, Evidence, Run } from '../../wire/envelope-bodies.js'

/** What evidence must show before a task is completed. Source: protocols/envelopes.md, "Evidence". */

export type EvidenceLack = 'evidence_command_mismatch' | 'acceptance_check_failed' | 'end_to_end_not_passed'

/** What evidence lacks to complete a task with this contract; undefined when it lacks nothing. */
export function lackOf(contract: Contract, evidence: Evidence): EvidenceLack | undefined {
  if (evidence.command !== contract.acceptanceCheck.passFailCommand) return 'evidence_command_mismatch'
  if (evidence.exitStatus !== 0) return 'acceptance_check_failed'
  return evidence.endToEnd.passed ? undefined : 'end_to_end_not_passed'
}

/** What a second opinion that ran the command again gets wrong about it; undefined when it is sound. */
export function lackOfVerdict(contract: Contract, verdict: BodyOf<'envelope.verdict'>): EvidenceLack | undefined {
  const run: Run | undefined = verdict.run
  if (run === undefined) return undefined
  if (run.command !== contract.acceptanceCheck.passFailCommand) return 'evidence_command_mismatch'
  return verdict.passed && run.exitStatus !== 0 ? 'acceptance_check_failed' : undefined
}
