import type { TypeHash } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import type { Instant } from '../base/time.js'
import type { InstalledType } from '../types/catalog.js'
import type { Definition, HashedDefinition } from '../types/definition.js'
import { META, typeKey } from './keys.js'
import type { Tx } from './ports.js'
import type { TypeRecord } from './records/tasks.js'

/**
 * The definitions that this node holds: the built-in ones, and what its owner installed. One that was held once is held
 * for ever, because tasks are pinned to it; retiring only keeps new tasks away (protocols/types.md, "Installing").
 */
export interface TypeBook {
  /** All of them, the retired ones too: built-in first, then in the order of installing. */
  all(tx: Pick<Tx, 'get'>): readonly InstalledType[]
  /** The definition of this hash, retired or not. */
  byHash(tx: Pick<Tx, 'get'>, hash: TypeHash): InstalledType | undefined
  /** When it was installed; undefined for a built-in one that was never touched. */
  recordOf(tx: Pick<Tx, 'get'>, hash: TypeHash): TypeRecord | undefined
  /** Stages a type as active, whether it is new, retired or active. */
  install(tx: Tx, type: HashedDefinition, now: Instant): void
  /** Stages that no new task starts with it. */
  retire(tx: Tx, type: InstalledType, now: Instant): void
}

export function createTypeBook(builtin: readonly InstalledType[]): TypeBook {
  const builtinByHash = new Map(builtin.map((type) => [type.hash, type]))

  function recordOf(tx: Pick<Tx, 'get'>, hash: TypeHash): TypeRecord | undefined {
    return tx.get('types', typeKey(hash))
  }

  function hashes(tx: Pick<Tx, 'get'>): readonly TypeHash[] {
    return (tx.get('meta', META.types) ?? []) as readonly TypeHash[]
  }

  function byHash(tx: Pick<Tx, 'get'>, hash: TypeHash): InstalledType | undefined {
    const record = recordOf(tx, hash)
    const known = builtinByHash.get(hash)
    if (record === undefined) return known
    const definition = known?.definition ?? (record.definition as unknown as Definition)
    const { name, version } = definition
    return { name, version, hash, definition, builtin: known !== undefined, retired: record.state === 'retired' }
  }

  function install(tx: Tx, { definition, hash }: HashedDefinition, now: Instant): void {
    const before = recordOf(tx, hash)
    if (before === undefined && builtinByHash.get(hash)?.retired === false) return
    const plain = definition as unknown as JsonObject
    tx.put('types', typeKey(hash), { definition: plain, state: 'active', installedAt: before?.installedAt ?? now })
    if (before === undefined && !builtinByHash.has(hash)) tx.put('meta', META.types, [...hashes(tx), hash])
  }

  return {
    byHash,
    recordOf,
    install,
    all: (tx) => [...builtinByHash.keys(), ...hashes(tx)].flatMap((hash) => byHash(tx, hash) ?? []),
    retire(tx, { hash, definition }, now) {
      const installedAt = recordOf(tx, hash)?.installedAt ?? now
      const plain = definition as unknown as JsonObject
      tx.put('types', typeKey(hash), { definition: plain, state: 'retired', installedAt, retiredAt: now })
    }
  }
}
