import { visible } from '../../base/visible.js'

/**
 * Long texts of people in a window of some width. A line that the window broke by itself would go on in the first column,
 * where it could pass for a line of ours: so texts are broken here, by the width that they have once they are made visible.
 */

/** Columns of a window of which nothing is known: a pipe, or a file. */
const UNKNOWN_WIDTH = 100
/** A window that is narrower than this is treated as if it had these. */
const LEAST_WIDTH = 20

/** Columns that are left for the values of `facts` beside a name of at most `nameWidth`. */
export function valueWidth(columns: number | undefined, nameWidth: number): number {
  return Math.max(LEAST_WIDTH, (columns ?? UNKNOWN_WIDTH) - nameWidth - GAP)
}

const GAP = 2

/** The text, or as much of its first line as fits, with an ellipsis. */
export function shortened(text: string, width: number): string {
  const [first = '', ...rest] = text.split('\n')
  if (rest.length === 0 && columnsOf(text) <= width) return text
  return `${prefixOf([...first], width - 1).join('')}…`
}

/** The text in lines of at most `width` columns, broken at its line feeds and then at spaces where there are some. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line, width))
}

function wrappedLine(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = [...line]
  for (;;) {
    const most = prefixOf(rest, width)
    if (most.length === rest.length) return [...lines, rest.join('')]
    const space = most.lastIndexOf(' ')
    const cut = space > 0 ? space : Math.max(1, most.length)
    lines.push(rest.slice(0, cut).join(''))
    rest = rest.slice(space > 0 ? cut + 1 : cut)
  }
}

/**
 * A prefix that fits, and hardly ever a shorter one than would. Whether a letter is written out depends on its word, so
 * each candidate is looked at whole; the steps between them are as long as what is too much of the one before.
 */
function prefixOf(characters: readonly string[], width: number): readonly string[] {
  let length = Math.min(characters.length, Math.max(0, width))
  while (length > 0) {
    const excess = columnsOf(characters.slice(0, length).join('')) - width
    if (excess <= 0) break
    length -= Math.max(1, Math.floor(excess / LONGEST_ESCAPE))
  }
  return characters.slice(0, length)
}

/** Columns of a character that is written out as `\u{10ffff}`. */
const LONGEST_ESCAPE = 10

/** Columns of a text as it is shown: letters of the East and pictures count as two, some of them for too much. */
function columnsOf(text: string): number {
  return [...visible(text)].reduce((sum, character) => sum + (character >= FIRST_WIDE ? 2 : 1), 0)
}

const FIRST_WIDE = '\u1100'
