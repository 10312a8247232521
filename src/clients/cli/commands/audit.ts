import { type Command, InvalidArgumentError } from 'commander'
import type { AnswerOf, QueryOf } from '../../../api/contract.js'
import { type Context, type Run, runOf } from '../context.js'
import { contactNames, type NameOf } from '../names.js'
import { refuseStrayOptions } from '../stray-options.js'
import { shortTime } from '../times.js'
import { verifyLog } from '../verify-log.js'

type Page = AnswerOf<'owner.audit.list'>
type Entry = Page['items'][number]
type Query = QueryOf<'owner.audit.list'>

interface Flags {
  readonly contact?: string
  readonly task?: string
  readonly what?: string
  readonly capability?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
  readonly after?: number
}

const PAGE = 50
/** What one call takes. */
const PAGE_MOST = 200

/** `agentlink audit …`. */
export function addAudit(program: Command, context: Context): void {
  const group = program
    .command('audit')
    .summary('what was done, by whom, under which rule')
    .description(
      'Shows the audit log, newest first: who did what, to which contact and task, and the grant or approval that allowed ' +
        'or denied it, what was denied as well. It holds references only, nothing of what was said. protocols/audit.md lists the codes.'
    )
    .option('--contact <contact>', 'al1…, alias or handle, or * for rules about all')
    .option('--task <uid>', 'one task')
    .option('--what <code>', 'a code such as disclosure.sent, or a family such as grant')
    .option('--capability <name>', 'what left, was denied or ruled on under it')
    .option('--since <time>', 'from this time on, e.g. 2026-12-02 or 2026-12-02T09:00Z', timeOf)
    .option('--until <time>', 'before this time', timeOf)
    .option('--limit <n>', 'how many entries (default: 50)', countOf)
    .option('--after <next>', 'go on where the last page ended', countOf)
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink audit --contact @bob --capability disclose.budget\n  agentlink audit --what grant --since 2026-12-01\n  agentlink audit --what disclosure.denied\n  agentlink audit verify'
    )
    .action(async (flags: Flags, self: Command) => {
      const run = runOf(context, self)
      const page = await pageOf(run, flags)
      await run.print(page, async () => logText(page, await contactNames(run), run))
    })
  addVerify(group, context)
}

/** Goes on until the page is full or the log ends: one call looks through a part of it only. */
async function pageOf(run: Run, { limit = PAGE, after, ...filter }: Flags): Promise<Page> {
  const items: Entry[] = []
  const query = (from: number | undefined): Query => ({
    ...run.pick,
    ...filter,
    limit: Math.min(limit - items.length, PAGE_MOST),
    ...(from === undefined ? {} : { after: from })
  })
  let page = await run.session.owner('owner.audit.list', { query: query(after) })
  items.push(...page.items)
  while (page.next !== undefined && items.length < limit) {
    page = await run.session.owner('owner.audit.list', { query: query(Number(page.next)) })
    items.push(...page.items)
  }
  return { ...page, items }
}

function logText(page: Page, nameOf: NameOf, hints: Pick<Run, 'command' | 'table'>): string {
  if (page.items.length === 0) return 'Nothing of that kind.'
  const more =
    page.next === undefined ? '' : `\n\nMore: ${hints.command(`audit --after ${page.next}`)}, with the same filters`
  const rows = page.items.map((entry) => [
    String(entry.seq),
    shortTime(entry.at),
    whoOf(entry, nameOf),
    entry.times === undefined ? entry.what : `${entry.what} (${entry.times} times)`,
    entry.about.contact === undefined ? '' : nameOf(entry.about.contact),
    entry.about.taskUid ?? '',
    particulars(entry, nameOf),
    underOf(entry, nameOf)
  ])
  return hints.table(['#', 'time', 'who', 'what', 'contact', 'task', 'particulars', 'under'], rows) + more
}

function whoOf({ who }: Entry, nameOf: NameOf): string {
  return who.id === undefined ? who.kind : `${who.kind} ${nameOf(who.id)}`
}

function particulars({ about }: Entry, nameOf: NameOf): string {
  // What concerns no contact and no task concerns the agent as such: which of them, when there are several?
  const agent = about.contact === undefined && about.taskUid === undefined ? about.agent : undefined
  const { kind, type, capability, capabilities = [], effect, was, decision, scope, preset, action, route, code } = about
  const effects = [was, effect].filter((part) => part !== undefined).join(' -> ')
  const parts = [
    agent === undefined ? undefined : nameOf(agent),
    kind,
    type?.slice(0, 16),
    capability,
    capabilities.join(' '),
    effects,
    decision,
    scope,
    preset,
    action,
    route,
    code
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(', ')
}

function underOf({ under }: Entry, nameOf: NameOf): string {
  const grants = (under?.grants ?? []).map(
    ({ contact, capability, effect }) => `${nameOf(contact)} ${capability} ${effect}`
  )
  const approval = under?.approvalId === undefined ? [] : [`approval ${under.approvalId}`]
  return [...approval, ...grants].join(', ')
}

function addVerify(group: Command, context: Context): void {
  group
    .command('verify')
    .summary('recompute the chain of the whole log')
    .description(
      'Reads the whole log and hashes every entry: each must be what the next one says. Prints the head; note it, and a ' +
        'later verify with --head shows that the log up to there is still the same.'
    )
    .option('--head <seq:hash>', 'a head that was printed before', headOf)
    .addHelpText('after', '\nExamples:\n  agentlink audit verify\n  agentlink audit verify --head SEQ:HASH')
    .action(async (flags: { readonly head?: Page['head'] }, self: Command) => {
      refuseStrayOptions(self)
      const run = runOf(context, self)
      const head = await verifyLog(run.session, flags.head)
      await run.print({ holds: true, head }, () => `${head.seq} entries hold.\nhead ${head.seq}:${head.hash}`)
    })
}

/** What people write for a time, as the API wants it: UTC where nothing else is said. */
function timeOf(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text)
  const whole = at?.[1] !== undefined && at[4] === undefined ? `${text}Z` : text
  const time = at === null ? NaN : Date.parse(whole)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError('It must look like 2026-12-02 or 2026-12-02T09:00Z.')
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 on.')
}

function headOf(text: string): Page['head'] {
  const parts = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text)
  if (parts !== null) return { seq: Number(parts[1]), hash: parts[2] ?? '' }
  throw new InvalidArgumentError(
    'It must be a number, a colon and 64 hex digits, as `agentlink audit verify` prints it.'
  )
}
