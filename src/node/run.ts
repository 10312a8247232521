import { isatty } from 'node:tty'
import { type HomePaths, homePaths } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { StartRequest } from '../clients/cli/launch.js'
import { isAnswering, readRunFile } from '../clients/cli/session.js'
import { explainConfig } from './config.js'
import { agentNames, checkHome } from './home.js'
import { neutralHandle } from './init.js'
import { openKeystore } from './keystore.js'
import { createLog } from './log.js'
import { firstSignal, type StopSignal } from './signals.js'

const STDERR = 2
/** Whatever is made while the node runs, the store's files too, is for its user alone. */
const PRIVATE = 0o077
/** After a stop the process ends by itself; what still holds it then is cut off. */
const LEFTOVERS_MS = 1000

/**
 * `agentlink start`: runs the node of a home in this process until a signal stops it. Resolves with the exit code.
 * @throws CommandFailure before anything runs: home, configuration, another node, an address in use
 */
export async function run(request: StartRequest): Promise<number> {
  try {
    return await runUntilSignal(request, firstSignal())
  } finally {
    // With the exit code that the command sets.
    setTimeout(() => process.exit(), LEFTOVERS_MS).unref()
  }
}

async function runUntilSignal(request: StartRequest, stopping: Promise<StopSignal>): Promise<number> {
  process.umask(PRIVATE)
  const paths = homePaths(request.home)
  const agents = agentNames(paths)
  checkHome(paths, agents)
  const { config, settings } = explainConfig(paths.config, process.env, request.settings)
  const keystore = openKeystore(paths, agents)
  await refuseSecond(paths)
  const log = createLog({ level: config.log.level, fd: STDERR, reader: isatty(STDERR) ? 'eye' : 'program' })
  process.on('uncaughtExceptionMonitor', () => log.flushNow())
  // First the lock, then libp2p and the rest: a second node that starts at the same moment must fail fast.
  const { openDisk } = await import('./disk.js')
  const disk = await openDisk(paths, keystore.agents)
  const { createNode } = await import('./assembly.js')
  const node = createNode({ paths, config, settings, keystore, disk, log })
  const file = await node.start()
  log.info('ready', { pid: file.pid, peerId: file.peerId, addrs: file.addrs })
  request.onReady({ ...file, home: paths.home, handle: config.handle ?? neutralHandle(file.agent) })
  log.info('stopping', { signal: await stopping })
  await node.stop()
  log.info('stopped')
  await log.close()
  return EXIT.done
}

/** Two nodes on one home would sign two messages with one number. The store's lock is what holds when both start at once. */
async function refuseSecond(paths: HomePaths): Promise<void> {
  if (!(await isAnswering(paths))) return
  const pid = readRunFile(paths)?.pid
  const which = pid === undefined ? '' : ` (process ${pid})`
  throw new CommandFailure(EXIT.alreadyRunning, `a node is already running on ${paths.home}${which}`)
}
