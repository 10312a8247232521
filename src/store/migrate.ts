import { META } from '../flows/keys.js'
import { StoreFailure, corruptMessage } from './failure.js'
import type { KeyValue, KvOp } from './key-value.js'
import { nestApprovals } from './nested-approvals.js'
import { TABLES, placeOf } from './tables.js'

/** The store's version: which tables, keys and values it has. Every change of them is a new version and a step to it. */
export const STORE_VERSION = 4

/** What leads from one version to the next, as one atomic batch. */
type MigrationStep = (kv: KeyValue) => Promise<readonly KvOp[]>

export interface Versions {
  readonly current: number
  /** Keyed by the version that the step starts from. */
  readonly steps: ReadonlyMap<number, MigrationStep>
}

/**
 * Version 3 has the tables of paid jobs. They begin empty, but a program that doesn't know them must not open a store in
 * which a payment may be under way.
 */
const addPayments: MigrationStep = () => Promise.resolve([])

/** Version 4 has the tables of offers. They begin empty, but a program that doesn't know them would lose what they hold. */
const addOffers: MigrationStep = () => Promise.resolve([])

const VERSIONS: Versions = {
  current: STORE_VERSION,
  steps: new Map([
    [1, nestApprovals],
    [2, addPayments],
    [3, addOffers]
  ])
}

const VERSION_PLACE = placeOf('meta', META.version)

/**
 * Brings the store to the version of this program; an empty one gets it at once. Every step is one atomic batch together
 * with its version number, so a crash leaves the store at one version or the other.
 * Rejects with StoreFailure: `newer`, `corrupt` (records without a version), `disk_full`, `io`.
 */
export async function migrate(kv: KeyValue, versions: Versions = VERSIONS): Promise<void> {
  const found = await versionOf(kv)
  if (found === undefined) return kv.write([versionOp(versions.current)])
  if (found > versions.current) {
    throw new StoreFailure(
      'newer',
      `This store has version ${found}, and this program knows versions up to ${versions.current}. ` +
        'Install the newer program that wrote it; nothing was changed.'
    )
  }
  for (let version = found; version < versions.current; version++) await advance(kv, versions, version)
}

async function advance(kv: KeyValue, versions: Versions, from: number): Promise<void> {
  const step = versions.steps.get(from)
  if (step === undefined) throw new Error(`no step leads from store version ${from} to ${from + 1}`)
  await kv.write([...(await step(kv)), versionOp(from + 1)])
}

async function versionOf(kv: KeyValue): Promise<number | undefined> {
  const bytes = kv.getSync(VERSION_PLACE)
  if (bytes === undefined) {
    const [first] = await kv.keys({ gte: ' ', lt: '~', limit: 1 })
    if (first === undefined) return undefined
    throw new StoreFailure('corrupt', corruptMessage(`there is a record ${first}, but no version`))
  }
  const version = Number(Buffer.from(bytes).toString('utf8'))
  if (Number.isSafeInteger(version) && version > 0) return version
  throw new StoreFailure('corrupt', corruptMessage('its version is unreadable'))
}

function versionOp(version: number): KvOp {
  return { key: VERSION_PLACE, value: TABLES.meta.encode(version) }
}
