import { homePaths, type HomePaths } from '../../api/home.js'
import { noHome } from '../../clients/cli/failure.js'
import type { Finding } from '../../clients/cli/launch.js'
import { isAnswering } from '../../clients/cli/session.js'
import { loadConfig } from '../config.js'
import { agentNames, checkPrivate, checkSocketPaths, isHome, privatePaths } from '../home.js'
import { type KeptAgent, openKeystore } from '../keystore.js'
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
  const keys = keysOf(paths, names)
  const runs = await isAnswering(paths)
  const config = settingsOf(paths)
  const rest = runs ? await lookAtNode(paths) : await lookAtRest(paths, config, keys)
  return [
    ...lookAtProgram(),
    ...lookAtHome(paths, names),
    ...('finding' in config ? [config.finding] : [{ check: 'settings', state: 'ok', found: paths.config } as const]),
    ...('agents' in keys ? lookAtKeys(keys.agents, rest) : keys.findings),
    ...(await lookAtDisk(paths)),
    ...rest,
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

type Keys = { readonly agents: readonly KeptAgent[] } | { readonly findings: readonly Finding[] }

function keysOf(paths: HomePaths, names: readonly string[]): Keys {
  try {
    return { agents: openKeystore(paths, names).agents }
  } catch (error) {
    // A file that is missing was told of as a part of the home.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { findings: [] }
    return { findings: [failed('keys', error)] }
  }
}

/** Whose they are only the store can tell. */
function lookAtKeys(agents: readonly KeptAgent[], rest: readonly Finding[]): Finding[] {
  if (rest.some(({ check }) => check === 'keys')) return []
  return [{ check: 'keys', state: 'ok', found: `of the node and of ${agents.map(({ name }) => name).join(', ')}` }]
}

/** A node that doesn't run: what a start would meet. */
async function lookAtRest(paths: HomePaths, settings: Settings, keys: Keys): Promise<Finding[]> {
  return [
    ...(await lookAtStore(paths, 'agents' in keys ? keys.agents : [])),
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
