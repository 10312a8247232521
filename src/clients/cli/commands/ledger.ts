import type { Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { type Context, runOf } from '../context.js'
import { facts } from '../table.js'

/** `agentlink ledger …`. */
export function addLedger(program: Command, context: Context): void {
  const group = program
    .command('ledger')
    .summary('which tools your agent has')
    .description('The tool ledger: a delegated task is granted what it asks for and stands here, and never more.')
  group
    .command('list')
    .summary('the tools of your agent')
    .description('Lists the tools of your agent.')
    .addHelpText('after', '\nExample:\n  agentlink ledger list')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.ledger.read', { query: run.pick })
      await run.print(answer, () => ledgerText(answer))
    })
  group
    .command('set')
    .summary('say which tools your agent has')
    .description(
      'Replaces the whole ledger. What you leave out is taken from running tasks at once and for good; what you add is not given to them.'
    )
    .argument('[tools...]', 'exact names; none empties the ledger')
    .addHelpText('after', '\nExample:\n  agentlink ledger set shell git')
    .action(async (tools: string[], _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.ledger.set', { body: { ...run.pick, tools } })
      await run.print(answer, () => ledgerText(answer))
    })
}

function ledgerText({ ledger }: AnswerOf<'owner.ledger.read'>): string {
  const tools = ledger.tools.length === 0 ? 'none: a delegated task is granted no tool' : ledger.tools
  return facts([
    ['agent', ledger.agent],
    ['tools', tools]
  ])
}
