import { rmSync } from 'node:fs'
import type { HomePaths } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import { auditChains, type ChainFault } from '../store/audit-chains.js'
import { auditEntries, type EntryFault } from '../store/audit-entries.js'
import { concernedBy } from '../store/concerned.js'
import { corruptMessage } from '../store/failure.js'
import type { Disk, KeyValue } from '../store/key-value.js'
import { openLevel } from '../store/level.js'
import { migrate } from '../store/migrate.js'
import { damageMessage, faultText } from './fault-text.js'
import { forOwner } from './for-owner.js'
import type { KeptAgent } from './keystore.js'
import { checkKnownAgents } from './known-agents.js'

/**
 * Takes hold of the home's store: the lock first, then its version, then the audit of what must be in it. Holding the
 * lock makes this the only node of the home, so the run file of a killed one is removed here. Last come the keys, `kept`.
 * @throws CommandFailure that says what the owner can do
 */
export async function openDisk(paths: HomePaths, kept: readonly KeptAgent[]): Promise<Disk> {
  return openSound(paths, async (disk) => {
    await refuseDamage(disk, await auditChains(disk))
    await checkKnownAgents(disk, paths, kept)
  })
}

/** The same for who mends it: the chains are not judged. @throws CommandFailure as `openDisk` does */
export async function openDamaged(paths: HomePaths, kept: readonly KeptAgent[]): Promise<Disk> {
  return openSound(paths, (disk) => checkKnownAgents(disk, paths, kept))
}

async function openSound(paths: HomePaths, judge: (disk: Disk) => Promise<void>): Promise<Disk> {
  const disk = await forOwner(openLevel(paths.state))
  try {
    rmSync(paths.runFile, { force: true })
    await forOwner(migrate(disk))
    await forOwner(judge(disk))
    refuseEdited(await forOwner(auditEntries(disk)))
  } catch (error) {
    await closeQuietly(disk)
    throw error
  }
  return disk
}

/** Says which messages and which tasks, and what helps: their contact has them too. */
async function refuseDamage(disk: Disk, faults: readonly ChainFault[]): Promise<void> {
  const [first] = faults
  if (first === undefined) return
  const where = faultText(first, await concernedBy(disk, first))
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`
  throw new CommandFailure(EXIT.refused, damageMessage(where + more))
}

/** A log that was edited, or lost a part, tells the owner nothing that they could rely on: the first bad entry is named. */
function refuseEdited(faults: readonly EntryFault[]): void {
  const [first] = faults
  if (first === undefined) return
  const where = first.from === first.to ? `entry ${first.from}` : `entries ${first.from} to ${first.to}`
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`
  throw new CommandFailure(EXIT.refused, corruptMessage(`audit log, ${where}: ${first.fault}${more}`))
}

/** The reason that is already on its way matters more than a close that fails as well. */
async function closeQuietly(kv: KeyValue): Promise<void> {
  await kv.close().catch(() => undefined)
}
