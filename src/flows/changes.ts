import type { TableName } from './records/tables.js'
import type { ChangedRoom } from './views/pages.js'

/**
 * Which rooms of the node changed, told as commits land: whoever shows them reads them again. Nothing is told of what is in
 * them, so there is nothing to miss and nothing to keep.
 */
export interface Changes {
  /** A commit touched these tables and is on disk. */
  committed(tables: ReadonlySet<TableName>): void
  /** Calls `told` after each commit that changed something that an owner is shown. The returned function ends it. */
  watch(told: (rooms: readonly ChangedRoom[]) => void): () => void
}

/** What of an owner's view rests on a table. Tables that no view rests on by themselves are not named. */
const ROOMS: { readonly [T in TableName]?: readonly ChangedRoom[] } = {
  agents: ['agents', 'status'],
  contacts: ['contacts', 'status'],
  names: ['contacts'],
  chains: ['tasks', 'envelopes', 'contacts', 'status'],
  tasks: ['tasks'],
  orphans: ['tasks'],
  envelopes: ['envelopes'],
  owned: ['envelopes'],
  staged: ['envelopes'],
  ledgers: ['agents'],
  actions: ['tasks'],
  jobs: ['tasks', 'payments'],
  offers: ['offers'],
  contactOffers: ['offers'],
  spending: ['payments'],
  grants: ['grants'],
  approvals: ['approvals', 'status'],
  types: ['types'],
  declines: ['types'],
  held: ['types'],
  desks: ['status'],
  audit: ['audit']
}

export function createChanges(): Changes {
  const watchers = new Set<(rooms: readonly ChangedRoom[]) => void>()
  return {
    committed(tables) {
      if (watchers.size === 0) return
      const rooms = [...new Set([...tables].flatMap((table) => ROOMS[table] ?? []))]
      if (rooms.length === 0) return
      for (const told of [...watchers]) told(rooms)
    },
    watch(told) {
      // Each watcher has a place of its own, also when two bring the same function.
      const own = (rooms: readonly ChangedRoom[]): void => told(rooms)
      watchers.add(own)
      return () => void watchers.delete(own)
    }
  }
}
