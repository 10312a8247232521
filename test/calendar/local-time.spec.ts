import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { instantAt } from '../../src/calendar/local-time.js'

const { zones } = JSON.parse(readFileSync('protocols/types/timezones.json', 'utf8')) as { zones: string[] }
const MINUTE = 60_000
const DAY = 86_400_000
/** Every transition of these years, and what stands between them. */
const FROM = Date.UTC(2024, 0, 1)
const TO = Date.UTC(2029, 0, 1)
/** No two transitions of one zone lie closer together than this. */
const STRIDE = 9 * DAY

/** An account of zones that shares nothing with the code under test: what the runtime's own formatter shows. */
function shownIn(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  })
  return (instant) => {
    const [month, day, year, hour, minute, second] = (format.format(instant).match(/\d+/g) ?? []).map(Number)
    return Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute, second)
  }
}

interface Transition {
  /** First instant with the new offset. */
  readonly at: number
  readonly before: number
  readonly after: number
}

function transitionsOf(shown: (instant: number) => number): Transition[] {
  const offset = (instant: number): number => shown(instant) - instant
  const found: Transition[] = []
  for (let at = FROM; at < TO; at += STRIDE) {
    if (offset(at) !== offset(at + STRIDE)) found.push(narrowed(offset, at, at + STRIDE))
  }
  return found
}

function narrowed(offset: (instant: number) => number, from: number, to: number): Transition {
  let [low, high] = [from, to]
  while (high - low > MINUTE) {
    const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE
    if (offset(middle) === offset(low)) low = middle
    else high = middle
  }
  return { at: high, before: offset(from), after: offset(to) }
}

function localOf(wall: number, timezone: string): Parameters<typeof instantAt>[0] {
  const iso = new Date(wall).toISOString()
  return { date: iso.slice(0, 10), time: iso.slice(11, 16), timezone }
}

/** Local times beside and inside a gap or a repeat whose instant is not the one of the rule. */
function faultsAround(zone: string, { at, before, after }: Transition): string[] {
  // A gap is read with the offset before it; of a repeat the first is meant, which has that offset too.
  const edge = at + before
  const change = after - before
  const width = Math.abs(change)
  const walls = [edge - width - MINUTE, edge - MINUTE, edge, edge + width / 2, edge + width - MINUTE]
  return walls.flatMap((wall) => {
    const whole = Math.floor(wall / MINUTE) * MINUTE
    const inside = change > 0 ? whole < edge + change : whole < edge
    const off = instantAt(localOf(whole, zone)) - (whole - (inside ? before : after))
    return off === 0 ? [] : [`${zone} ${new Date(whole).toISOString()}: ${off} ms off`]
  })
}

describe('the instant of a local time', () => {
  it('is the one that the rule names, around every transition of every zone from 2024 to 2028', function () {
    this.timeout(60_000)
    const wrong: string[] = []
    let gaps = 0
    let repeats = 0
    for (const zone of zones) {
      for (const transition of transitionsOf(shownIn(zone))) {
        if (transition.after > transition.before) gaps++
        else repeats++
        wrong.push(...faultsAround(zone, transition))
      }
    }
    expect(wrong).to.deep.equal([])
    expect(Math.min(gaps, repeats)).to.be.above(500)
  })

  it('is shown by a clock of that zone as the local time, at every other time', () => {
    const times = ['2024-02-29 23:59', '2026-07-01 12:00', '2027-12-31 00:00'] as const
    for (const timezone of zones) {
      const shown = shownIn(timezone)
      for (const said of times) {
        const [date, time] = said.split(' ') as [string, string]
        expect(new Date(shown(instantAt({ date, time, timezone }))).toISOString(), timezone).to.equal(
          `${date}T${time}:00.000Z`
        )
      }
    }
  })
})
