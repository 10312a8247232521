import type { JsonObject } from '../../base/json.js'
import type { JobView } from '../../flows/views/jobs.js'
import type { TaskStatus } from '../../tasks/report.js'
import { rowIn } from './known.js'

/** How a paid job stands, and who acts next. Source: protocols/jobs.md, "Fold" and "Silence". */

type Detail = NonNullable<JobView['detail']>

/** What is waited for; a program and a page name the code beside it. */
export const DETAILS: Readonly<Record<Detail, string>> = {
  payment_due: 'The hirer has to pay',
  on_its_way: 'The payment is on its way',
  not_landed: 'The payment has not landed for more than 10 minutes; it is sent on and looked for',
  landed: 'The payment has landed; the receipt of the provider is awaited',
  delivery_due: 'The provider has to deliver',
  delivery_overdue: 'The deadline has passed without a delivery',
  completion_due: 'The hirer has to look at the work and take it',
  completion_overdue: 'The work was delivered more than 7 days ago, and the hirer has not taken it'
}

/** As much of a job as its next act hangs on. */
export interface StandingJob {
  readonly taskUid: string
  /** The inviter is the hirer. */
  readonly role: 'inviter' | 'invitee'
  readonly status: TaskStatus
  readonly cancelRequested?: boolean
  readonly proposals: ReadonlyArray<{
    readonly version: number
    readonly by: 'self' | 'peer'
    readonly status: string
    readonly proposal: JsonObject
  }>
  readonly job?: { readonly detail?: Detail }
}

/** Whose act is awaited, and which. */
export interface Turn {
  readonly whose: 'owner' | 'own' | 'other' | 'either' | 'nobody'
  /** One sentence: who acts next and how, or that nothing more happens. */
  readonly says: string
  /** What does it at the command line: what follows the program's name. */
  readonly command?: string
}

/** Who acts next. `question`: id of what the owner is asked about this job, if anything. */
export function turnOf(job: StandingJob, question: string | undefined): Turn {
  const ended = rowIn(ENDED, job.status)
  if (ended !== undefined) return { whose: 'nobody', says: `Nothing more happens: ${ended}.` }
  if (job.cancelRequested === true) {
    return nobody('the cancel is on its way, and the job ends when it arrives, unless a payment crosses it')
  }
  if (question !== undefined) {
    const says = 'You act next: answer what your agent asks about this job.'
    return { whose: 'owner', says, command: `approval show ${question}` }
  }
  switch (job.status) {
    case 'open':
    case 'negotiating':
      return planTurn(job)
    case 'agreed':
      if (job.job?.detail === 'landed') return nobody(LANDED)
      return turn(job, 'inviter', 'it pays what was agreed, before the agreement ends by itself', `pay ${job.taskUid}`)
    case 'awaiting_approval':
      return { whose: 'owner', says: 'You act next: answer what your agent asks.', command: 'approval list' }
    case 'paying':
      return nobody(job.job?.detail === 'landed' ? LANDED : PAYING)
    case 'paid':
      return turn(job, 'invitee', 'it delivers the work', `deliver ${job.taskUid} --artifact FILE`)
    case 'delivered':
      return turn(job, 'inviter', 'it looks at the work and completes the job', `complete ${job.taskUid}`)
    default:
      return nobody(`it is ${job.status}`)
  }
}

const ENDED: Readonly<Record<string, string>> = {
  completed: 'the work was paid and taken',
  confirmed: 'what was agreed is recorded',
  cancelled: 'the job was cancelled',
  expired: 'the time of the job had passed before it was paid'
}

const LANDED = 'the payment has landed, and the node of the provider finds it by itself'
const PAYING = 'the payment is on its way, and both nodes look for it until it has landed or never can'

/** Before a plan is agreed: whoever has the last one before them. Only the node of the provider can say where the money goes. */
function planTurn({ taskUid, role, proposals }: StandingJob): Turn {
  const last = proposals.at(-1)
  if (last === undefined || last.status !== 'pending') {
    return { whose: 'either', says: 'Either side acts next: it proposes another plan, or cancels.' }
  }
  const { version } = last
  const acts = last.by === 'peer' ? role : role === 'inviter' ? 'invitee' : 'inviter'
  const payable = last.proposal['payTo'] !== undefined
  if (payable) {
    const does = `it accepts plan ${version}, proposes another, or cancels`
    return turn({ role }, acts, does, `accept ${taskUid} ${version}`)
  }
  if (acts === 'invitee') return turn({ role }, acts, 'it quotes, or cancels', `quote ${taskUid}`)
  return turn({ role }, acts, `it proposes another plan, for plan ${version} names no address to pay to, or cancels`)
}

function turn({ role }: Pick<StandingJob, 'role'>, acts: StandingJob['role'], does: string, words?: string): Turn {
  if (acts !== role) {
    return { whose: 'other', says: `The ${acts === 'inviter' ? 'hirer' : 'provider'} acts next: ${does}.` }
  }
  const says = `Your agent acts next: ${does}.`
  return { whose: 'own', says, ...(words === undefined ? {} : { command: `job ${words}` }) }
}

function nobody(why: string): Turn {
  return { whose: 'nobody', says: `Nobody has to act: ${why}.` }
}
