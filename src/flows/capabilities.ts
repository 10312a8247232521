import { KNOWN_CAPABILITIES, capabilityOf } from '../policy/capability.js'
import { actionsOf } from '../types/actions.js'
import type { Tx } from './ports.js'
import type { TypeBook } from './type-book.js'

/** Every capability that a node knows: those of the closed list, then what the installed types and `more` brought along, sorted. */
export function everyCapability(tx: Pick<Tx, 'get'>, types: TypeBook, more: readonly string[] = []): readonly string[] {
  const brought = types
    .all(tx)
    .flatMap(({ definition }) => [
      ...definition.fields.flatMap(({ capability }) => capability ?? []),
      ...actionsOf(definition).map(({ name }) => capabilityOf(name))
    ])
  const custom = new Set([...brought, ...more].filter((capability) => !KNOWN_CAPABILITIES.includes(capability)))
  return [...KNOWN_CAPABILITIES, ...[...custom].sort()]
}
