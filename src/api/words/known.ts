import { visible } from '../../base/visible.js'

/** Tables of words, asked by a name that came from elsewhere: a newer node has names that stand in none. */

/** The row of that name; undefined where there is none. */
export function rowIn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** `It is not final (not_finalized)`: what a code means, and the code for looking it up. One without a row stands alone. */
export function codeWords(table: Readonly<Record<string, string>>, code: string): string {
  const words = rowIn(table, code)
  return words === undefined ? visible(code) : `${words} (${code})`
}
