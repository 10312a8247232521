import { DAY, MINUTE, type Instant, instantOf } from '../../base/time.js'
import type { Report } from '../report.js'

/** What is waited for in a paid job, and what its silence means. Source: protocols/jobs.md, "Silence". */

export type JobDetail =
  | 'payment_due'
  | 'on_its_way'
  | 'not_landed'
  | 'landed'
  | 'delivery_due'
  | 'delivery_overdue'
  | 'completion_due'
  | 'completion_overdue'

/** How long a payment may be on its way before that is remarkable. */
export const LANDING_TIME = 10 * MINUTE
/** How long a hirer may look at what was delivered. */
export const REVIEW_TIME = 7 * DAY

/** What both sides are told of a job that stands so. `landed`: whether this node saw the payment finalized itself. */
export function jobDetail(
  reported: Pick<Report, 'status' | 'reduced' | 'proposals' | 'agreedProposalId'>,
  landed: 'landed' | 'unseen',
  now: Instant
): JobDetail | undefined {
  const { job } = reported.reduced
  if (job === undefined) return undefined
  switch (reported.status) {
    case 'agreed':
    case 'awaiting_approval':
      return landed === 'landed' ? 'landed' : 'payment_due'
    case 'paying':
      if (landed === 'landed') return 'landed'
      return now > timeOf(job.attempts.at(-1)?.at) + LANDING_TIME ? 'not_landed' : 'on_its_way'
    case 'paid':
      return now > deadlineOf(reported) ? 'delivery_overdue' : 'delivery_due'
    case 'delivered':
      return now > timeOf(job.delivery?.at) + REVIEW_TIME ? 'completion_overdue' : 'completion_due'
    default:
      return undefined
  }
}

/** The end of the last day on which the agreed plan lets it be delivered, in UTC. */
export function deadlineOf({ proposals, agreedProposalId }: Pick<Report, 'proposals' | 'agreedProposalId'>): Instant {
  const plan = proposals.find((one) => one.proposalId === agreedProposalId)?.proposal
  const day = instantOf(`${String(plan?.['deadline'])}T00:00:00.000Z`)
  return day === undefined ? Number.MAX_SAFE_INTEGER : day + DAY
}

function timeOf(at: string | undefined): Instant {
  return at === undefined ? 0 : (instantOf(at) ?? 0)
}
