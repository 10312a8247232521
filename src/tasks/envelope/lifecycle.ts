import type { EnvelopeState } from '../../wire/envelope-bodies.js'

/** The permitted edges, and no others. Source: protocols/envelopes.md, "Lifecycle". */

const EDGES: Readonly<Record<EnvelopeState, readonly EnvelopeState[]>> = {
  submitted: ['working', 'failed', 'canceled', 'rejected'],
  working: ['input_required', 'auth_required', 'completed', 'failed', 'canceled'],
  input_required: ['working', 'failed', 'canceled'],
  auth_required: ['working', 'failed', 'canceled'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: []
}

/** States without outgoing edges: a finished task is never reopened. */
export type TerminalState = 'completed' | 'failed' | 'canceled' | 'rejected'

export function mayMove(from: EnvelopeState, to: EnvelopeState): boolean {
  return EDGES[from].includes(to)
}

export function isTerminal(state: EnvelopeState): state is TerminalState {
  return EDGES[state].length === 0
}
