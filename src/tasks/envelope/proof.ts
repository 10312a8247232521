import type { ReducedEnvelope } from './fold.js'

/** How far a result is proved. Source: protocols/envelopes.md, "Evidence". */

/** `claimed`: the recipient says so. `verified`, `disputed`: the sender ran the command itself. */
export type Proof = 'none' | 'claimed' | 'verified' | 'disputed'

/** What the sender saw last in a run of its own outranks what the recipient says it saw. */
export function proofOf({ result, verdicts }: Pick<ReducedEnvelope, 'result' | 'verdicts'>): Proof {
  if (result === undefined) return 'none'
  const rerun = verdicts.filter(({ body }) => body.run !== undefined).at(-1)
  if (rerun === undefined) return 'claimed'
  return rerun.body.passed ? 'verified' : 'disputed'
}
