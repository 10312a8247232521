import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { calendarFile } from '../../src/calendar/calendar-file.js'
import { calendarText } from '../../src/calendar/calendar-text.js'
import type { Definition } from '../../src/types/field.js'
import { DINNER, PLAN, fileWith, inputWith, readByIcalJs, readByNodeIcal } from './files.js'

const { zones } = JSON.parse(readFileSync('protocols/types/timezones.json', 'utf8')) as { zones: string[] }
const encoder = new TextEncoder()

/** Texts that have broken calendar files elsewhere, and pieces to make more of them. */
const HOSTILE = [
  '\r\nATTENDEE:mailto:eve@example.org',
  '\rATTENDEE:mailto:eve@example.org',
  '\nEND:VEVENT\nEND:VCALENDAR\nBEGIN:VCALENDAR',
  '\u2028ATTACH:http://example.org',
  '\u0085URL:http://example.org',
  '\v\f',
  '\0\x07\x1b[31m\x7f\x9b',
  '\\n',
  '\\',
  '\\,',
  ';,:"',
  '^n',
  '\t',
  ' ',
  '\ud800',
  '\udfff',
  '\ufeff',
  '\u202e',
  'é',
  '日本',
  '👨‍👩‍👧‍👦',
  '😀'
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** Physical lines of a file; the last is the empty text after the last line end. */
function linesOf(file: string): string[] {
  return file.split('\r\n')
}

/** What any file must keep to, whatever the texts in it are. */
function checkForm(file: string): void {
  expect(linesOf(file).at(-1)).to.equal('')
  for (const line of linesOf(file)) {
    expect(encoder.encode(line).length, line).to.be.at.most(75)
    expect(line, 'a control or half a character').to.not.match(/[\0-\x08\x0a-\x1f\x7f-\x9f\p{Surrogate}\u2028\u2029]/u)
  }
  const unfolded = file.replaceAll('\r\n ', '').split('\r\n')
  const names = unfolded.map((line) => /^[A-Z-]*/.exec(line)?.[0] ?? '')
  expect(names.filter((name) => name === 'BEGIN')).to.have.length(2)
  expect(new Set(names)).to.satisfy((all: Set<string>) => [...all].every((name) => ALLOWED.has(name)))
}
const ALLOWED = new Set(
  'BEGIN END VERSION PRODID METHOD UID SEQUENCE DTSTAMP DTSTART DTEND SUMMARY LOCATION DESCRIPTION STATUS'
    .split(' ')
    .concat('')
)

describe('a calendar file', () => {
  it('is read alike by two other libraries, and says what was agreed', () => {
    const file = fileWith({})
    checkForm(file)
    const { properties, ...read } = readByIcalJs(file)
    expect(readByNodeIcal(file)).to.deep.equal(read)
    expect(properties).to.not.include.members(['attendee', 'organizer', 'url', 'attach'])
    expect(read).to.deep.equal({
      method: 'PUBLISH',
      uid: `${'9a31'.repeat(8)}-0123456789abcdef@agentlink`,
      sequence: 2,
      start: Date.parse('2026-11-15T00:45:00Z'),
      end: Date.parse('2026-11-15T02:45:00Z'),
      stamp: Date.parse('2026-11-02T18:30:15Z'),
      summary: 'Dinner with @hermes',
      location: 'Trattoria Nonna, Little Italy',
      description:
        '2026-11-14 19:45 America/Toronto\nCuisine: Italian\nParty size: 2\n\nAgreed through AgentLink. The node itself booked nothing.',
      status: 'CONFIRMED'
    })
  })

  it('takes the event out again, as a newer one of the same name', () => {
    const [made, ended] = [readByIcalJs(fileWith({})), readByIcalJs(fileWith({ status: 'cancelled' }))]
    expect(ended).to.include({ method: 'CANCEL', status: 'CANCELLED', uid: made.uid, sequence: made.sequence + 1 })
  })

  it('is the same bytes whenever it is made', () => {
    expect(fileWith({})).to.equal(fileWith({}))
  })

  it('has a name that the inviter of another task can not give to theirs', () => {
    const other = fileWith({ inviteId: 'f'.repeat(64) as never })
    expect(readByIcalJs(other).uid).to.not.equal(readByIcalJs(fileWith({})).uid)
  })

  it('names the instants that both libraries find, in every zone', () => {
    for (const timezone of zones) {
      const file = fileWith({ plan: { ...PLAN, timezone } })
      const [a, b] = [readByIcalJs(file), readByNodeIcal(file)]
      const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
      expect(
        [a.start, b.start].map((instant) => shown.format(instant)),
        timezone
      ).to.deep.equal(Array(2).fill('2026-11-14 19:45'))
      expect([a.end - a.start, b.end - b.start]).to.deep.equal([7_200_000, 7_200_000])
    }
  })

  it('leaves out the place when the plan names none, and what a field does not say', () => {
    const { venue: _venue, cuisine: _cuisine, partySize: _size, ...rest } = PLAN
    const read = readByIcalJs(fileWith({ plan: rest }))
    expect(read.location).to.equal(undefined)
    expect(read.description).to.equal(
      '2026-11-14 19:45 America/Toronto\n\nAgreed through AgentLink. The node itself booked nothing.'
    )
  })

  it('holds the texts of the other side and nothing that they try to add', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, notes, participant) => {
        const plan = { ...PLAN, venue: { name: name.slice(0, 200) }, notes }
        const file = fileWith({ plan, participant })
        checkForm(file)
        const read = readByIcalJs(file)
        expect(read.location ?? '').to.equal(calendarText(name.slice(0, 200)))
        expect(read.description).to.include(calendarText(notes))
        expect(read.summary).to.equal(`Dinner with ${calendarText(participant).replaceAll('\n', ' ')}`)
        // The other library takes an escaped backslash before an n for a line feed, so only its instants are asked then.
        const other = readByNodeIcal(file)
        expect(other.start).to.equal(read.start)
        const unfolded = file.replaceAll('\r\n ', '')
        if (!unfolded.includes('\\\\')) expect(other.description).to.equal(read.description)
      }),
      { numRuns: 400 }
    )
  })

  it('is short and quickly made, however much the plan says', () => {
    const plan = { ...PLAN, venue: { name: '😀'.repeat(10_000) }, notes: '\n,;\\'.repeat(10_000) }
    const read = readByIcalJs(fileWith({ plan }))
    expect([...(read.location as string)]).to.have.length(500)
    expect(read.location).to.match(/…$/)
    expect([...(read.description as string)].length).to.be.below(4200)
  })

  it('knows nothing of dinners: the kinds of the fields say when', () => {
    const definition: Definition = {
      format: 'ttd1',
      name: 'tour.visit',
      version: 3,
      title: 'Visit',
      fields: [
        { name: 'day', kind: 'date', label: 'Day' },
        { name: 'zone', kind: 'timezone', label: 'Zone' },
        { name: 'clock', kind: 'time', label: 'Clock' },
        { name: 'fee', kind: 'amount', label: 'Fee', scale: 2, unit: 'EUR' },
        { name: 'guided', kind: 'boolean', label: 'Guided' },
        { name: 'venue', kind: 'text', label: 'Where', maxLength: 50 }
      ]
    }
    const plan = { day: '2026-06-01', zone: 'Asia/Tokyo', clock: '10:00', fee: '12.50', guided: true, venue: 'Gate 2' }
    expect(readByIcalJs(fileWith({ definition, plan }))).to.include({
      start: Date.parse('2026-06-01T01:00:00Z'),
      summary: 'Visit with @hermes',
      location: 'Gate 2',
      description:
        '2026-06-01 10:00 Asia/Tokyo\nFee: 12.50 EUR\nGuided: yes\n\nAgreed through AgentLink. The node itself booked nothing.'
    })
  })

  describe('is refused', () => {
    const twoDates = { ...DINNER, fields: [...DINNER.fields, { name: 'until', kind: 'date', label: 'Until' } as const] }
    const noZone = { ...DINNER, fields: DINNER.fields.filter((field) => field.kind !== 'timezone') }
    const { time: _time, ...timeless } = PLAN
    const cases = {
      'when the type has two dates': { definition: twoDates },
      'when the type has no zone': { definition: noZone },
      'when the plan leaves the time out': { plan: timeless },
      'when it would begin before the year 0001': {
        plan: { ...PLAN, date: '0001-01-01', time: '00:00', timezone: 'Asia/Tokyo' }
      },
      'when it would end after the year 9999': { plan: { ...PLAN, date: '9999-12-31', time: '23:00', timezone: 'UTC' } }
    }
    for (const [what, changes] of Object.entries(cases)) {
      it(what, () => {
        const made = calendarFile(inputWith(changes as object))
        expect(made).to.have.nested.property('refusal.details.code', 'no_calendar_time')
      })
    }
  })
})
