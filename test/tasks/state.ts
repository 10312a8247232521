import type { Reduced } from '../../src/tasks/negotiation.js'
import type { OracleState } from './oracle.js'

/** A reduced task in the words of the oracle, to compare. */
export function stateOf(reduced: Reduced): OracleState {
  return {
    status: reduced.status,
    reason: reduced.statusReason,
    pending: reduced.pendingProposalId,
    agreed: reduced.agreedProposalId,
    proposals: reduced.proposals.map(({ proposalId, status }) => [proposalId, status]),
    applied: [...reduced.effects]
      .filter(([, effect]) => effect === 'applied')
      .map(([id]) => id)
      .sort()
  }
}

/** A reduced task with its effects in a map: how they came together is nobody's business. */
export function plainOf(reduced: Reduced): Reduced {
  return { ...reduced, effects: new Map(reduced.effects) }
}
