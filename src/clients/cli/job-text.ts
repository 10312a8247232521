import type { AnswerOf } from '../../api/contract.js'
import { changesBetween, linesOf } from '../../api/plan-lines.js'
import type { Run } from './context.js'
import { shortened, wrapped, valueWidth } from './fit.js'
import { statusText } from './job-words.js'
import type { NameOf } from './names.js'
import { facts, table } from './table.js'
import { shortTime } from './times.js'

/** Paid jobs on the screen. Briefs and deliverables are another person's text: `table` and `facts` make them visible. */

export type Job = AnswerOf<'tasks.read'>['task']
type Proposal = Job['proposals'][number]
type Written = AnswerOf<'tasks.propose'>
type Hints = Pick<Run, 'command'>

const BRIEF_COLUMNS = 40
const NAME_COLUMNS = 'deliverable'.length + 4

export function jobList(jobs: readonly Job[], next: string | undefined, nameOf: NameOf, hints: Hints): string {
  const more = next === undefined ? [] : [`More: ${hints.command(`job list --after ${next}`)}`]
  if (jobs.length === 0) return ['No jobs.', ...more].join('\n\n')
  const rows = jobs.map((job) => [
    job.taskUid,
    job.role === 'inviter' ? 'hire' : 'work for',
    nameOf(job.participant),
    priceOf(job.proposals.at(-1)),
    job.status,
    job.title ?? shortened(String(job.proposals.at(-1)?.proposal['brief'] ?? ''), BRIEF_COLUMNS)
  ])
  return [table(['task', 'you', 'agent', 'price', 'status', 'about'], rows), ...more].join('\n\n')
}

/** One job: how it stands, every quote, the delivery, and what you can do next. `columns`: of the window, if known. */
export function jobText(
  job: Job,
  shown: { readonly nameOf: NameOf; readonly columns?: number | undefined } & Hints
): string {
  const { nameOf, columns } = shown
  const opening = facts([
    ['task', job.taskUid],
    [job.role === 'inviter' ? 'you hire' : 'hires you', `${nameOf(job.participant)} ${job.participant}`],
    ...(job.title === undefined ? [] : [['title', job.title] as const]),
    ['status', statusLine(job)],
    [
      'delivery',
      job.delivery.reason === undefined ? job.delivery.state : `${job.delivery.state} (${job.delivery.reason})`
    ],
    ...(endsByTime(job) ? [['until', shortTime(job.expiresAt)] as const] : [])
  ])
  const versions = job.proposals.map((one, at) => proposalText(one, job.proposals[at - 1], columns))
  const next = nextStep(job)
  const hint = next === undefined ? [] : [`Next: ${next.why}\n  ${shown.command(next.words)}`]
  return [opening, ...versions, ...deliveryParts(job), ...hint].join('\n\n')
}

/** What a write did, and what comes next. */
export function jobWritten(answer: Written, done: string, hints: Hints): string {
  if (answer.status === 'pending_approval') {
    return `It waits for your yes: ${hints.command(`approval show ${answer.approvalId}`)}\nUntil then nothing is sent. The task: ${answer.taskUid}`
  }
  return `${done}\n${answer.task.taskUid} is ${statusLine(answer.task)}.`
}

/** The newest plan of the other side that waits for an answer. */
export function openQuote(job: Job): Proposal | undefined {
  const last = job.proposals.at(-1)
  return last?.status === 'pending' && last.by === 'peer' ? last : undefined
}

function statusLine(job: Job): string {
  const reason = job.statusReason === undefined ? '' : ` (${job.statusReason})`
  const cancel = job.cancelRequested === true ? ', cancel requested' : ''
  return `${statusText(job.status, job.job?.detail)}${reason}${cancel}`
}

function proposalText(one: Proposal, before: Proposal | undefined, columns: number | undefined): string {
  const heading = `Version ${one.version} by ${one.by === 'self' ? 'you' : 'the other side'}, ${one.status}, ${shortTime(one.at)}`
  const width = valueWidth(columns, NAME_COLUMNS)
  const rows =
    before === undefined
      ? linesOf(one.proposal).map(({ path, value }) => [`  ${path}`, wrapped(value, width)] as const)
      : changesBetween(before.proposal, one.proposal).map(
          ({ sign, path, value }) => [`  ${sign} ${path}`, wrapped(value, width)] as const
        )
  return `${heading}\n${rows.length === 0 ? '  no change' : facts(rows)}`
}

function deliveryParts({ job }: Job): string[] {
  if (job?.delivery === undefined) return []
  const { at, ...handedOver } = job.delivery
  const rows = linesOf(handedOver as Proposal['proposal']).map(({ path, value }) => [`  ${path}`, value] as const)
  return [`Delivered ${shortTime(at)}, in the words of the provider\n${facts(rows)}`]
}

interface Step {
  readonly why: string
  /** Of the command line. */
  readonly words: string
}

/** Whether time alone can end it: not once it is paid for, over, or called off by this side. */
function endsByTime({ status, cancelRequested }: Job): boolean {
  return cancelRequested !== true && ['open', 'negotiating', 'agreed', 'awaiting_approval'].includes(status)
}

/** What this side can do now; undefined while it is the other's turn, or nobody's. */
function nextStep(job: Job): Step | undefined {
  const hirer = job.role === 'inviter'
  const quote = openQuote(job)
  const { taskUid } = job
  if (quote !== undefined && ['open', 'negotiating'].includes(job.status)) return answerTo(job, quote)
  if (job.status === 'agreed' && hirer) return { why: 'pay; your yes is asked first', words: `job pay ${taskUid}` }
  if (job.status === 'awaiting_approval' && hirer) {
    return { why: 'answer whether your node may pay; the list has the id', words: 'approval list' }
  }
  if (job.status === 'paid' && !hirer) return { why: 'deliver', words: `job deliver ${taskUid} --artifact FILE` }
  if (job.status === 'delivered' && hirer) {
    return { why: 'look at what was delivered, then complete', words: `job complete ${taskUid}` }
  }
  return undefined
}

function answerTo(job: Job, quote: Proposal): Step {
  const { taskUid } = job
  if (job.role === 'invitee' && quote.proposal['payTo'] === undefined) {
    return { why: 'quote; your node fills in your address', words: `job quote ${taskUid}` }
  }
  return { why: 'agree to exactly this version', words: `job accept ${taskUid} ${quote.version}` }
}

function priceOf(proposal: Proposal | undefined): string {
  const price = proposal?.proposal['price']
  return price === undefined ? '' : `${String(price)} SOL`
}
