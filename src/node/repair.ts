import { isatty } from 'node:tty'
import { type HomePaths, homePaths } from '../api/home.js'
import type { HarmReport, RepairReport, RepairRequest } from '../clients/cli/launch.js'
import { type Harm, joined } from '../flows/harms.js'
import { createRefetch } from '../flows/refetch.js'
import { type ChainFault, auditChains } from '../store/audit-chains.js'
import { concernedBy } from '../store/concerned.js'
import type { KeyValue } from '../store/key-value.js'
import { createStore } from '../store/store.js'
import { LIMITS } from '../wire/limits.js'
import { createClock } from './clock.js'
import { loadConfig } from './config.js'
import { openDamaged } from './disk.js'
import { faultText } from './fault-text.js'
import { forOwner } from './for-owner.js'
import { agentNames, checkHome } from './home.js'
import { type Keystore, openKeystore } from './keystore.js'
import { type NodeLog, createLog } from './log.js'
import { hostOf, listen } from './network.js'
import type { Config } from './settings.js'

/** `agentlink repair`: fetches messages that a damaged store lost again from contacts (protocols/backups.md, "Mending"). */

const STDERR = 2
/** The store's files as well are for their user alone. */
const OTHERS = 0o077
/** All messages are hashed: the hello must name a message that the contact knows. */
const ALL = { recent: Number.MAX_SAFE_INTEGER }
const CALL_MS = 3_000

/** Damage that somebody else holds the whole of. */
const MENDABLE: ReadonlySet<ChainFault['fault']> = new Set(['missing', 'unreadable', 'misplaced', 'altered'])

interface Parts {
  readonly paths: HomePaths
  readonly config: Config
  readonly keystore: Keystore
  readonly log: NodeLog
  readonly request: RepairRequest
}

/** What is wrong with the chains, and the same for the owner. */
interface Found {
  readonly faults: readonly ChainFault[]
  readonly reports: readonly HarmReport[]
}

/**
 * Resolves with what was harmed and what is left. A message that is back may show that the one before it is harmed as
 * well, so it goes on as long as something comes back. @throws CommandFailure: a node runs, or the store can't be read
 */
export async function repair(request: RepairRequest): Promise<RepairReport> {
  process.umask(OTHERS)
  const paths = homePaths(request.home)
  const agents = agentNames(paths)
  checkHome(paths, agents)
  const config = loadConfig(paths.config, process.env, request.settings)
  const keystore = openKeystore(paths, agents)
  const log = createLog({ level: 'warn', fd: STDERR, reader: isatty(STDERR) ? 'eye' : 'program' })
  try {
    return await forOwner(mend({ paths, config, keystore, log, request }))
  } finally {
    await log.close()
  }
}

async function mend(parts: Parts): Promise<RepairReport> {
  const { request } = parts
  const first = await look(parts)
  if (first.faults.length > 0) request.onFound(first.reports)
  let left = first
  let before = Infinity
  while (left.faults.length > 0 && weightOf(left.faults) < before) {
    before = weightOf(left.faults)
    await fetchAgain(parts, mendableOf(left.faults))
    left = await look(parts)
  }
  return { harmed: first.reports, left: left.reports }
}

async function look({ paths, keystore }: Parts): Promise<Found> {
  const disk = await openDamaged(paths, keystore.agents)
  try {
    const faults = await auditChains(disk, ALL)
    const reports: HarmReport[] = []
    for (const fault of faults) reports.push(await reportOf(disk, fault))
    return { faults, reports }
  } finally {
    await disk.close()
  }
}

async function reportOf(disk: KeyValue, fault: ChainFault): Promise<HarmReport> {
  const concerned = await concernedBy(disk, fault)
  const { agent, chain, from, to } = fault
  return { agent, ...concerned, chain, from, to, fault: fault.fault, says: faultText(fault, concerned) }
}

/** One round over the network. */
async function fetchAgain({ paths, config, keystore, log, request }: Parts, harms: readonly Harm[]): Promise<void> {
  if (harms.length === 0) return
  const clock = createClock()
  const store = createStore(await openDamaged(paths, keystore.agents), { clock })
  const host = hostOf(config, keystore, log)
  const onMended = ({ from, to }: Harm): void => request.onMended(to - from + 1)
  const options = { patienceMs: request.patienceMs, callMs: CALL_MS }
  try {
    await listen(host, config)
    await createRefetch({ store, link: host, clock, log, onMended }, options, harms).run()
  } finally {
    await host.stop()
    await store.close()
  }
}

/** What somebody else may hold, of chains whose harms one stream can bring. */
function mendableOf(faults: readonly ChainFault[]): Harm[] {
  const harms = faults.filter(({ fault }) => MENDABLE.has(fault))
  return joined(harms).filter(
    (one, _, all) => weightOf(all.filter((other) => isSameChain(one, other))) <= LIMITS.window
  )
}

function isSameChain(one: Harm, other: Harm): boolean {
  return one.agent === other.agent && one.peer === other.peer && one.chain === other.chain
}

/** How many messages they are. */
function weightOf(harms: ReadonlyArray<Pick<Harm, 'from' | 'to'>>): number {
  return harms.reduce((sum, { from, to }) => sum + to - from + 1, 0)
}
