import { homePaths, type HomePaths } from '../../api/home.js'
import { noHome } from '../../clients/cli/failure.js'
import type { Finding } from '../../clients/cli/launch.js'
import { isAnswering } from '../../clients/cli/session.js'
import { loadConfig } from '../config.js'
import { agentNames, checkPrivate, checkSocketPaths, isHome, privatePaths } from '../home.js'
import { openKeystore } from '../keystore.js'
import type { Config } from '../settings.js'
import { lookAtChain } from './chain.js'
import { failed } from './finding.js'
import { lookAtDisk, lookAtPorts, lookAtProgram } from './machine.js'
import { lookAtNode } from './running.js'
import { lookAtStore } from './state.js'

/**
 * `agentlink doctor`: each part of a node looked at by itself, in the order in which a start needs them, so that one fault
 * doesn't hide the next. Nothing is changed that a start would leave as it is.
 */
export async function doctor(home: string): Promise<readonly Finding[]> {
  const paths = homePaths(home)
  if (!isHome(paths)) return [...lookAtProgram(), failed('home', noHome(home))]
  const names = agentNames(paths)
  const runs = await isAnswering(paths)
  const config = settingsOf(paths)
  return [
    ...lookAtProgram(),
    ...lookAtHome(paths, names),
    ...('finding' in config ? [config.finding] : [{ check: 'settings', state: 'ok', found: paths.config } as const]),
    lookAtKeys(paths, names),
    ...(await lookAtDisk(paths)),
    ...(runs ? await lookAtNode(paths) : await lookAtRest(paths, config)),
    ...('config' in config ? await lookAtChain(config.config, paths) : [])
  ]
}

type Settings = { readonly config: Config } | { readonly finding: Finding }

function settingsOf(paths: HomePaths): Settings {
  try {
    return { config: loadConfig(paths.config, process.env) }
  } catch (error) {
    return { finding: failed('settings', error) }
  }
}

function lookAtHome(paths: HomePaths, names: readonly string[]): Finding[] {
  const checks = [
    () => checkSocketPaths(paths, names),
    ...privatePaths(paths, names).map(
      ([path, kind]) =>
        () =>
          checkPrivate(paths, path, kind)
    )
  ]
  const faults = checks.flatMap((check) => faultOf('home', check) ?? [])
  return faults.length > 0 ? faults : [{ check: 'home', state: 'ok', found: `${paths.home}, private` }]
}

function lookAtKeys(paths: HomePaths, names: readonly string[]): Finding {
  const fault = faultOf('keys', () => openKeystore(paths, names))
  return fault ?? { check: 'keys', state: 'ok', found: `of the node and of ${names.join(', ')}` }
}

/** A node that doesn't run: what a start would meet. */
async function lookAtRest(paths: HomePaths, settings: Settings): Promise<Finding[]> {
  return [
    ...(await lookAtStore(paths)),
    ...('config' in settings ? await lookAtPorts(settings.config) : []),
    { check: 'node', state: 'warn', found: 'it does not run', advice: 'start it with: `agentlink start`' }
  ]
}

function faultOf(check: Finding['check'], look: () => unknown): Finding | undefined {
  try {
    look()
    return undefined
  } catch (error) {
    return failed(check, error)
  }
}
