import { agentPrefix } from '../flows/keys.js'
import type { ChainFault } from './audit-chains.js'
import type { KeyValue } from './key-value.js'
import { endOfPrefix } from './ranges.js'
import { decodeAt, keyAt, placeOf } from './tables.js'

/** What a damaged message means for its owner: whose it is, and the tasks whose log it stands in. */
export interface Concerned {
  /** What the contact is called, with `@`; its id where it is no contact. */
  readonly contact: string
  /** Uids of negotiations, and uids of delegated tasks, in the order of the store. */
  readonly tasks: readonly string[]
}

/** Reads all tasks of the fault's agent: damage is rare. Rejects with StoreFailure. */
export async function concernedBy(kv: KeyValue, fault: ChainFault): Promise<Concerned> {
  const negotiated = await holdersOf(kv, 'tasks', fault)
  const delegated = await holdersOf(kv, 'envelopes', fault)
  return { contact: nameOf(kv, fault), tasks: [...negotiated, ...delegated] }
}

async function holdersOf(kv: KeyValue, table: 'tasks' | 'envelopes', fault: ChainFault): Promise<string[]> {
  const start = placeOf(table, agentPrefix(fault.agent))
  const found = await kv.range({ gte: start, lt: endOfPrefix(start) })
  return found
    .map(([place, bytes]) => decodeAt(table, keyAt(table, place), bytes))
    .filter(({ peer, mine, theirs }) => {
      const entries = fault.chain === 'sent' ? mine : theirs
      return peer === fault.peer && entries.some((seq) => seq >= fault.from && seq <= fault.to)
    })
    .map(({ uid }) => uid)
}

function nameOf(kv: KeyValue, { agent, peer }: ChainFault): string {
  const key = `${agent}/${peer}`
  const bytes = kv.getSync(placeOf('contacts', key))
  if (bytes === undefined) return peer
  const { alias, handle } = decodeAt('contacts', key, bytes)
  return alias ?? handle
}
