import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Context, runOf } from '../context.js'
import { CommandFailure, EXIT, noHome } from '../failure.js'
import { isRunning } from '../processes.js'
import { isAnswering, readRunFile } from '../session.js'
import { waitFor } from '../wait.js'

/** What a stop may take: open calls end, streams close, the store is synced. */
const STOP_MS = 30_000

/** `agentlink stop`. */
export function addStop(program: Command, context: Context): void {
  program
    .command('stop')
    .summary('stop the node')
    .description('Stops the node of a home and waits until it is gone. Exits 3 when none is running.')
    .addHelpText('after', '\nExamples:\n  agentlink stop\n  agentlink stop --home ./bob')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const { paths } = run.session
      if (!existsSync(paths.config)) throw noHome(run.home)
      // Only a node that answers on this home's socket has written this run.json: an old one is removed before the
      // socket is opened. So the process id can't be that of a stranger.
      const answering = await isAnswering(paths)
      const file = answering ? await waitFor(STOP_MS, () => readRunFile(paths)) : undefined
      if (file === undefined) throw notRunning(run.home, readRunFile(paths)?.pid)
      process.kill(file.pid, 'SIGTERM')
      const gone = await waitFor(STOP_MS, () => (isRunning(file.pid) ? undefined : true))
      if (gone === undefined) {
        throw new CommandFailure(EXIT.refused, `process ${file.pid} has not stopped after ${STOP_MS / 1000} s`)
      }
      await run.print({ stopped: true, pid: file.pid }, () => `Stopped process ${file.pid}`)
    })
}

/** A hung node doesn't answer either; its number may since belong to a stranger, so only a person may end it. */
function notRunning(home: string, pid: number | undefined): CommandFailure {
  if (pid === undefined || !isRunning(pid)) return new CommandFailure(EXIT.notRunning, `no node is running on ${home}`)
  const message = `process ${pid} may be the node of ${home}, but does not answer; look at it, then end it with: kill ${pid}`
  return new CommandFailure(EXIT.refused, message)
}
