import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { DEFAULT_AGENT, type HomePaths, homePaths } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { InitReport, InitRequest } from '../clients/cli/launch.js'
import type { PresetName } from '../policy/preset-names.js'
import { rulesOf } from '../policy/presets.js'
import { peerIdOf } from '../wire/keys.js'
import { checkConfigText, loadConfig } from './config.js'
import { agentNames, checkHome, checkSocketPaths, isHome, makeHome, writePrivate } from './home.js'
import { type Keystore, makeKeys, openKeystore, renewMissingSecrets } from './keystore.js'

/** Below the range that the system takes outgoing ports from, above the well-known services. */
const PORTS = { first: 10_000, last: 30_000 }
const PORT_TRIES = 20

/**
 * `agentlink init`: makes a home with its keys, secrets and config.toml. On an existing home it makes the secrets that are
 * missing, and changes nothing else; asked for another handle than the one that stands there, it refuses.
 */
export async function init(request: InitRequest): Promise<InitReport> {
  const paths = homePaths(request.home)
  checkSocketPaths(paths, [DEFAULT_AGENT])
  if (isHome(paths)) return existing(paths, request)
  const listen = request.listen ?? [`/ip4/0.0.0.0/tcp/${await freePort()}`]
  // A bad flag is refused before anything is on the disk.
  checkConfigText(configText(request.handle ?? '@agent', listen), 'command line')
  makeHome(paths, DEFAULT_AGENT)
  makeKeys(paths, DEFAULT_AGENT)
  const keystore = openKeystore(paths, [DEFAULT_AGENT])
  const handle = request.handle ?? defaultHandle(keystore)
  writePrivate(paths.config, configText(handle, listen))
  const report = reportOf(paths, keystore, { created: true, handle, listen })
  return request.preset === undefined ? report : { ...report, preset: await begin(paths, keystore, request.preset) }
}

/** The home is whole by then: where the store takes no writes, it is one without rules. */
async function begin(paths: HomePaths, { agents }: Keystore, name: PresetName): Promise<InitReport['preset'] & object> {
  const { beginWith } = await import('./first-rules.js')
  for (const { agent } of agents) await beginWith(paths, agent, name)
  return { name, rules: rulesOf(name) }
}

function existing(paths: HomePaths, request: InitRequest): InitReport {
  const { handle, net } = loadConfig(paths.config, {})
  if (request.preset !== undefined) {
    throw new CommandFailure(
      EXIT.refused,
      `${paths.home} already exists; nothing was changed. A preset replaces rules, so look at it first: ` +
        `\`agentlink grant preset ${request.preset}\``
    )
  }
  if (request.handle !== undefined && request.handle !== handle) {
    const now = handle ?? 'no handle'
    throw new CommandFailure(
      EXIT.refused,
      `${paths.home} already exists with ${now}; nothing was changed. To change the handle edit ${paths.config}`
    )
  }
  const names = agentNames(paths)
  const renewed = renewMissingSecrets(paths, names)
  checkHome(paths, names)
  const keystore = openKeystore(paths, names)
  const report = reportOf(paths, keystore, {
    created: false,
    handle: handle ?? defaultHandle(keystore),
    listen: net.listen
  })
  return renewed.length === 0 ? report : { ...report, renewed }
}

/** A handle that says nothing about the person and that two agents hardly ever share. */
export function neutralHandle(agent: string): string {
  return `@agent-${agent.slice(-4)}`
}

function defaultHandle(keystore: Keystore): string {
  return neutralHandle(keystore.agents[0]?.agent ?? '')
}

function reportOf(
  paths: HomePaths,
  keystore: Keystore,
  facts: { readonly created: boolean; readonly handle: string; readonly listen: readonly string[] }
): InitReport {
  return {
    ...facts,
    home: paths.home,
    agent: keystore.agents[0]?.agent ?? '',
    peerId: peerIdOf(keystore.keyring.node.publicKey),
    config: paths.config,
    token: paths.agent(DEFAULT_AGENT).token
  }
}

function configText(handle: string, listen: readonly string[]): string {
  return [
    '# Settings of this AgentLink node. What is not said here has the value of config/default.toml, which lists all.',
    '',
    '# The name that your agent suggests to its contacts.',
    `handle = ${JSON.stringify(handle)}`,
    '',
    '[net]',
    '# Your links carry this port: a contact finds you again only while it stays the same.',
    `listen = [${listen.map((address) => JSON.stringify(address)).join(', ')}]`,
    ''
  ].join('\n')
}

/** A port that is free now, picked at random: two homes made before either starts must not get the same one. */
async function freePort(): Promise<number> {
  for (let i = 0; i < PORT_TRIES; i++) {
    const port = randomInt(PORTS.first, PORTS.last)
    if (await isFree(port)) return port
  }
  throw new CommandFailure(EXIT.refused, 'found no free port; say one with --port')
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '0.0.0.0', () => probe.close(() => resolve(true)))
  })
}
