import type { JsonObject } from '../base/json.js'

/**
 * A plan as lines for a person. Each leaf is one line, its value as JSON text, so that nothing in it can pass for
 * something else; the table that shows the lines makes hidden characters visible.
 */
export interface PlanLine {
  /** `venue.name`, `dietaryNotes[0]`. */
  readonly path: string
  /** JSON text. */
  readonly value: string
  /** Name of the top-level field. */
  readonly field: string
}

export type Change = PlanLine & { readonly sign: '+' | '-' }

export function linesOf(plan: JsonObject): PlanLine[] {
  return Object.keys(plan)
    .sort()
    .flatMap((field) => leaves(field, plan[field]).map(([path, value]) => ({ path, value, field })))
}

/** What goes (`-`) and what comes (`+`), in the order of the paths. Lines that stay are left out. */
export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  const old = linesOf(before)
  const fresh = linesOf(after)
  const gone = old.filter((line) => !holds(fresh, line)).map((line) => ({ ...line, sign: '-' as const }))
  const come = fresh.filter((line) => !holds(old, line)).map((line) => ({ ...line, sign: '+' as const }))
  return [...gone, ...come].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.sign === '-' ? -1 : 1))
}

function holds(lines: readonly PlanLine[], line: PlanLine): boolean {
  return lines.some((other) => other.path === line.path && other.value === line.value)
}

function leaves(path: string, value: unknown): Array<[string, string]> {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item, i) => leaves(`${path}[${i}]`, item))
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, member]) => leaves(`${path}.${name}`, member))
  }
  return [[path, JSON.stringify(value)]]
}
