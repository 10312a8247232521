import { type Command, InvalidArgumentError, Option } from 'commander'
import type { BodyOf } from '../../../api/contract.js'
import type { JsonObject } from '../../../base/json.js'
import { JOB_TYPE, isJob } from '../../../types/job-type.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { jobPage } from '../job-pages.js'
import { type Job, jobList, jobText, jobWritten, openQuote } from '../job-text.js'
import { contactNames } from '../names.js'
import { addComplete, addDeliver, addPay } from './job-steps.js'

/** `agentlink job …`. */
export function addJob(program: Command, context: Context): void {
  const group = program
    .command('job')
    .summary('hire a contact, or be hired, for play money')
    .description(
      'Paid jobs (job.request). The hirer requests, the provider quotes, one of them accepts the last version; then the hirer pays, the ' +
        'provider delivers, and the hirer completes. There are no refunds.'
    )
  addRequest(group, context)
  addQuote(group, context)
  addAccept(group, context)
  addPay(group, context)
  addDeliver(group, context)
  addComplete(group, context)
  addCancel(group, context)
  addList(group, context)
  addShow(group, context)
}

interface PlanFlags {
  readonly brief?: string
  readonly deliverable?: string
  readonly deadline?: string
  readonly price?: string
}

interface RequestFlags extends PlanFlags {
  readonly brief: string
  readonly deadline: string
  readonly offer?: string
  readonly cluster?: 'devnet' | 'localnet'
  readonly title?: string
  readonly hours?: number
}

function addRequest(group: Command, context: Context): void {
  group
    .command('request')
    .summary('ask a contact to do something for money')
    .description(
      'Asks a contact to do a job. With --offer, price and deliverable are those of the offer unless you say others. Nobody is bound and ' +
        'nothing is paid before both agree on one version.'
    )
    .argument('<contact>', 'al1…, alias or handle')
    .requiredOption('--brief <text>', 'what is to be done, 1 to 4000 characters')
    .requiredOption('--deadline <date>', 'last day for it in UTC, YYYY-MM-DD')
    .option('--deliverable <text>', 'what is handed over in the end (required without --offer)')
    .option('--price <sol>', 'SOL, such as 0.25 (required without --offer)')
    .option('--offer <offer>', 'id of the offer that it is about; see: agentlink offer list --contact @bob')
    .addOption(
      new Option('--cluster <chain>', "where it is paid (default: this node's)").choices(['devnet', 'localnet'])
    )
    .option('--title <text>', 'your own label; it never leaves this node')
    .option('--hours <hours>', 'how long you two have to agree and pay, 1 to 720 (default 72)', wholeHours)
    .addHelpText(
      'after',
      "\nExample:\n  agentlink job request @bob --brief 'A sun with eight rays' --deliverable sun.svg --deadline 2027-12-24 --price 0.2"
    )
    .action(async (contact: string, flags: RequestFlags, self: Command) => {
      const run = runOf(context, self)
      const { title, hours } = flags
      const body: BodyOf<'tasks.create'> = {
        type: JOB_TYPE.name,
        participant: contact,
        proposal: await firstPlan(context, run, contact, flags),
        ...(title === undefined ? {} : { title }),
        ...(hours === undefined ? {} : { expiresInHours: hours })
      }
      const answer = await run.session.agent(run.agentName, 'tasks.create', { body })
      await run.print(answer, () => jobWritten(answer, 'Requested.', run))
    })
}

async function firstPlan(context: Context, run: Run, contact: string, flags: RequestFlags): Promise<JsonObject> {
  const offered = flags.offer === undefined ? undefined : await offerOf(run, contact, flags.offer)
  const deliverable = flags.deliverable ?? offered?.deliverable
  const price = flags.price ?? offered?.price
  if (deliverable === undefined || price === undefined) throw usage('say --deliverable and --price, or --offer')
  const cluster = `solana:${flags.cluster ?? (await ownCluster(context, run))}`
  const { brief, deadline } = flags
  return {
    ...(offered === undefined ? {} : { offerId: offered.offerId }),
    brief,
    deliverable,
    deadline,
    price,
    cluster
  }
}

async function offerOf(run: Run, contact: string, offerId: string) {
  const { items } = await run.session.agent(run.agentName, 'contacts.offers', { params: { contact } })
  const found = items.find((one) => one.offerId === offerId)
  if (found !== undefined) return found
  const list = run.command(`offer list --contact ${contact}`)
  throw new CommandFailure(EXIT.refused, `that contact has no such offer; see: ${list}`)
}

async function ownCluster(context: Context, run: Run): Promise<string> {
  const { cluster } = (await context.launch.wallet(run.home)).limits()
  if (cluster !== 'off') return cluster.replace(/^solana:/, '')
  throw usage(
    'this node is on no chain: set chain.cluster in config.toml (config/localnet.toml, config/devnet.toml), or say --cluster'
  )
}

function addQuote(group: Command, context: Context): void {
  group
    .command('quote')
    .summary('propose the plan again, with what you change')
    .description(
      'Proposes the last version again with what you name changed. Your own proposal is your acceptance. When you are the provider, your ' +
        "node fills in your wallet's address: a job can't be agreed without such a quote."
    )
    .argument('<taskUid>', 'task id')
    .option('--price <sol>', 'SOL, such as 0.25')
    .option('--deadline <date>', 'last day for it in UTC, YYYY-MM-DD')
    .option('--brief <text>', 'what is to be done')
    .option('--deliverable <text>', 'what is handed over in the end')
    .addHelpText('after', '\nExample:\n  agentlink job quote JOB --price 0.25')
    .action(async (taskUid: string, flags: PlanFlags, self: Command) => {
      const run = runOf(context, self)
      const job = await readJob(run, taskUid)
      const { payTo: _, ...plan } = job.proposals.at(-1)?.proposal ?? {}
      const kept = job.role === 'inviter' ? job.proposals.at(-1)?.proposal : plan
      const body = { proposal: { ...kept, ...flags } }
      const answer = await run.session.agent(run.agentName, 'tasks.propose', { params: { taskUid }, body })
      await run.print(answer, () => jobWritten(answer, 'Quoted.', run))
    })
}

function addAccept(group: Command, context: Context): void {
  group
    .command('accept')
    .summary('agree to a version that you have seen')
    .description(
      'Agrees to the version of the other side that you name. A newer one that came meanwhile is not accepted by it.'
    )
    .argument('<taskUid>', 'task id')
    .argument('<version>', 'its number, as `job show` prints it', wholeVersion)
    .addHelpText('after', '\nExample:\n  agentlink job accept JOB 2')
    .action(async (taskUid: string, version: number, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const job = await readJob(run, taskUid)
      if (openQuote(job)?.version !== version) throw notOpen(job, version, run)
      const proposalId = openQuote(job)?.proposalId ?? ''
      const body = { proposalId, decision: 'accept' } as const
      const answer = await run.session.agent(run.agentName, 'tasks.respond', { params: { taskUid }, body })
      await run.print(answer, () => jobWritten(answer, `Accepted version ${version}.`, run))
    })
}

function notOpen(job: Job, version: number, run: Run): CommandFailure {
  const open = openQuote(job)
  const what = open === undefined ? 'no version waits for your answer' : `version ${open.version} waits for your answer`
  const message = `version ${version} can't be accepted: ${what}. Look at it first: ${run.command(`job show ${job.taskUid}`)}`
  return new CommandFailure(EXIT.refused, message)
}

function addCancel(group: Command, context: Context): void {
  group
    .command('cancel')
    .summary('end a job before it is paid')
    .description('Ends a job for which nothing was paid or promised yet.')
    .argument('<taskUid>', 'task id')
    .option('--reason <reason>', 'changed_plans, no_longer_needed, unavailable or other')
    .addHelpText('after', '\nExample:\n  agentlink job cancel JOB --reason unavailable')
    .action(async (taskUid: string, flags: { readonly reason?: string }, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'tasks.cancel', { params: { taskUid }, body: flags })
      await run.print(answer, () => jobWritten(answer, 'Cancel sent.', run))
    })
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('jobs, newest first')
    .description('Lists jobs of both sides, newest first.')
    .option('--after <next>', 'go on where the last page ended')
    .addHelpText('after', '\nExample:\n  agentlink job list --json')
    .action(async (flags: { readonly after?: string }, self: Command) => {
      const run = runOf(context, self)
      const page = await jobPage(run, flags.after)
      await run.print(page, async () => jobList(page.items, page.next, await contactNames(run), run))
    })
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('one job: its quotes, how it stands, and what you can do')
    .description(
      'Shows one job: every version of the plan, what was paid and delivered, and the next step if it is yours.'
    )
    .argument('<taskUid>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink job show JOB')
    .action(async (taskUid: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const task = await readJob(run, taskUid)
      await run.print({ task }, async () => {
        const { columns } = context.terminal
        const asked = { nameOf: await contactNames(run), question: await questionAbout(run, task) }
        return jobText(task, { ...asked, columns, command: run.command })
      })
    })
}

async function readJob(run: Run, taskUid: string): Promise<Job> {
  const { task } = await run.session.agent(run.agentName, 'tasks.read', { params: { taskUid } })
  if (isJob(task.type)) return task
  throw new CommandFailure(EXIT.refused, `that task is no job; see: ${run.command(`task show ${taskUid}`)}`)
}

/** Questions that are looked through for one about a job. */
const ASKED = 200

/** The question about this job that waits for the owner. The other side may be an agent of the same owner, with its own. */
async function questionAbout(run: Run, { taskUid, participant }: Job): Promise<string | undefined> {
  const { items } = await run.session.owner('owner.approvals.list', { query: { status: 'pending', limit: ASKED } })
  return items.find((approval) => approval.taskUid === taskUid && approval.participant === participant)?.approvalId
}

function wholeHours(text: string): number {
  if (/^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= 720) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 to 720.')
}

function wholeVersion(text: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of a version.')
}

function usage(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, message)
}
