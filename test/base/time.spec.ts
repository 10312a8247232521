import { expect } from 'chai'
import fc from 'fast-check'
import { instantOf, isoOf } from '../../src/base/time.js'

describe('Instants', () => {
  it('come back from their text', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(9999, 11, 31) }), (instant) => {
        expect(instantOf(isoOf(instant))).to.equal(instant)
      })
    )
  })

  for (const text of [
    '2026-02-30T00:00:00.000Z',
    '2025-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-11-14T24:00:00.000Z',
    '2026-11-14T23:60:00.000Z',
    '2026-11-14T23:59:60.000Z',
    '2026-11-14T19:00:00Z',
    '2026-11-14T19:00:00.000',
    '2026-11-14T19:00:00.000+00:00',
    '2026-11-14t19:00:00.000z',
    '2026-11-14 19:00:00.000Z',
    '+002026-11-14T19:00:00.000Z',
    ' 2026-11-14T19:00:00.000Z',
    '2026-11-14T19:00:00.000Z\n',
    '2026-11-14',
    ''
  ]) {
    it(`are not read from ${JSON.stringify(text)}`, () => expect(instantOf(text)).to.equal(undefined))
  }

  it('of a leap day exist in a leap year', () => {
    expect(instantOf('2028-02-29T00:00:00.000Z')).to.equal(Date.UTC(2028, 1, 29))
  })
})
