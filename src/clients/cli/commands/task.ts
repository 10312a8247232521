import { type Command, Option } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { TASK_STATUSES } from '../../../api/words.js'
import { visible } from '../../../base/visible.js'
import { type Context, type Run, runOf } from '../context.js'
import { contactNames, type NameOf } from '../names.js'
import { writeNewFile } from '../new-file.js'
import { changesBetween, linesOf } from '../../../api/plan-lines.js'
import { facts } from '../table.js'
import { taskTitle } from '../task-title.js'
import { shortTime } from '../times.js'

type Task = AnswerOf<'tasks.read'>['task']
type Proposal = Task['proposals'][number]

/** `agentlink task …`. */
export function addTask(program: Command, context: Context): void {
  const group = program
    .command('task')
    .summary('what your agent negotiates')
    .description('Tasks of your agent, as its own API shows them.')
  addList(group, context)
  addShow(group, context)
  addCalendar(group, context)
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('tasks, newest first')
    .description('Lists tasks, newest first. Delivery: queued (not yet on the other node), delivered, refused.')
    .addOption(new Option('--status <status>', 'only these').choices(TASK_STATUSES))
    .option('--after <next>', 'go on where the last page ended')
    .addHelpText('after', '\nExamples:\n  agentlink task list\n  agentlink task list --status agreed --json')
    .action(async (flags: { status?: (typeof TASK_STATUSES)[number]; after?: string }, self: Command) => {
      const run = runOf(context, self)
      const status = flags.status === undefined ? {} : { status: flags.status }
      const after = flags.after === undefined ? {} : { after: flags.after }
      const page = await run.session.agent(run.agentName, 'tasks.list', { query: { ...status, ...after } })
      await run.print(page, async () => {
        const types = await run.session.agent(run.agentName, 'taskTypes.list')
        return listText(page, (task) => taskTitle(task, types.items), await contactNames(run), run)
      })
    })
}

function listText(
  page: AnswerOf<'tasks.list'>,
  titleOf: (task: Task) => string,
  nameOf: NameOf,
  hints: Pick<Run, 'command' | 'table'>
): string {
  if (page.items.length === 0) return 'No tasks.'
  const rows = page.items.map((task) => [
    task.taskUid,
    task.type.name,
    titleOf(task),
    nameOf(task.participant),
    statusText(task),
    deliveryText(task),
    shortTime(task.expiresAt)
  ])
  const more = page.next === undefined ? '' : `\n\nMore: ${hints.command(`task list --after ${page.next}`)}`
  return hints.table(['task', 'type', 'title', 'with', 'status', 'delivery', 'until'], rows) + more
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('one task with all proposals')
    .description('Shows one task: every proposal in order with what it changes, and the agreed plan.')
    .argument('<taskUid>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink task show TASK')
    .action(async (taskUid: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'tasks.read', { params: { taskUid } })
      await run.print(answer, async () => taskText(answer.task, await contactNames(run)))
    })
}

function taskText(task: Task, nameOf: NameOf): string {
  const opening = facts([
    ['task', task.taskUid],
    ['type', `${task.type.name}@${task.type.version} ${task.type.hash}`],
    ...(task.title === undefined ? [] : [['title', task.title] as [string, string]]),
    ['with', withText(task.participant, nameOf)],
    ['role', task.role],
    ['status', statusText(task)],
    ['delivery', deliveryText(task)],
    ['created', shortTime(task.createdAt)],
    ['until', shortTime(task.expiresAt)]
  ])
  const proposals = task.proposals.map((proposal, i) => proposalText(proposal, task.proposals[i - 1]))
  const agreed = task.proposals.find((proposal) => proposal.proposalId === task.agreedProposalId)
  const plan = agreed === undefined ? [] : [`Agreed: version ${agreed.version}\n${planText(agreed.proposal)}`]
  const recorded = (task.confirms ?? []).map(recordText)
  return [opening, ...proposals, ...plan, ...recorded].join('\n\n')
}

function addCalendar(group: Command, context: Context): void {
  group
    .command('calendar')
    .summary('the agreed plan as a calendar file')
    .description(
      'Prints the agreed plan as a calendar file (iCalendar), once your agent recorded calendar.hold or reservation.book on your approval.'
    )
    .argument('<taskUid>', 'task id')
    .option('--out <file>', 'write there; a file that exists is left alone')
    .option('--force', 'replace the file')
    .addHelpText('after', '\nExample:\n  agentlink task calendar TASK > dinner.ics')
    .action(async (taskUid: string, flags: { out?: string; force?: true }, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.tasks.calendar', { params: { taskUid }, query: run.pick })
      // Its last line feed comes from the terminal.
      if (flags.out === undefined) return run.print(answer, () => answer.calendar.slice(0, -1))
      writeNewFile(flags.out, answer.calendar, flags.force === true ? 'replace' : 'keep')
      await run.print({ file: flags.out }, () => `Wrote ${flags.out}`)
    })
}

function withText(agent: string, nameOf: NameOf): string {
  const name = nameOf(agent)
  return name === agent ? agent : `${name} ${agent}`
}

function recordText({ action, by, at, params }: NonNullable<Task['confirms']>[number]): string {
  return `Recorded: ${visible(action)} by ${whoText(by)}, ${shortTime(at)}\n${planText(params)}`
}

function whoText(by: Proposal['by']): string {
  return by === 'self' ? 'your agent' : 'the other side'
}

function proposalText(proposal: Proposal, before: Proposal | undefined): string {
  const opening = `Version ${proposal.version} by ${whoText(proposal.by)}, ${proposal.status}, ${shortTime(proposal.at)}\n${proposal.proposalId}`
  if (before === undefined) return `${opening}\n${planText(proposal.proposal)}`
  const changes = changesBetween(before.proposal, proposal.proposal)
  if (changes.length === 0) return `${opening}\nno change`
  return `${opening}\n${facts(changes.map((change) => [`${change.sign} ${change.path}`, change.value]))}`
}

function planText(plan: Proposal['proposal']): string {
  return facts(linesOf(plan).map((line) => [`  ${line.path}`, line.value]))
}

function statusText(task: Task): string {
  const reason = task.statusReason === undefined ? '' : ` (${task.statusReason})`
  return `${task.status}${reason}${task.cancelRequested === true ? ', cancel requested' : ''}`
}

function deliveryText(task: Task): string {
  const { state, pending, reason } = task.delivery
  const waiting = pending === 0 ? '' : `, ${pending} waiting`
  return `${state}${waiting}${reason === undefined ? '' : ` (${reason})`}`
}
