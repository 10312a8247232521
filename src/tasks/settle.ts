import type { Reduced } from './negotiation.js'
import type { Side, TaskEntry, TaskLog } from './log.js'

/** When nothing that is still on its way can change what was written. Source: protocols/tasks.md, "Settled". */

/**
 * Whether one of our own entries is settled: the peer's receipt covers it, and we hold everything that the peer had
 * written by then. `inSeq`: last seq of the peer's chain that we hold.
 */
export function isSettled(entry: TaskEntry, inSeq: number): boolean {
  return entry.coverHead !== undefined && inSeq >= entry.coverHead
}

/** Whether the agreement is settled for `self`: the acceptance is the peer's and we hold it, or it is ours and settled. */
export function agreementSettled(reduced: Reduced, log: TaskLog, self: Side, inSeq: number): boolean {
  const acceptance = reduced.acceptance
  if (acceptance === undefined) return false
  if (acceptance.side !== self) return true
  const entry = log[self][acceptance.n - 1]
  return entry !== undefined && isSettled(entry, inSeq)
}
