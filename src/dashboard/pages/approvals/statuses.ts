import type { Approval } from '../../words/approvals.js'

/** What a list of questions can be narrowed to. */
export const APPROVAL_STATUSES: readonly Approval['status'][] = [
  'pending',
  'approved',
  'denied',
  'expired',
  'stale',
  'used'
]
