/** How much may be paid without the owner changing the limits. Source: protocols/jobs.md, "Spend limits". */
import { type DetailCode, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { DAY, type Instant } from '../base/time.js'

/** In lamports. */
export interface SpendLimits {
  readonly perJob: bigint
  /** Over any 24 hours. */
  readonly perDay: bigint
}

/** What was promised to be paid: it counts from then on, and no more once it is proved that it never was. */
export interface Spend {
  readonly at: Instant
  readonly lamports: string
  readonly taskUid: string
  readonly attempt: number
  /** When it was seen finalized: by then it had left the wallet. */
  readonly landedAt?: Instant
}

/**
 * Whether one more payment stays within the limits. Refuses with `policy_denied` and `over_job_limit` or `over_day_limit`;
 * `details.left` are the lamports that are left.
 */
export function checkSpend(
  limits: SpendLimits,
  spent: readonly Spend[],
  payment: { readonly lamports: string; readonly now: Instant }
): Result<void> {
  const wanted = BigInt(payment.lamports)
  if (wanted > limits.perJob) return over('over_job_limit', limits.perJob)
  const left = leftOfDay(limits, spent, payment.now)
  return wanted > left ? over('over_day_limit', left) : ok()
}

/** Lamports that may still be promised at `now`; 0 also when more counts than a lowered limit allows. */
export function leftOfDay(limits: SpendLimits, spent: readonly Spend[], now: Instant): bigint {
  const left = limits.perDay - countedOf(countingSpends(spent, now))
  return left < 0n ? 0n : left
}

export function countedOf(counting: readonly Spend[]): bigint {
  return counting.reduce((sum, { lamports }) => sum + BigInt(lamports), 0n)
}

/** From when on it counts no more. */
export function freedAt({ at }: Spend): Instant {
  return at + DAY
}

/** Those that still count at `now`. A clock that was set back makes none of them older. */
export function countingSpends(spent: readonly Spend[], now: Instant): readonly Spend[] {
  return spent.filter((spend) => freedAt(spend) > now)
}

function over(code: DetailCode, left: bigint): ReturnType<typeof fail> {
  const limit = code === 'over_job_limit' ? 'spend.per_job_sol' : 'spend.per_day_sol'
  const message = `Your owner's limit ${limit} does not allow this payment: ${left} lamports are left.`
  return fail(refusal('policy_denied', message, { code, denied: ['pay.solana'], fields: [], left: left.toString() }))
}
