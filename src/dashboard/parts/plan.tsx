import type { ComponentChildren } from 'preact'
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
}

const MARKS = { same: '', new: 'New', changed: 'Changed', gone: 'Gone' } as const

export function Plan({ caption, plan, against, beside }: PlanProps) {
  const rows: readonly ComparedRow[] =
    against === undefined ? rowsOf(plan).map((row) => ({ ...row, change: 'same' as const })) : compare(against, plan)
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
              {row.path}
              {row.change === 'same' ? null : <span class={`mark mark-${row.change}`}>{MARKS[row.change]}</span>}
            </th>
            <td>
              {row.was === undefined ? null : (
                <>
                  <del>
                    <span class="hidden">before: </span>
                    <Value shown={row.was} />
                  </del>{' '}
                </>
              )}
              {row.change === 'gone' ? (
                <del>
                  <Value shown={row.shown} />
                </del>
              ) : (
                <Value shown={row.shown} />
              )}
            </td>
            {beside === undefined ? null : <td data-head={beside.head}>{beside.of(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Text as text; numbers and the like in a face of their own, so that 4 and "4" differ. */
function Value({ shown }: { readonly shown: Shown }) {
  return <span class={`value value-${shown.as}`}>{shown.text === '' ? <i>empty text</i> : shown.text}</span>
}
