import { Memory } from './memory.js'

/** Milliseconds since the Unix epoch, a safe integer. Never a Date: pure code only compares and adds. */
export type Instant = number

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** One step says the same few instants again and again: of its message, its audit entries, its view. */
const written = new Memory<Instant, string>(256)

/** ISO 8601 in UTC with milliseconds, the one form on the wire and in the API. Throws RangeError where there is none. */
export function isoOf(instant: Instant): string {
  return written.recall(instant, write)
}

function write(instant: Instant): string {
  return new Date(instant).toISOString()
}

/** Whether `ms` have passed since an instant, as far as a clock can tell: one that was set back before it tells nothing. */
export function hasPassed(now: Instant, since: Instant, ms: number): boolean {
  return now < since || now >= since + ms
}

/** Reads exactly the form that `isoOf` writes; undefined for anything else, dates that do not exist included. */
export function instantOf(iso: string): Instant | undefined {
  if (!ISO.test(iso)) return undefined
  const instant = Date.parse(iso)
  return Number.isNaN(instant) || isoOf(instant) !== iso ? undefined : instant
}
