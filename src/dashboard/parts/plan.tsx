import type { ComponentChildren } from 'preact'
import { labelOf, withUnit } from '../../api/words/labels.js'
import type { JsonObject } from '../../base/json.js'
import { type ComparedRow, type Row, type Shown, compare, rowsOf } from '../words/values.js'

/** A plan as a table: all of it, or marked against the one before. */

/** What stands beside a row, such as the capability that it leaves under. */
interface Beside {
  readonly head: string
  readonly of: (row: Row) => ComponentChildren
}

interface PlanProps {
  readonly caption: string
  readonly plan: JsonObject
  readonly against?: JsonObject | undefined
  readonly beside?: Beside | undefined
  /** Whether its members are those of every node, which have words and units, or the fields of some task type. */
  readonly known?: boolean
}

const MARKS = { same: '', new: 'New', changed: 'Changed', gone: 'Gone' } as const

export function Plan({ caption, plan, against, beside, known = false }: PlanProps) {
  const rows: readonly ComparedRow[] =
    against === undefined ? rowsOf(plan).map((row) => ({ ...row, change: 'same' as const })) : compare(against, plan)
  const said = (shown: Shown, path: string): Shown => (known ? { ...shown, text: withUnit(path, shown.text) } : shown)
  if (rows.length === 0) return <p class="small">It says nothing.</p>
  return (
    <table class="table plan">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Says</th>
          {beside === undefined ? null : <th scope="col">{beside.head}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.path} class={`plan-${row.change}`}>
            <th scope="row">
              {known ? capital(labelOf(row.path)) : row.path}
              {row.change === 'same' ? null : <span class={`mark mark-${row.change}`}>{MARKS[row.change]}</span>}
            </th>
            <td>
              {row.was === undefined ? null : (
                <>
                  <del>
                    <span class="hidden">before: </span>
                    <Value shown={said(row.was, row.path)} />
                  </del>{' '}
                </>
              )}
              {row.change === 'gone' ? (
                <del>
                  <Value shown={said(row.shown, row.path)} />
                </del>
              ) : (
                <Value shown={said(row.shown, row.path)} />
              )}
            </td>
            {beside === undefined ? null : <td data-head={beside.head}>{beside.of(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Text as text; numbers and the like in a face of their own, so that 4 and "4" differ. */
function Value({ shown }: { readonly shown: Shown }) {
  return <span class={`value value-${shown.as}`}>{shown.text === '' ? <i>empty text</i> : shown.text}</span>
}
