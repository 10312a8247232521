import type { JsonObject } from '../base/json.js'
import { changesBetween, linesOf } from './plan-lines.js'

/** Two definitions side by side: what is in one and not in the other, and what both have otherwise. */
export interface TypeDifference {
  /** Such as `fields.item.maxLength`: fields and actions go by their names, not their places. */
  readonly path: string
  /** JSON text; absent where this side has nothing. */
  readonly left?: string
  readonly right?: string
}

/** All differences in the order of their paths; none = one and the same definition. */
export function differences(left: JsonObject, right: JsonObject): TypeDifference[] {
  const [a, b] = [byName(left), byName(right)]
  const paths = [...new Set(changesBetween(a, b).map((change) => change.path))]
  const [before, after] = [a, b].map((side) => new Map(linesOf(side).map((line) => [line.path, line.value])))
  return paths.map((path) => ({
    path,
    ...(before?.has(path) === true ? { left: before.get(path) as string } : {}),
    ...(after?.has(path) === true ? { right: after.get(path) as string } : {})
  }))
}

/** Lists of things with names become objects by those names, and what stands first or last is told by `place`. */
function byName(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Array.isArray(member) ? named(member as JsonObject[]) : member
    ])
  ) as JsonObject
}

function named(items: readonly JsonObject[]): JsonObject | readonly JsonObject[] {
  if (!items.every((item) => typeof item === 'object' && item !== null && typeof item['name'] === 'string'))
    return items
  const rows = items.map((item, place) => [item['name'] as string, { place: place + 1, ...byName(item) }])
  return Object.fromEntries(rows) as JsonObject
}
