import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'

/** Task types by name, version and hash: two may share the first two. */

export type TypeEntry = AnswerOf<'owner.types.list'>['items'][number]
/** A type with what its definition asks for. */
export type TypeRead = AnswerOf<'owner.types.read'>

/** `dinner.coordination@1`. */
export function typeName({ name, version }: { readonly name: string; readonly version: number }): string {
  return `${visible(name)}@${version}`
}

/** Enough of a hash to tell it from others at a glance; the whole one stands on the page of the type. */
export function shortHash(hash: string): string {
  return `${visible(hash.slice(0, 16))}…`
}

/** Those in use first, by name. */
export function typesInOrder(types: readonly TypeEntry[]): TypeEntry[] {
  const rank = (type: TypeEntry) => (type.state === 'active' ? 0 : 1)
  return [...types].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en') || a.version - b.version)
}
