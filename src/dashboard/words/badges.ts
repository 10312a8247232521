import { visible } from '../../base/visible.js'
import { rowIn } from '../../api/words/known.js'

/** How things stand, in words and a tone: every state of a closed list has its line here. */

/** `wait`: somebody must do something. `busy`: it goes on by itself. */
export type Tone = 'good' | 'bad' | 'wait' | 'busy' | 'quiet'

export interface Badge {
  readonly tone: Tone
  readonly text: string
}

const TASKS: Readonly<Record<string, Badge>> = {
  open: { tone: 'busy', text: 'Waits for a first answer' },
  negotiating: { tone: 'busy', text: 'Negotiating' },
  agreed: { tone: 'good', text: 'Agreed' },
  awaiting_approval: { tone: 'wait', text: 'Waits for your yes' },
  confirmed: { tone: 'good', text: 'Confirmed' },
  paying: { tone: 'busy', text: 'Payment under way' },
  paid: { tone: 'busy', text: 'Paid, work due' },
  delivered: { tone: 'busy', text: 'Delivered, to be reviewed' },
  completed: { tone: 'good', text: 'Completed' },
  cancelled: { tone: 'quiet', text: 'Cancelled' },
  expired: { tone: 'quiet', text: 'Expired' }
}

const ENVELOPES: Readonly<Record<string, Badge>> = {
  submitted: { tone: 'busy', text: 'Not claimed yet' },
  working: { tone: 'busy', text: 'In work' },
  input_required: { tone: 'wait', text: 'Asks a question' },
  auth_required: { tone: 'wait', text: 'Asks for a right' },
  completed: { tone: 'good', text: 'Completed' },
  failed: { tone: 'bad', text: 'Failed' },
  canceled: { tone: 'quiet', text: 'Cancelled' },
  rejected: { tone: 'bad', text: 'Rejected' }
}

const PROOFS: Readonly<Record<string, Badge>> = {
  none: { tone: 'quiet', text: 'No proof yet' },
  claimed: { tone: 'wait', text: 'Claimed, not checked' },
  verified: { tone: 'good', text: 'Run again and passed' },
  disputed: { tone: 'bad', text: 'Run again and did not pass' }
}

const APPROVALS: Readonly<Record<string, Badge>> = {
  pending: { tone: 'wait', text: 'Waits for you' },
  approved: { tone: 'good', text: 'You said yes' },
  denied: { tone: 'quiet', text: 'You said no' },
  expired: { tone: 'quiet', text: 'Ran out' },
  stale: { tone: 'quiet', text: 'Overtaken' },
  used: { tone: 'good', text: 'Yes, and done' }
}

const CONTACTS: Readonly<Record<string, Badge>> = {
  requested: { tone: 'busy', text: 'Asked, no answer yet' },
  pending: { tone: 'wait', text: 'Asks you' },
  active: { tone: 'good', text: 'Active' },
  blocked: { tone: 'bad', text: 'Blocked' },
  removed: { tone: 'quiet', text: 'Ended' },
  frozen: { tone: 'bad', text: 'Frozen' }
}

const DELIVERIES: Readonly<Record<string, Badge>> = {
  queued: { tone: 'busy', text: 'On its way' },
  delivered: { tone: 'good', text: 'Arrived' },
  refused: { tone: 'bad', text: 'Refused by the other side' }
}

const PROPOSALS: Readonly<Record<string, Badge>> = {
  pending: { tone: 'wait', text: 'On the table' },
  accepted: { tone: 'good', text: 'Accepted' },
  rejected: { tone: 'bad', text: 'Rejected' },
  superseded: { tone: 'quiet', text: 'Replaced' }
}

const EFFECTS: Readonly<Record<string, Badge>> = {
  allow: { tone: 'good', text: 'Allowed' },
  ask: { tone: 'wait', text: 'Asks you' },
  deny: { tone: 'bad', text: 'Denied' }
}

const PAYMENTS: Readonly<Record<string, Badge>> = {
  sealed: { tone: 'busy', text: 'Promised' },
  signed: { tone: 'busy', text: 'Sent to the chain' },
  landed: { tone: 'good', text: 'Final on the chain' },
  dead: { tone: 'bad', text: 'Did not happen' },
  lost: { tone: 'bad', text: 'Not known' }
}

const COUNTED: Readonly<Record<string, Badge>> = {
  reserved: { tone: 'busy', text: 'Promised' },
  spent: { tone: 'quiet', text: 'Spent' }
}

const TYPES: Readonly<Record<string, Badge>> = {
  active: { tone: 'good', text: 'In use' },
  retired: { tone: 'quiet', text: 'Retired' }
}

const ATTEMPTS: Readonly<Record<string, Badge>> = {
  open: { tone: 'busy', text: 'Under way' },
  unpaid: { tone: 'bad', text: 'Did not happen' },
  paid: { tone: 'good', text: 'Paid' }
}

const LISTS = {
  task: TASKS,
  envelope: ENVELOPES,
  proof: PROOFS,
  approval: APPROVALS,
  contact: CONTACTS,
  delivery: DELIVERIES,
  proposal: PROPOSALS,
  effect: EFFECTS,
  type: TYPES,
  payment: PAYMENTS,
  attempt: ATTEMPTS,
  counted: COUNTED
}

/** A state that a newer node has is shown by its own word. */
export function badgeOf(list: keyof typeof LISTS, state: string): Badge {
  return rowIn(LISTS[list], state) ?? { tone: 'quiet', text: visible(state) }
}
