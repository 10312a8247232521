import type { JsonObject } from '../base/json.js'
import type { HashedDefinition } from '../types/definition.js'
import { inspect } from '../types/inspection.js'
import type { Tx } from './ports.js'
import type { TypeBook } from './type-book.js'
import type { TypeInspectionView } from './views/types.js'

/** What a definition asks for, and how it stands to what this node holds. */
export function inspectionOf(
  tx: Pick<Tx, 'get'>,
  types: TypeBook,
  { definition, hash }: HashedDefinition
): TypeInspectionView {
  const { name, version } = definition
  const known = types.byHash(tx, hash)
  const others = types.all(tx).filter((one) => one.name === name && one.version === version && one.hash !== hash)
  return {
    name,
    version,
    hash,
    state: known === undefined ? 'unknown' : known.retired ? 'retired' : 'active',
    sameName: others.map((one) => one.hash),
    ...inspect(definition),
    definition: definition as unknown as JsonObject
  }
}
