import type { RangeOptions } from '../flows/ports.js'
import type { TableName } from '../flows/records/tables.js'
import type { KeyValue, KvRange } from './key-value.js'
import { placeOf } from './tables.js'

/** Turns a range over a table into one over the key-value store, whose bounds are [gte, lt). */
export function kvRangeOf(table: TableName, options: RangeOptions): KvRange {
  const start = placeOf(table, options.prefix)
  return {
    // The first text after `x` is `x` and the lowest character.
    gte: options.after === undefined ? start : `${start}${options.after}\u0000`,
    lt: options.before === undefined ? endOfPrefix(start) : start + options.before,
    ...(options.reverse === undefined ? {} : { reverse: options.reverse }),
    ...(options.limit === undefined ? {} : { limit: options.limit })
  }
}

/** The first text after everything that starts with `prefix`, which ends with an ASCII character. */
export function endOfPrefix(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1)
  if (!(last < 0x7f)) throw new RangeError('the prefix of a range ends with an ASCII character')
  return prefix.slice(0, -1) + String.fromCharCode(last + 1)
}

/** Records that `downwards` holds in memory. */
const PAGE = 50

/** Everything in [gte, end) from the last to the first, a page at a time. */
export async function* downwards(kv: KeyValue, gte: string, end: string): AsyncGenerator<[string, Uint8Array]> {
  for (let lt = end; ;) {
    const page = await kv.range({ gte, lt, reverse: true, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    lt = last[0]
  }
}
