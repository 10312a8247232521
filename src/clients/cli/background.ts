import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import type { HomePaths, RunFile } from '../../api/home.js'
import { visible } from '../../base/visible.js'
import { CommandFailure, EXIT, type ExitCode, noHome } from './failure.js'
import { isAnswering, readRunFile } from './session.js'
import { waitFor } from './wait.js'

/** How long a daemon may take until it is ready; a big store is checked at boot. */
const READY_MS = 60_000
/** A log that has grown past this is moved aside (one old log is kept) when a daemon starts. */
const LOG_BYTES = 10 * 1024 * 1024
const LAST_LINES = 12

/**
 * Starts a daemon that outlives this command, and waits until it answers.
 * @param flags what `agentlink start` is given beside the home
 * @throws CommandFailure with the exit code of the daemon and the last lines of its log
 */
export async function startInBackground(paths: HomePaths, flags: readonly string[]): Promise<RunFile> {
  if (!existsSync(paths.config)) throw noHome(paths.home)
  if (await isAnswering(paths)) {
    throw new CommandFailure(EXIT.alreadyRunning, `a node is already running on ${paths.home}`)
  }
  const log = openLog(paths)
  const before = statSync(paths.log).size
  // The program is started the way this command was, loaders included, so that it is the same program.
  const program = [...process.execArgv, process.argv[1] ?? '', 'start', '--home', paths.home, ...flags]
  const child = spawn(process.execPath, program, { detached: true, stdio: ['ignore', 'ignore', log] })
  closeSync(log)
  const ended = { code: undefined as number | undefined }
  child.once('exit', (code) => (ended.code = code ?? EXIT.refused))
  child.once('error', () => (ended.code = EXIT.refused))
  const ready = await waitFor<RunFile | 'ended'>(READY_MS, () =>
    ended.code === undefined ? readyRun(paths, child.pid) : 'ended'
  )
  if (ready !== undefined && ready !== 'ended') {
    child.unref()
    return ready
  }
  if (ready === undefined) child.kill('SIGTERM')
  const opening = ready === undefined ? `not ready after ${READY_MS / 1000} s` : 'the node did not start'
  throw new CommandFailure(exitCodeOf(ended.code), `${opening}; its last words:\n${lastLines(paths, before)}`)
}

async function readyRun(paths: HomePaths, pid: number | undefined): Promise<RunFile | undefined> {
  const run = readRunFile(paths)
  if (run === undefined || run.pid !== pid) return undefined
  return (await isAnswering(paths)) ? run : undefined
}

function openLog(paths: HomePaths): number {
  const size = statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES) renameSync(paths.log, `${paths.log}.old`)
  return openSync(paths.log, 'a', 0o600)
}

function lastLines(paths: HomePaths, from: number): string {
  const said = readFileSync(paths.log).subarray(from).toString('utf8').trimEnd()
  return said.split('\n').slice(-LAST_LINES).map(visible).join('\n')
}

function exitCodeOf(code: number | undefined): ExitCode {
  return Object.values(EXIT).find((known) => known !== EXIT.done && known === code) ?? EXIT.refused
}
