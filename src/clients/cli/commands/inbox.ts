import { type Command, InvalidArgumentError } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { type Context, type Run, runOf } from '../context.js'
import { asJson } from '../json.js'
import { contactNames, type NameOf } from '../names.js'
import { shortTime } from '../times.js'

/** `agentlink inbox`: looking, never acknowledging; that is the agent's own call. */
export function addInbox(program: Command, context: Context): void {
  program
    .command('inbox')
    .summary('what arrived for your agent')
    .description('Shows what arrived for your agent. Looking changes nothing.')
    .option('--after <cursor>', 'only what is newer', wholeCursor)
    .addHelpText('after', '\nExamples:\n  agentlink inbox\n  agentlink inbox --after 12 --json')
    .action(async (flags: { readonly after?: number }, self: Command) => {
      const run = runOf(context, self)
      const query = flags.after === undefined ? {} : { after: flags.after }
      const page = await run.session.agent(run.agentName, 'inbox.read', { query })
      await run.print(page, async () => inboxText(page, await contactNames(run), run))
    })
}

/** The parser of `--after`. */
export function wholeCursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A cursor is a whole number.')
}

function inboxText(page: AnswerOf<'inbox.read'>, nameOf: NameOf, run: Run): string {
  if (page.items.length === 0) return 'Nothing new.'
  const rows = page.items.map((item) => [
    String(item.cursor),
    shortTime(item.at),
    item.kind,
    nameOf(item.from),
    item.taskUid ?? '',
    asJson(item.content)
  ])
  return run.table(['cursor', 'at', 'kind', 'from', 'task', 'content'], rows)
}
