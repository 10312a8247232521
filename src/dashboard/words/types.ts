import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'

/** Task types by name, version and hash: two may share the first two. */

export type TypeEntry = AnswerOf<'owner.types.list'>['items'][number]
/** A type with what its definition asks for. */
export type TypeRead = AnswerOf<'owner.types.read'>

type TypeRef = Pick<TypeEntry, 'name' | 'hash'>

/** `dinner.coordination@1`. */
export function typeName({ name, version }: { readonly name: string; readonly version: number }): string {
  return `${visible(name)}@${version}`
}

/** Enough of a hash to tell it from others at a glance; the whole one stands on the page of the type. */
export function shortHash(hash: string): string {
  return `${visible(hash.slice(0, 16))}…`
}

/** What becomes of the types of this name that are in use when another one is installed; undefined where there are none. */
export function besideWords({ name, hash }: TypeRef, types: readonly TypeEntry[]): string | undefined {
  const others = types.filter((type) => type.state === 'active' && type.name === name && type.hash !== hash)
  if (others.length === 0) return undefined
  const named = others.map(typeName).join(', ')
  return `You use ${named} already: it stays in use beside this one until you retire it. On the page of either you can compare them.`
}

/** Those in use first, by name. */
export function typesInOrder(types: readonly TypeEntry[]): TypeEntry[] {
  const rank = (type: TypeEntry) => (type.state === 'active' ? 0 : 1)
  return [...types].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en') || a.version - b.version)
}
