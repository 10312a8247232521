import type { Reduced } from './negotiation.js'
import type { Place, Side, TaskLog } from './log.js'

/** When nothing that is still on its way can change what was written. Source: protocols/tasks.md, "Settled". */

/**
 * Whether one of our own entries is settled: the peer's receipts cover it and every own entry before it, and we hold all
 * that the peer had written by then. `own`: our chain; `n`: place of the entry; `inSeq`: last seq of the peer's chain
 * that we hold. A peer that lies may name a lower head for a later entry, so the entries before are asked as well.
 */
export function isSettled(own: readonly Place[], n: number, inSeq: number): boolean {
  return own.length >= n && own.slice(0, n).every(({ coverHead }) => coverHead !== undefined && inSeq >= coverHead)
}

/** Whether the agreement is settled for `self`: the acceptance is the peer's and we hold it, or it is ours and settled. */
export function agreementSettled(reduced: Reduced, log: TaskLog, self: Side, inSeq: number): boolean {
  const acceptance = reduced.acceptance
  if (acceptance === undefined) return false
  return acceptance.side !== self || isSettled(log[self], acceptance.n, inSeq)
}
