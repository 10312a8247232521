import columnsOf from 'fast-string-width'
import { visible } from '../../base/visible.js'

/**
 * Cells under and beside each other, for a terminal. The time that this takes grows with the length of the texts and no
 * faster: they may be another owner's, as long as a message can be, and in any script.
 */

const GAP = '  '
/** A cell of more columns than this moves what follows in its own row, and no other row. */
const MOST_ALIGNED = 100

/**
 * Rows under headings, aligned, without lines; where they are wider than `columns`, a block of `facts` for each row, because
 * a window would break them anywhere. Cells may hold remote text: each is made visible.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], columns = Infinity): string {
  const text = aligned([headings.map((heading) => heading.toUpperCase()), ...rows])
  if (rows.length === 0 || text.split('\n').every((line) => columnsOf(line) <= columns)) return text
  return rows
    .map((row) => facts(row.flatMap((cell, at) => (cell === '' ? [] : [[headings[at] ?? '', cell]]))))
    .join('\n\n')
}

/** `name  value` lines; a value of several lines is an array. Values may hold remote text. */
export function facts(rows: readonly (readonly [string, Cell])[]): string {
  return aligned(rows)
}

type Cell = string | readonly string[]

/** A line of a cell, and how wide it is shown. */
interface Line {
  readonly text: string
  readonly columns: number
}

const NOTHING: Line = { text: '', columns: 0 }

function shown(cell: Cell): readonly Line[] {
  const lines = typeof cell === 'string' ? [cell] : cell
  return lines.map(visible).map((text) => ({ text, columns: columnsOf(text) }))
}

function aligned(rows: readonly (readonly Cell[])[]): string {
  const made = rows.map((row) => row.map(shown))
  const widths = Array.from({ length: Math.max(0, ...made.map((row) => row.length)) }, (_, at) => widthOf(made, at))
  return made.flatMap((row) => linesOf(row, widths)).join('\n')
}

/** Columns of the widest cell at this place in the rows. */
function widthOf(rows: ReadonlyArray<ReadonlyArray<readonly Line[]>>, at: number): number {
  return rows
    .flatMap((row) => row[at] ?? [])
    .reduce((most, { columns }) => (columns > MOST_ALIGNED ? most : Math.max(most, columns)), 0)
}

/** The lines of a row: as many as its tallest cell has. */
function linesOf(row: ReadonlyArray<readonly Line[]>, widths: readonly number[]): string[] {
  const height = Math.max(1, ...row.map((cell) => cell.length))
  return Array.from({ length: height }, (_, line) =>
    row
      .map((cell, at) => padded(cell[line] ?? NOTHING, widths[at] ?? 0))
      .join(GAP)
      .trimEnd()
  )
}

function padded({ text, columns }: Line, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns))
}
