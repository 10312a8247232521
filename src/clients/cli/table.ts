import Table from 'cli-table3'
import { visible } from '../../base/visible.js'

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  '
}

/** Rows under headings, aligned, without lines. Cells may hold remote text: each is made visible. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return aligned([headings.map((heading) => heading.toUpperCase()), ...rows])
}

/** `name  value` lines; a value of several lines is an array. Values may hold remote text. */
export function facts(rows: readonly (readonly [string, Cell])[]): string {
  return aligned(rows)
}

type Cell = string | readonly string[]

function shown(cell: Cell): string {
  return typeof cell === 'string' ? visible(cell) : cell.map((line) => visible(line)).join('\n')
}

function aligned(rows: readonly (readonly Cell[])[]): string {
  const made = new Table({ chars: NO_LINES, style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] } })
  made.push(...rows.map((row) => row.map(shown)))
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}
