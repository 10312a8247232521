import { type Command, InvalidArgumentError } from 'commander'
import { type Context, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import type { HarmReport } from '../launch.js'
import { addNetFlags, listenOf, type NetFlags } from '../net-flags.js'

interface RepairFlags extends NetFlags {
  readonly wait: number
}

/** `agentlink repair`. */
export function addRepair(program: Command, context: Context): void {
  const command = program
    .command('repair')
    .summary('fetch messages that a damaged store lost again')
    .description(
      'When a start says that messages are damaged: checks every message of every contact, and fetches what is harmed ' +
        'again from the contacts that hold it. Only what is byte for byte what was signed comes back. No node may run on ' +
        'this home meanwhile; the nodes of the contacts must. Copy the home somewhere safe before, and check the disk.'
    )
  addNetFlags(command)
    .option('--wait <seconds>', 'how long to wait for the next message', wholeSeconds, 30)
    .addHelpText('after', '\nExamples:\n  agentlink repair\n  agentlink repair --wait 600 --home ./alice')
    .action(async (flags: RepairFlags, self: Command) => {
      const run = runOf(context, self)
      const listen = listenOf(flags)
      const report = await context.launch.repair({
        home: run.home,
        settings: listen === undefined ? {} : { 'net.listen': listen },
        patienceMs: flags.wait * 1000,
        onFound: (harms) => context.terminal.err(`Harmed:\n${listText(harms)}\nFetching from contacts …`),
        onMended: (messages) =>
          context.terminal.err(`${messages === 1 ? '1 message is' : `${messages} messages are`} back`)
      })
      if (report.left.length > 0) throw new CommandFailure(EXIT.refused, leftText(report.left), report)
      await run.print(report, () =>
        report.harmed.length === 0 ? 'Nothing is harmed.' : `All of it is back. Next: ${run.command('start')}`
      )
    })
}

function listText(harms: readonly HarmReport[]): string {
  return harms.map(({ says }) => `  ${says}`).join('\n')
}

function leftText(left: readonly HarmReport[]): string {
  return (
    `still harmed:\n${listText(left)}\nSee that the node of the contact runs, and try again with a longer --wait. What nobody ` +
    'holds is in your last backup: `agentlink restore FILE --home NEW` makes a new home of it.'
  )
}

function wholeSeconds(text: string): number {
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return seconds
  throw new InvalidArgumentError('It is a whole number of seconds from 1 to 86400.')
}
