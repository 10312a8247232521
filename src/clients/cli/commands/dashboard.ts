import type { Command } from 'commander'
import { openInBrowser } from '../browser.js'
import { type Context, runOf } from '../context.js'
import { shortTime } from '../times.js'

/** `agentlink dashboard`. */
export function addDashboard(program: Command, context: Context): void {
  program
    .command('dashboard')
    .summary("open the owner's page in a browser")
    .description(
      'Makes a link that opens the page of this node once, within two minutes, and opens a browser there. Without a screen, ' +
        'or with --print, the link is printed: whoever has it acts as you, so give it to nobody.'
    )
    .option('--print', 'print the link and open nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink dashboard\n  agentlink dashboard --print\n  agentlink dashboard --json | jq -r .url'
    )
    .action(async (flags: { readonly print?: true }, self: Command) => {
      const run = runOf(context, self)
      const link = await run.session.owner('owner.loginLinks.create')
      const opened =
        flags.print !== true &&
        !run.json &&
        (await openInBrowser(link.url, run.session.paths.loginPage, context.terminal.environment))
      const opening = opened ? 'A browser opens. If none does, open this yourself:' : 'Open this in a browser:'
      await run.print(link, () => `${opening}\n\n  ${link.url}\n\nIt works once, until ${shortTime(link.expiresAt)}.`)
    })
}
