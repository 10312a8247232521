/** Times for a person: near ones by distance, all of them exactly on demand, in the owner's own zone. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * `in 3 hours`, `2 days ago`, `just now`: the nearest hour or minute, and from a day on the days of the calendar, as
 * "tomorrow" is one. Further away than 30 days: the date. Anything that is no time stays as it is.
 */
export function distanceOf(iso: string, now: number): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  const span = at - now
  if (Math.abs(span) > 30 * DAY_MS) return dayOf(iso)
  if (Math.abs(span) < MINUTE_MS) return span > 0 ? 'in less than a minute' : 'just now'
  const minutes = Math.round(span / MINUTE_MS)
  if (Math.abs(minutes) < 60) return RELATIVE.format(minutes, 'minute')
  if (Math.abs(minutes) < 24 * 60) return RELATIVE.format(Math.round(minutes / 60), 'hour')
  return RELATIVE.format(dayNumber(now + minutes * MINUTE_MS) - dayNumber(now), 'day')
}

/** Days of the owner's own calendar, counted from a fixed one. */
function dayNumber(at: number): number {
  const day = new Date(at)
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / DAY_MS
}

/** Date and minute, with the zone said. */
export function exactOf(iso: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? iso : EXACT.format(at)
}

function dayOf(iso: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? iso : DAY.format(at)
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const EXACT = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short'
})
const DAY = new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'short', day: 'numeric' })
