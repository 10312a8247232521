import { join } from 'node:path'

/**
 * The home directory as clients and the node see it: pure paths, no disk.
 *
 * ```text
 * HOME/                      0700
 *   config.toml              0600  what the owner changed from config/default.toml
 *   owner.secret             0600  bearer secret of the owner routes
 *   keys/                    0700  never handed to anybody
 *     node.key               0600  libp2p identity
 *     wallet.json            0600  the key that pays for jobs, in the format of solana-keygen; only there once it was made
 *     agents/NAME.key        0600  identity of an agent
 *   agents/NAME/             0700  may be given to the program that acts as this agent
 *     token                  0600  its bearer token
 *     agent.sock             0600  while running: this agent's routes only
 *   state/                   0700  LevelDB
 *   agentlink.log            0600  written by `start --background`
 *   api.sock                 0600  while running: every route
 *   login.html               0600  leads a browser to the page of the owner; written by `agentlink dashboard`, good for 2 minutes
 *   run.json                 0600  while running: where to reach it
 * ```
 */
export interface HomePaths {
  readonly home: string
  readonly config: string
  readonly ownerSecret: string
  readonly keys: string
  readonly nodeKey: string
  readonly wallet: string
  readonly agentKeys: string
  readonly agents: string
  readonly state: string
  readonly log: string
  readonly apiSocket: string
  readonly runFile: string
  readonly loginPage: string
  agent(name: string): AgentPaths
}

interface AgentPaths {
  readonly directory: string
  readonly key: string
  readonly token: string
  readonly socket: string
}

/** What `run.json` says while a node runs. `agent` is the default agent, `socket` and `url` reach the API. */
export interface RunFile {
  readonly pid: number
  readonly socket: string
  /** Absent when the TCP face of the API is switched off. */
  readonly url?: string
  readonly agent: string
  readonly peerId: string
  readonly addrs: readonly string[]
}

/** Bytes of a socket's path at most: the kernel's room, less the closing zero. Node cuts a longer one off without a word. */
export const SOCKET_PATH_BYTES = 107

/** The agent that `init` makes. */
export const DEFAULT_AGENT = 'default'

/** The paths of a home. `home` must be absolute. */
export function homePaths(home: string): HomePaths {
  const agents = join(home, 'agents')
  const keys = join(home, 'keys')
  const agentKeys = join(keys, 'agents')
  return {
    home,
    config: join(home, 'config.toml'),
    ownerSecret: join(home, 'owner.secret'),
    keys,
    nodeKey: join(keys, 'node.key'),
    wallet: join(keys, 'wallet.json'),
    agentKeys,
    agents,
    state: join(home, 'state'),
    log: join(home, 'agentlink.log'),
    apiSocket: join(home, 'api.sock'),
    runFile: join(home, 'run.json'),
    loginPage: join(home, 'login.html'),
    agent: (name) => ({
      directory: join(agents, name),
      key: join(agentKeys, `${name}.key`),
      token: join(agents, name, 'token'),
      socket: join(agents, name, 'agent.sock')
    })
  }
}

/** Reads the text of a run file; undefined for anything that is not one. */
export function parseRunFile(text: string): RunFile | undefined {
  try {
    const value = JSON.parse(text) as Partial<RunFile> | null
    return value !== null && isRunFile(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRunFile(value: Partial<RunFile>): value is RunFile {
  const texts = [value.socket, value.agent, value.peerId]
  return (
    Number.isSafeInteger(value.pid) && texts.every((text) => typeof text === 'string') && Array.isArray(value.addrs)
  )
}
