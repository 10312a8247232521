import { type Command, Option } from 'commander'
import { PRESETS } from '../../../api/words.js'
import { type Context, type Run, runOf } from '../context.js'
import { grantTable } from '../grant-text.js'
import type { InitReport } from '../launch.js'
import { addNetFlags, listenOf, type NetFlags } from '../net-flags.js'
import { facts } from '../table.js'

interface InitFlags extends NetFlags {
  readonly handle?: string
  readonly preset?: (typeof PRESETS)[number]
}

/** `agentlink init`. */
export function addInit(program: Command, context: Context): void {
  const command = program
    .command('init')
    .summary('make a home: keys, secrets and config.toml')
    .description(
      'Makes the home of a new node: its keys, the owner secret, the token of the agent "default", and config.toml. ' +
        'On a home that exists it makes the secrets that are missing, changes nothing else, says so, and exits 0; with another --handle than the one there it exits 1.'
    )
    .option('--handle <@name>', 'the name your agent suggests to its contacts (default: a neutral one)')
    .addOption(
      new Option('--preset <name>', 'the rules that your agent begins with (default: none, you are asked)').choices(
        PRESETS
      )
    )
  addNetFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink init --handle @alice\n  agentlink init --handle @alice --preset balanced\n  agentlink init --home ./bob --handle @bob --port 4651'
    )
    .action(async (flags: InitFlags, self: Command) => {
      const run = runOf(context, self)
      const listen = listenOf(flags)
      const report = await context.launch.init({
        home: run.home,
        ...(flags.handle === undefined ? {} : { handle: flags.handle }),
        ...(listen === undefined ? {} : { listen }),
        ...(flags.preset === undefined ? {} : { preset: flags.preset })
      })
      await run.print(report, () => textOf(report, run))
    })
}

function textOf(report: InitReport, run: Run): string {
  const opening = report.created ? `Made ${report.home}` : `${report.home} exists already; ${changeText(report)}`
  const table = facts([
    ['handle', report.handle],
    ['agent', report.agent],
    ['node', report.peerId],
    ['listens on', report.listen.join(', ')],
    ['settings', report.config],
    ['agent token', report.token]
  ])
  return `${opening}\n\n${table}\n\n${run.worded(rulesText(report))}\n\nNext: ${run.command('start')}`
}

function changeText({ renewed = [] }: InitReport): string {
  return renewed.length === 0 ? 'nothing was changed' : `made anew: ${renewed.join(', ')}`
}

function rulesText({ created, preset }: InitReport): string {
  if (preset !== undefined) {
    const rules = grantTable(preset.rules, (contact) => contact)
    return `Rules of the preset "${preset.name}", for every contact; whatever they don't name is asked:\n\n${rules}`
  }
  return created
    ? 'No rules yet: you are asked every time. See `agentlink grant preset --help`.'
    : '`agentlink grant list` shows its rules while it runs.'
}
