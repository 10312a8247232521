import type { HomePaths } from '../api/home.js'
import type { AgentId } from '../base/ids.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import { applyPreset } from '../flows/presets.js'
import type { PresetName } from '../policy/preset-names.js'
import { createStore } from '../store/store.js'
import { createClock } from './clock.js'
import { openDisk } from './disk.js'

/** The store is for its user alone, as in a running node. */
const PRIVATE = 0o077

/**
 * Puts a preset in place in a home whose node never ran, with its entries in the audit log.
 * @throws CommandFailure when the store takes no writes
 */
export async function beginWith(paths: HomePaths, agent: AgentId, preset: PresetName): Promise<void> {
  const before = process.umask(PRIVATE)
  try {
    await write(paths, agent, preset)
  } catch (error) {
    const why = `the home was made, but its rules could not be stored: ${(error as Error).message}`
    const next = `\`agentlink start\`, then \`agentlink grant preset ${preset}\``
    throw new CommandFailure(EXIT.refused, `${why}. Without rules you are asked every time. Next: ${next}`)
  } finally {
    process.umask(before)
  }
}

async function write(paths: HomePaths, agent: AgentId, preset: PresetName): Promise<void> {
  const clock = createClock()
  const store = createStore(await openDisk(paths, []), { clock })
  try {
    await store.transact((tx) => applyPreset(tx, agent, preset, clock.now())).durable
  } finally {
    await store.close()
  }
}
