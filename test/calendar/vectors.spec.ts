import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/base/json.js'
import { isoOf } from '../../src/base/time.js'
import { type CalendarInput, calendarFile } from '../../src/calendar/calendar-file.js'
import { instantAt, type LocalTime } from '../../src/calendar/local-time.js'
import type { Definition } from '../../src/types/field.js'
import { readByIcalJs, readByNodeIcal } from './files.js'

interface InstantCase extends LocalTime {
  readonly name: string
  readonly instant: string
}
interface FileCase extends Omit<CalendarInput, 'definition' | 'recordedAt'> {
  readonly name: string
  readonly type: string
  readonly plan: JsonObject
  readonly recordedAt: string
  readonly lines?: string[]
  readonly refused?: string
}
const { types, instants, files } = JSON.parse(readFileSync('protocols/vectors/calendar.json', 'utf8')) as {
  types: Record<string, Definition>
  instants: InstantCase[]
  files: FileCase[]
}

describe('the vectors of calendar files', () => {
  for (const { name, instant, ...local } of instants) {
    it(`give the instant of ${name}`, () => {
      expect(isoOf(instantAt(local))).to.equal(instant)
    })
  }

  for (const { name, type, lines, refused, recordedAt, ...rest } of files) {
    it(`${refused === undefined ? 'give the file of' : 'refuse'} ${name}`, () => {
      const definition = types[type] as Definition
      const made = calendarFile({ ...rest, definition, recordedAt: Date.parse(recordedAt) })
      expect(made.ok ? made.value : made.refusal.details.code).to.equal(
        refused ?? lines?.map((line) => `${line}\r\n`).join('')
      )
      if (!made.ok) return
      const [a, b] = [readByIcalJs(made.value), readByNodeIcal(made.value)]
      expect([a.start, a.end, a.uid, a.status]).to.deep.equal([b.start, b.end, b.uid, b.status])
    })
  }
})
