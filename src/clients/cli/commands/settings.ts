import { join } from 'node:path'
import type { Command } from 'commander'
import { visible } from '../../../base/visible.js'
import type { AnswerOf } from '../../../api/contract.js'
import { type Context, type Run, runOf } from '../context.js'

type Settings = AnswerOf<'owner.settings.list'>
type Setting = Settings['items'][number]

/** `agentlink settings`. */
export function addSettings(program: Command, context: Context): void {
  program
    .command('settings')
    .summary('every setting, its value, and where it is from')
    .description(
      'Shows what the running node read at its start. A setting is changed in config.toml in the home, by a variable or by a flag of start; each counts from the next start.'
    )
    .option('--changed', 'only what was changed from its default')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink settings --changed\n  agentlink settings --json | jq \'.items[] | select(.name == "net.listen")\''
    )
    .action(async ({ changed }: { readonly changed?: true }, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.settings.list')
      const items = answer.items.filter(({ from }) => changed === undefined || from !== 'default')
      await run.print({ ...answer, items }, () => textOf(items, answer.node.home, run))
    })
}

function textOf(items: readonly Setting[], home: string, run: Run): string {
  const rows = items.map((item) => [item.name, valueText(item), item.from, item.says])
  const shown =
    rows.length === 0 ? 'Every setting has its default.' : run.table(['setting', 'value', 'set by', 'what'], rows)
  return `${shown}\n\nChange them in ${visible(join(home, 'config.toml'))}; they count from the next start.`
}

function valueText({ value }: Setting): string {
  if (value === undefined) return 'not set'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return value === '' ? 'empty' : String(value)
}
