import { relative } from 'node:path'
import type { HomePaths } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { AgentRecord } from '../flows/records/contacts.js'
import type { KeyValue } from '../store/key-value.js'
import { endOfPrefix } from '../store/ranges.js'
import { decodeAt, keyAt, placeOf } from '../store/tables.js'
import type { KeptAgent } from './keystore.js'

/**
 * Holds the keys of a home against the agents in its store: with another key in its place an agent would be somebody else,
 * without its contacts and tasks, and nobody would be told.
 * @throws CommandFailure that names the file
 */
export async function checkKnownAgents(
  disk: KeyValue,
  paths: HomePaths,
  kept: ReadonlyArray<Pick<KeptAgent, 'name' | 'agent'>>
): Promise<void> {
  for (const { name, agent } of (await agentsOf(disk)).filter(({ revokedAt }) => revokedAt === undefined)) {
    const found = kept.find((one) => one.name === name)
    if (found !== undefined && found.agent !== agent) {
      const says = `is the key of ${found.agent}, and the agent ${name} is ${agent}`
      const advice = 'put the right file there: `agentlink restore FILE --home NEW` gets it out of your backup'
      throw new CommandFailure(EXIT.home, `${fileOf(paths, name)} ${says}; ${advice}`)
    }
    const double = kept.find((one) => one.agent === agent && one.name !== name)
    if (double !== undefined) {
      const says = `is the key of the agent ${name} as well`
      throw new CommandFailure(EXIT.home, `${fileOf(paths, double.name)} ${says}; move it away`)
    }
  }
}

function fileOf(paths: HomePaths, name: string): string {
  return `${relative(paths.home, paths.agent(name).key)} in ${paths.home}`
}

async function agentsOf(disk: KeyValue): Promise<AgentRecord[]> {
  const all = placeOf('agents', '')
  const found = await disk.range({ gte: all, lt: endOfPrefix(all) })
  return found.map(([place, bytes]) => decodeAt('agents', keyAt('agents', place), bytes))
}
