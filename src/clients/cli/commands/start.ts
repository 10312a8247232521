import type { Command } from 'commander'
import { startInBackground } from '../background.js'
import { type Context, runOf } from '../context.js'
import { CommandFailure } from '../failure.js'
import { asJson } from '../json.js'
import type { ReadyReport } from '../launch.js'
import { addNetFlags, listenOf, type NetFlags, wholePort } from '../net-flags.js'

interface StartFlags extends NetFlags {
  readonly apiPort?: number
  readonly apiTcp: boolean
  readonly logLevel?: string
  readonly background?: true
}

/** What files alone can't keep apart; said here, in the README, and when a person starts a node. */
const LIMIT = 'A program of the same user that can read the home can act as the owner.'

const EXAMPLES = `
Examples:
  agentlink start
  agentlink start --background && agentlink status
  agentlink start --home ./bob --listen /ip4/127.0.0.1/tcp/4651

One line on stdout says when the node is ready; the log goes to stderr. SIGINT or SIGTERM stops it cleanly, a second one
at once. Every setting of config.toml can also come from the environment: AGENTLINK_NET_LISTEN, AGENTLINK_LOG_LEVEL, …
${LIMIT}`

/** `agentlink start`. */
export function addStart(program: Command, context: Context): void {
  const command = program
    .command('start')
    .summary('run the node')
    .description('Runs the node of a home in the foreground.')
  addNetFlags(command)
    .option('--api-port <number>', 'port of the HTTP face on loopback (default: a free one)', wholePort)
    .option('--no-api-tcp', 'serve the unix sockets only')
    .option('--log-level <level>', 'info, warn or silent')
    .option('--background', 'start a daemon, wait until it is ready, and return')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: StartFlags, self: Command) => {
      const run = runOf(context, self)
      const settings = settingsOf(flags)
      if (flags.background === true) {
        const ready = await startInBackground(run.session.paths, argumentsOf(flags))
        return run.print(
          ready,
          () => `Started in the background, process ${ready.pid}; stop it with: ${run.command('stop')}`
        )
      }
      const onReady = (ready: ReadyReport): void => {
        context.terminal.out(run.json ? asJson(ready) : readyLine(ready))
        if (context.terminal.interactive && !run.json) context.terminal.err(LIMIT)
      }
      const code = await context.launch.start({ home: run.home, settings, onReady })
      if (code !== 0) throw new CommandFailure(1, 'the node stopped because of a fault; see the log above')
    })
}

function settingsOf(flags: StartFlags): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  const listen = listenOf(flags)
  if (listen !== undefined) settings['net.listen'] = listen
  if (flags.apiPort !== undefined) settings['api.port'] = flags.apiPort
  if (!flags.apiTcp) settings['api.tcp'] = false
  if (flags.logLevel !== undefined) settings['log.level'] = flags.logLevel
  return settings
}

/** The same flags again, for the child process. */
function argumentsOf(flags: StartFlags): string[] {
  const given = (listenOf(flags) ?? []).flatMap((address) => ['--listen', address])
  if (flags.apiPort !== undefined) given.push('--api-port', String(flags.apiPort))
  if (!flags.apiTcp) given.push('--no-api-tcp')
  if (flags.logLevel !== undefined) given.push('--log-level', flags.logLevel)
  return given
}

function readyLine(ready: ReadyReport): string {
  const url = ready.url === undefined ? '' : `, ${ready.url}`
  return `ready: ${ready.handle} ${ready.agent}; API at ${ready.socket}${url}; process ${ready.pid}`
}
