import type { TypeDifference } from '../../api/definition-diff.js'
import { table } from './table.js'

/** Two definitions side by side on the screen. */
export function differenceText(heads: readonly [string, string], all: readonly TypeDifference[]): string {
  if (all.length === 0) return 'They are one and the same definition.'
  const rows = all.map(({ path, left = '', right = '' }) => [path, left, right])
  return table(['', 'left', 'right'], [['type', ...heads], ...rows])
}
