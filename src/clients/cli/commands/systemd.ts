import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT, noHome } from '../failure.js'
import { isAnswering } from '../session.js'
import { removeUnusedUnit, systemctl, unitFile, unitOf, unitText, writeUnit } from '../systemd.js'

/** `agentlink service`: the node as a service of the owner's own account, under systemd. */
export function addSystemd(program: Command, context: Context): void {
  const service = program
    .command('service')
    .summary('keep the node running with systemd')
    .description('Lets systemd run the node of a home: from login on, and again when it fails.')
  addInstall(service, context)
  addUninstall(service, context)
}

function addInstall(service: Command, context: Context): void {
  service
    .command('install')
    .summary('start it now, and at every login')
    .description(
      'Writes a unit for your own account (no root) and starts the node of the home with it. Run it again after the ' +
        'program has moved.'
    )
    .option('--print', 'print the unit and do nothing')
    .addHelpText(
      'after',
      `
Examples:
  agentlink service install
  agentlink service install --home ~/work-agents
  loginctl enable-linger        keeps it running when you are not logged in`
    )
    .action(async (flags: { readonly print?: true }, self: Command) => {
      const run = runOf(context, self)
      if (flags.print === true) {
        const text = unitText(process.execPath, process.argv[1] ?? '')
        return run.print({ unit: text }, () => text.trimEnd())
      }
      const unit = await install(run, context.terminal.environment)
      await run.print(
        { unit, file: unitFile(context.terminal.environment) },
        () => `${unit} runs.\nIts log: journalctl --user -u '${unit}'\nWithout a login: loginctl enable-linger`
      )
    })
}

async function install(run: Run, environment: NodeJS.ProcessEnv): Promise<string> {
  const { paths } = run.session
  if (!existsSync(paths.config)) throw noHome(run.home)
  const unit = await unitOf(run.home, environment)
  if (await isAnswering(paths)) {
    const advice = `stop it first with: \`agentlink stop\``
    throw new CommandFailure(EXIT.alreadyRunning, `the node of ${run.home} runs already; ${advice}`)
  }
  writeUnit(environment)
  try {
    await systemctl(['daemon-reload'], environment)
    await systemctl(['enable', '--now', unit], environment)
  } catch (error) {
    removeUnusedUnit(environment)
    throw error
  }
  return unit
}

function addUninstall(service: Command, context: Context): void {
  service
    .command('uninstall')
    .summary('stop it, and start it no more')
    .description('Stops the node of the home and takes it out of systemd. The home stays as it is.')
    .addHelpText('after', '\nExample:\n  agentlink service uninstall')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const { environment } = context.terminal
      const unit = await unitOf(run.home, environment)
      if (!existsSync(unitFile(environment))) {
        throw new CommandFailure(EXIT.refused, `no service of ${run.home} is installed; there is nothing to take out`)
      }
      await systemctl(['disable', '--now', unit], environment)
      removeUnusedUnit(environment)
      await systemctl(['daemon-reload'], environment)
      await run.print({ unit }, () => `${unit} is stopped and gone; the home stays.`)
    })
}
