import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { canonicalText } from '../../src/base/canonical.js'
import { isAddress, isDate, isText, isTime, lengthOf, scaledAmount, scaledNumber } from '../../src/types/formats.js'
import { scriptOf } from '../../src/types/labels.js'
import { REPERTOIRE } from '../../src/types/repertoire.js'
import { TIMEZONES, isTimezone } from '../../src/types/timezones.js'

describe('the fixed formats', () => {
  it('know the real days as Date does, in every year', () => {
    const parts = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 14 }),
      fc.integer({ min: 0, max: 33 })
    )
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const [y, m, d] = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')]
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, day)
        const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        return isDate(`${y}-${m}-${d}`) === real
      }),
      { numRuns: 3000 }
    )
  })

  it('know all 1440 minutes of a day', () => {
    const two = (n: number): string => String(n).padStart(2, '0')
    const all = Array.from({ length: 100 * 100 }, (_, i) => `${two(Math.floor(i / 100))}:${two(i % 100)}`)
    expect(all.filter(isTime)).to.have.length(1440)
  })

  it('know an address of 32 bytes, and none of another length', () => {
    const bytes = fc.uint8Array({ minLength: 28, maxLength: 36 })
    fc.assert(
      fc.property(bytes, (value) => isAddress(base58(value)) === (value.length === 32)),
      { numRuns: 2000 }
    )
  })

  it('read numbers by the digits that canonical JSON writes', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 6 }), (units, decimals) => {
        const value = units / 10 ** decimals
        const digits = /^-?\d+(?:\.(\d+))?$/.exec(canonicalText(value))
        const expected = digits !== null && (digits[1] ?? '').length <= decimals
        return (scaledNumber(value, decimals) !== undefined) === expected
      })
    )
  })

  it('refuse minus zero, which canonical JSON can not tell from zero', () => {
    expect(scaledNumber(-0, 6)).to.equal(undefined)
    expect(scaledNumber(0, 6)).to.equal(0n)
  })

  it('read every amount of a scale in its smallest units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 1, max: 18 }), (units, scale) => {
        const digits = units.toString().padStart(scale + 1, '0')
        const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
        const wanted = digits.length - scale > 18 ? undefined : units
        return scaledAmount(text, scale, 18) === wanted
      })
    )
  })

  it('count code points and stop counting at the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat(30), (text, limit) => {
        const length = [...text].length
        return lengthOf(text, limit) === Math.min(length, limit + 1)
      })
    )
  })

  it('let no text grow beyond four bytes a character in canonical form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = isText(text) ? Buffer.byteLength(canonicalText(text)) : 0
        return bytes <= 2 + 4 * [...text].length
      })
    )
  })
})

describe('the closed tables', () => {
  it('are those of protocols, so that nobody needs our code to know them', () => {
    const zones = JSON.parse(readFileSync('protocols/types/timezones.json', 'utf8')) as { zones: string[] }
    expect(TIMEZONES).to.deep.equal(zones.zones)
    const { scripts } = JSON.parse(readFileSync('protocols/types/label-characters.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    const ours = Object.entries(REPERTOIRE).map(([script, ranges]) => [script, ranges.trim().replace(/\s+/g, ' ')])
    expect(Object.fromEntries(ours)).to.deep.equal(scripts)
  })

  it('hold zones in code-unit order, each once, and match them letter by letter', () => {
    expect([...new Set(TIMEZONES)].sort()).to.deep.equal(TIMEZONES)
    for (const zone of TIMEZONES) expect(isTimezone(zone.toLowerCase())).to.equal(false)
  })

  it('hold zones that this runtime can compute with, so that a calendar can be written', () => {
    const known = TIMEZONES.filter((timeZone) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
      } catch {
        return false
      }
    })
    expect(known.length).to.be.above(TIMEZONES.length - 5)
  })

  it('hold characters for labels in one script each, visible and without compatibility forms', () => {
    const odd: string[] = []
    for (let codePoint = 0; codePoint < 0x10000; codePoint++) {
      const script = scriptOf(codePoint)
      const character = String.fromCodePoint(codePoint)
      if (script !== undefined && !fits(script, character)) odd.push(codePoint.toString(16))
    }
    expect(odd).to.deep.equal([])
  })
})

function fits(script: string, character: string): boolean {
  const seen = !/[\p{C}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]|(?! )\p{Z}/u.test(character)
  const inScript = script === 'Common' || new RegExp(`\\p{Script=${script}}`, 'u').test(character)
  return seen && inScript && character.normalize('NFC') === character
}

/** Straight long division, as a second opinion. */
function base58(bytes: Uint8Array): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; value > 0n; value /= 58n) text = (alphabet[Number(value % 58n)] ?? '') + text
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}
