/**
 * A plan's local date, time and zone as an instant. Source: protocols/calendar.md, "The instant". The rules of the zones
 * are those that the runtime brings with it: nothing that two nodes must agree on hangs on the answer.
 */
import { Temporal } from 'temporal-polyfill'
import type { Instant } from '../base/time.js'

/** Values of the kinds `date`, `time` and `timezone` (protocols/types.md, "Formats"). */
export interface LocalTime {
  /** YYYY-MM-DD. */
  readonly date: string
  /** HH:MM. */
  readonly time: string
  /** A name of the closed list of zones. */
  readonly timezone: string
}

/**
 * The instant that a clock in that zone shows as this date and time. A time that the clock skips is read with the offset
 * before the gap, and so comes out later by the width of the gap; of a time that it shows twice the first is meant.
 */
export function instantAt({ date, time, timezone }: LocalTime): Instant {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  return local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds
}
