import type { AnswerOf } from '../../api/contract.js'
import { type PlanLine, changesBetween, linesOf } from '../../api/plan-lines.js'
import { DETAILS, turnOf } from '../../api/words/jobs.js'
import { codeWords } from '../../api/words/known.js'
import { worded } from '../../api/words/labels.js'
import type { Run } from './context.js'
import { shortened, wrapped, valueWidth } from './fit.js'
import type { NameOf } from './names.js'
import { facts } from './table.js'
import { shortTime } from './times.js'

/** Paid jobs on the screen. Briefs and deliverables are another person's text: `table` and `facts` make them visible. */

export type Job = AnswerOf<'tasks.read'>['task']
type Proposal = Job['proposals'][number]
type Written = AnswerOf<'tasks.propose'>
type Hints = Pick<Run, 'command'>

const BRIEF_COLUMNS = 40
const NAME_COLUMNS = 'deliverable'.length + 4

export function jobList(
  jobs: readonly Job[],
  next: string | undefined,
  nameOf: NameOf,
  run: Pick<Run, 'command' | 'table'>
): string {
  const more = next === undefined ? [] : [`More: ${run.command(`job list --after ${next}`)}`]
  if (jobs.length === 0) return ['No jobs.', ...more].join('\n\n')
  const rows = jobs.map((job) => [
    job.taskUid,
    job.role === 'inviter' ? 'hire' : 'work for',
    nameOf(job.participant),
    priceOf(job.proposals.at(-1)),
    job.status,
    job.title ?? shortened(String(job.proposals.at(-1)?.proposal['brief'] ?? ''), BRIEF_COLUMNS)
  ])
  return [run.table(['task', 'you', 'agent', 'price', 'status', 'about'], rows), ...more].join('\n\n')
}

interface Shown extends Hints {
  readonly nameOf: NameOf
  /** Of the window, if known. */
  readonly columns?: number | undefined
  /** Id of what the owner is asked about it, if anything. */
  readonly question?: string | undefined
}

/** One job: how it stands, every quote, the delivery, and who acts next. */
export function jobText(job: Job, shown: Shown): string {
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
  return [opening, ...versions, ...deliveryParts(job), turnText(job, shown)].join('\n\n')
}

/** What a write did, and what comes next. */
export function jobWritten(answer: Written, done: string, hints: Hints): string {
  if (answer.status === 'pending_approval') {
    return `It waits for your yes: ${hints.command(`approval show ${answer.approvalId}`)}\nUntil then nothing is sent. The task: ${answer.taskUid}`
  }
  return `${done}\n${answer.task.taskUid} is ${statusLine(answer.task)}.\n${turnText(answer.task, hints)}`
}

/** `paying: The payment is on its way (on_its_way)`. */
export function statusText(status: Job['status'], detail: NonNullable<Job['job']>['detail']): string {
  return detail === undefined ? status : `${status}: ${codeWords(DETAILS, detail)}`
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
      ? linesOf(one.proposal).map((line) => rowOf('  ', line, width))
      : changesBetween(before.proposal, one.proposal).map((line) => rowOf(`  ${line.sign} `, line, width))
  return `${heading}\n${rows.length === 0 ? '  no change' : facts(rows)}`
}

function rowOf(before: string, line: PlanLine, width: number): readonly [string, readonly string[]] {
  const [label, value] = worded(line)
  return [before + label, wrapped(value, width)]
}

function deliveryParts({ job }: Job): string[] {
  if (job?.delivery === undefined) return []
  const { at, ...handedOver } = job.delivery
  const rows = linesOf(handedOver as Proposal['proposal'])
    .map(worded)
    .map(([label, value]) => [`  ${label}`, value] as const)
  return [`Delivered ${shortTime(at)}, in the words of the provider\n${facts(rows)}`]
}

/** Whether time alone can end it: not once it is paid for, over, or called off by this side. */
function endsByTime({ status, cancelRequested }: Job): boolean {
  return cancelRequested !== true && ['open', 'negotiating', 'agreed', 'awaiting_approval'].includes(status)
}

/** Who acts next, and the command that does it where that is this side. */
function turnText(job: Job, { question, command }: Pick<Shown, 'question' | 'command'>): string {
  const turn = turnOf(job, question)
  return turn.command === undefined ? turn.says : `${turn.says}\n  ${command(turn.command)}`
}

function priceOf(proposal: Proposal | undefined): string {
  const price = proposal?.proposal['price']
  return price === undefined ? '' : `${String(price)} SOL`
}
