import { existsSync } from 'node:fs'
import type { HomePaths } from '../../api/home.js'
import type { Finding } from '../../clients/cli/launch.js'
import { instantOf } from '../../base/time.js'
import { readEntry } from '../../policy/audit.js'
import type { KeyValue } from '../../store/key-value.js'
import { openDisk } from '../disk.js'
import type { KeptAgent } from '../keystore.js'
import { checkKnownAgents } from '../known-agents.js'
import { failed } from './finding.js'

/** What a start would find in the store, and whether the clock goes on from there. */

/** Clocks that were set right differ by less. Milliseconds. */
const SLACK_MS = 60_000

export async function lookAtStore(paths: HomePaths, kept: readonly KeptAgent[]): Promise<Finding[]> {
  if (!existsSync(paths.state)) return [{ check: 'store', state: 'ok', found: 'none yet; the first start makes it' }]
  try {
    // The keys are looked at by themselves.
    const disk = await openDisk(paths, [])
    try {
      return [
        { check: 'store', state: 'ok', found: 'whole: chains and audit log hold' },
        ...(await lookAtAgents(disk, paths, kept)),
        await lookAtClock(disk)
      ]
    } finally {
      await disk.close()
    }
  } catch (error) {
    return [failed('store', error)]
  }
}

async function lookAtAgents(disk: KeyValue, paths: HomePaths, kept: readonly KeptAgent[]): Promise<Finding[]> {
  try {
    await checkKnownAgents(disk, paths, kept)
    return []
  } catch (error) {
    return [failed('keys', error)]
  }
}

async function lookAtClock(disk: KeyValue): Promise<Finding> {
  const [newest] = await disk.range({ gte: 'au:', lt: 'au;', reverse: true, limit: 1 })
  return clockAfter(newest === undefined ? undefined : readEntry(newest[1])?.at)
}

/** Times come from the machine: one that is behind what was written already, at `at`, makes deadlines pass late. */
export function clockAfter(at: string | undefined): Finding {
  const now = new Date().toISOString()
  const latest = at === undefined ? undefined : instantOf(at)
  if (latest === undefined || latest <= Date.now() + SLACK_MS) return { check: 'clock', state: 'ok', found: now }
  const found = `${now}, but the audit log ends at ${at}`
  return { check: 'clock', state: 'fail', found, advice: 'set the clock of this machine right' }
}
