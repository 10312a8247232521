import { type Command, Option } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { visible } from '../../../base/visible.js'
import { isJob } from '../../../types/job-type.js'
import { type Context, type Run, runOf } from '../context.js'
import { approvalText } from '../approval-text.js'
import { shortened } from '../fit.js'
import { quoted } from '../hints.js'
import { typeName } from '../type-text.js'
import { shortTime } from '../times.js'

type Approval = AnswerOf<'owner.approvals.read'>['approval']
type Scope = 'once' | 'contact' | 'always'

/** Characters of a title in the list. */
const ABOUT_COLUMNS = 30
const STATUSES = ['pending', 'approved', 'denied', 'expired', 'stale', 'used'] as const

/** `agentlink approval …`. */
export function addApproval(program: Command, context: Context): void {
  const group = program
    .command('approval')
    .summary('what your agent asks you to allow')
    .description('Approvals: each is a single yes to exact bytes, and ends by itself when its time has passed.')
  addList(group, context)
  addShow(group, context)
  addApprove(group, context)
  addDeny(group, context)
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('approvals, newest first')
    .description('Lists approvals, newest first; those that wait for you unless another status is asked for.')
    .addOption(new Option('--status <status>', 'only these').choices(STATUSES).default('pending'))
    .option('--all', 'whatever their status')
    .option('--after <next>', 'go on where the last page ended')
    .addHelpText('after', '\nExamples:\n  agentlink approval list\n  agentlink approval list --all --json')
    .action(async (flags: { status: (typeof STATUSES)[number]; all?: true; after?: string }, self: Command) => {
      const run = runOf(context, self)
      const status = flags.all === true ? {} : { status: flags.status }
      const after = flags.after === undefined ? {} : { after: flags.after }
      const page = await run.session.owner('owner.approvals.list', { query: { ...status, ...after } })
      await run.print(page, () => listText(page, status, run))
    })
}

function listText(
  page: AnswerOf<'owner.approvals.list'>,
  asked: { readonly status?: Approval['status'] },
  hints: Pick<Run, 'command' | 'table'>
): string {
  if (page.items.length === 0) return asked.status === 'pending' ? 'Nothing waits for you.' : 'No approvals.'
  const rows = page.items.map((approval) => [
    approval.approvalId,
    approval.status,
    whatOf(approval),
    approval.participantHandle,
    shortened(approval.title ?? '', ABOUT_COLUMNS),
    approval.capabilities.join(', '),
    shortTime(approval.expiresAt)
  ])
  const more = page.next === undefined ? '' : `\n\nMore: ${hints.command(`approval list --after ${page.next}`)}`
  return hints.table(['id', 'status', 'what', 'with', 'about', 'needs', 'until'], rows) + more
}

function whatOf(approval: Approval): string {
  switch (approval.kind) {
    case 'disclosure':
      return `${approval.action} ${approval.type.name}${pricedText(approval)}`
    case 'action':
      return `${approval.action} ${approval.type.name}`
    case 'envelope':
      return `${approval.action} ${approval.taskId}`
    case 'payment':
      return `pay ${String(approval.proposal['price'])} SOL`
    case 'delivery':
      return 'deliver a job'
    case 'type':
      return `install ${typeName(approval.type)}`
  }
}

/** What a plan of a paid job costs. */
function pricedText({ type, proposal }: Extract<Approval, { readonly kind: 'disclosure' }>): string {
  const { price } = proposal
  return isJob(type) && typeof price === 'string' ? ` at ${price} SOL` : ''
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('exactly what would leave, to whom, under which capability')
    .description('Shows one approval: exactly what would leave, to whom, under which capability, and what it replaces.')
    .argument('<id>', 'approval id')
    .addHelpText('after', '\nExample:\n  agentlink approval show ID')
    .action(async (approvalId: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.approvals.read', { params: { approvalId } })
      await run.print(answer, async () =>
        approvalText(answer.approval, await capabilitiesOf(run, answer.approval), run)
      )
    })
}

/** Field -> capability, as the definition says that the agent's node holds; empty when it holds it no longer. */
async function capabilitiesOf(run: Run, approval: Approval): Promise<ReadonlyMap<string, string>> {
  if (approval.kind !== 'disclosure') return new Map()
  const agents = await run.session.owner('owner.agents.list')
  const name = agents.items.find((agent) => agent.agent === approval.agent)?.name ?? run.agentName
  const types = await run.session.agent(name, 'taskTypes.list')
  const fields = types.items.find((type) => type.hash === approval.type.hash)?.definition['fields']
  const named = (Array.isArray(fields) ? fields : []) as readonly {
    readonly name: string
    readonly capability?: string
  }[]
  return new Map(named.map((field) => [field.name, field.capability ?? 'none needed']))
}

function addApprove(group: Command, context: Context): void {
  group
    .command('approve')
    .summary('say yes')
    .description(
      'Says yes: what was asked for is done at once, after everything was checked again; an action is recorded when the agent asks again. With a scope, the capabilities ' +
        'are also allowed from now on: for this contact, or always, for all.'
    )
    .argument('<id>', 'approval id')
    .addOption(
      new Option('--scope <scope>', 'how far the yes reaches').choices(['once', 'contact', 'always']).default('once')
    )
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink approval approve ID\n  agentlink approval approve ID --scope contact'
    )
    .action(async (approvalId: string, flags: { readonly scope: Scope }, self: Command) => {
      const run = runOf(context, self)
      const body = { decision: 'approve', scope: flags.scope } as const
      const answer = await run.session.owner('owner.approvals.answer', { params: { approvalId }, body })
      await run.print(answer, () =>
        [run.worded(outcomeText(answer.approval)), ...rulesText(answer.approval, flags.scope, run)].join('\n')
      )
    })
}

/** The rules that a yes made beside its deed, and how to take each back. */
function rulesText({ capabilities, participantHandle }: Approval, scope: Scope, hints: Pick<Run, 'command'>): string[] {
  if (scope === 'once') return []
  const contact = quoted(scope === 'contact' ? participantHandle : '*')
  const name = scope === 'contact' ? participantHandle : 'every contact'
  return capabilities.map((capability) => {
    const back = hints.command(`grant remove --contact ${contact} --capability ${capability}`)
    return `From now on ${capability} is allowed with ${visible(name)}. To take that back: ${visible(back)}`
  })
}

function addDeny(group: Command, context: Context): void {
  group
    .command('deny')
    .summary('say no')
    .description('Says no: nothing leaves.')
    .argument('<id>', 'approval id')
    .addHelpText('after', '\nExample:\n  agentlink approval deny ID')
    .action(async (approvalId: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.approvals.answer', {
        params: { approvalId },
        body: { decision: 'deny' }
      })
      await run.print(answer, () => run.worded(outcomeText(answer.approval)))
    })
}

const TYPE_OUTCOMES: Readonly<Record<Approval['status'], string>> = {
  pending: 'Still waits for you.',
  approved: 'Approved.',
  used: 'Installed; the tasks that waited for it are open.',
  denied: 'Not installed; its sender was told. `agentlink type lift CONTACT HASH` takes the no back.',
  expired: 'Its time had passed; nothing was installed.',
  stale: 'Nobody waits for this any more; nothing was installed.'
}

const OUTCOMES: Readonly<Record<Approval['status'], string>> = {
  pending: 'Still waits for you.',
  approved: 'Approved.',
  used: 'Approved and sent.',
  denied: 'Denied; nothing left.',
  expired: 'Its time had passed; nothing left.',
  stale:
    'The plan had moved on in the meantime, so nothing left. If your agent proposes exactly the same again, your yes still counts.'
}

const RECORDABLE = 'Approved. Your agent records it when it asks again.'

function outcomeText(approval: Approval): string {
  if (approval.kind === 'type') return TYPE_OUTCOMES[approval.status]
  return approval.kind === 'action' && approval.status === 'approved' ? RECORDABLE : OUTCOMES[approval.status]
}
