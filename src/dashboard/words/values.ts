import type { JsonObject } from '../../base/json.js'
import { type PlanLine, changesBetween, linesOf } from '../../api/plan-lines.js'
import { visible } from '../../base/visible.js'

/** Plans as rows for a person: every value is shown, and text that could deceive the eye is written out. */

/** `text` is somebody's words; `exact` is a number, a yes or no, or nothing. */
export interface Shown {
  readonly as: 'text' | 'exact'
  readonly text: string
}

export interface Row {
  readonly path: string
  readonly field: string
  readonly shown: Shown
}

/** What became of a row against another plan. */
export interface ComparedRow extends Row {
  readonly change: 'same' | 'new' | 'changed' | 'gone'
  /** What stood there; of a changed row. */
  readonly was?: Shown
}

export function rowsOf(plan: JsonObject): Row[] {
  return linesOf(plan).map(rowOf)
}

/** All rows of `after`, marked against `before`, and those that went; in the order of their paths. */
export function compare(before: JsonObject, after: JsonObject): ComparedRow[] {
  const changes = changesBetween(before, after)
  const gone = new Map(changes.filter(({ sign }) => sign === '-').map((line) => [line.path, line]))
  const come = new Set(changes.filter(({ sign }) => sign === '+').map((line) => line.path))
  const kept = linesOf(after).map((line): ComparedRow => {
    const old = gone.get(line.path)
    if (!come.has(line.path)) return { ...rowOf(line), change: 'same' }
    return old === undefined
      ? { ...rowOf(line), change: 'new' }
      : { ...rowOf(line), change: 'changed', was: shownOf(old.value) }
  })
  const left = [...gone.values()]
    .filter((line) => !come.has(line.path))
    .map((line): ComparedRow => ({ ...rowOf(line), change: 'gone' }))
  return [...kept, ...left].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** How many rows differ, in words. */
export function countWords(rows: readonly ComparedRow[]): string {
  const many = rows.filter((row) => row.change !== 'same').length
  if (many === 0) return 'Nothing differs.'
  return many === 1 ? 'One thing differs.' : `${many} things differ.`
}

function rowOf(line: PlanLine): Row {
  return { path: visible(line.path), field: line.field, shown: shownOf(line.value) }
}

/** From the JSON text of a leaf. */
function shownOf(json: string): Shown {
  const value: unknown = JSON.parse(json)
  if (typeof value === 'string') return { as: 'text', text: visible(value) }
  if (typeof value === 'boolean') return { as: 'exact', text: value ? 'yes' : 'no' }
  return { as: 'exact', text: EMPTY[json] ?? json }
}

const EMPTY: Readonly<Record<string, string>> = { '[]': 'none', '{}': 'none', null: 'none' }
