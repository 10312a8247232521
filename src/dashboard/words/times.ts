/** Times for a person: near ones by distance, all of them exactly on demand, in the owner's own zone. */

const STEPS: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, ms: number]> = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
]

/** `in 3 hours`, `2 days ago`, `just now`. Further away than 30 days: the date. Anything that is no time stays as it is. */
export function distanceOf(iso: string, now: number): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  const span = at - now
  if (Math.abs(span) > 30 * 86_400_000) return dayOf(iso)
  for (const [unit, ms] of STEPS) {
    if (Math.abs(span) >= ms) return RELATIVE.format(Math.trunc(span / ms), unit)
  }
  return span > 0 ? 'in less than a minute' : 'just now'
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
