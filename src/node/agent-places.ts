import { existsSync, renameSync, rmSync } from 'node:fs'
import type { HomePaths } from '../api/home.js'
import type { ApiServer } from '../api/server.js'
import type { AgentId } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { fail, ok } from '../base/result.js'
import type { AgentPlaces } from '../flows/ports.js'
import { CommandFailure } from '../clients/cli/failure.js'
import { checkSocketPaths, makeAgentHome } from './home.js'
import { type Keystore, makeAgentKeys, renewToken } from './keystore.js'

/** Keys, tokens and sockets of agents that come and go while the node runs, as files of the home. */
export function createAgentPlaces(components: {
  readonly paths: HomePaths
  readonly keystore: Keystore
  /** Serves the API, by whose calls agents come and go. */
  readonly server: () => ApiServer
}): AgentPlaces {
  const { paths, keystore, server } = components

  return {
    make(name) {
      try {
        checkSocketPaths(paths, [name])
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error
        return Promise.resolve(fail(badRequest('invalid_field', error.message, 'name')))
      }
      makeAgentHome(paths, name)
      makeAgentKeys(paths, name)
      const { agent, tokenHash } = keystore.take(name)
      return Promise.resolve(ok({ agent, tokenHash }))
    },
    renewToken: (name) => Promise.resolve(renewToken(paths, name)),
    retire(name, agent) {
      retireAgent(paths, name, agent)
      return Promise.resolve()
    },
    open: (name, agent) => server().openAgent({ agent, socket: paths.agent(name).socket }),
    close: (agent) => server().closeAgent(agent),
    interrupt: (agent) => server().interruptAgent(agent)
  }
}

/** Takes the files of a revoked agent out of use: the key, by which it would be hosted again, goes first. */
export function retireAgent(paths: HomePaths, name: string, agent: AgentId): void {
  const { key, token, socket } = paths.agent(name)
  // Kept, so that what the agent signed can still be told from what another made up.
  if (existsSync(key)) renameSync(key, `${key}.revoked-${agent.slice(-8)}`)
  rmSync(token, { force: true })
  rmSync(socket, { force: true })
}
