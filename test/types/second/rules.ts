/** The rules that the grammar names, decided by the tables of `protocols/types/` and by counting. */
import { readFileSync } from 'node:fs'
import { COMPANIONS, LOOKALIKES, RESERVED } from './grammar.js'

const table = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`protocols/types/${name}.json`, 'utf8')) as Record<string, unknown>

export const ZONES = table('timezones').zones as readonly string[]

/** Code point -> script, as an array of 65536 places. */
const SCRIPT: string[] = []
for (const [script, ranges] of Object.entries(table('label-characters').scripts as Record<string, string>)) {
  for (const range of ranges.split(' ').filter((piece) => piece !== '')) {
    const [from, to] = range.split('-')
    for (let at = parseInt(from ?? '', 16); at <= parseInt(to ?? from ?? '', 16); at++) SCRIPT[at] = script
  }
}

const points = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0) ?? 0)
const among = (letters: string): ((one: string) => boolean) => {
  const allowed = new Set(letters)
  return (one) => allowed.has(one)
}
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
/** A first character of one set, the rest of another, `most` in all. */
function spelled(text: string, first: string, rest: string, most: number): boolean {
  const [head, ...tail] = [...text]
  return head !== undefined && text.length <= most && among(first)(head) && tail.every(among(rest))
}
export const isSlug = (text: string): boolean => spelled(text, LOWER, `${LOWER}${DIGITS}-`, 40)

export function isTypeName(text: string): boolean {
  const parts = text.split('.')
  const sound = parts.every((part) => spelled(part, LOWER, `${LOWER}${DIGITS}-`, 30))
  return sound && parts.length >= 2 && parts.length <= 4 && text.length <= 60 && !has(RESERVED.segments, parts[0])
}

function has(list: readonly string[], text: string | undefined): boolean {
  return text !== undefined && list.includes(text)
}

export function isFieldName(text: string): boolean {
  return spelled(text, LOWER, LOWER + LOWER.toUpperCase() + DIGITS, 40) && !has(RESERVED.fields, text)
}

export function isUnit(text: string): boolean {
  return spelled(text, LOWER + LOWER.toUpperCase(), LOWER + LOWER.toUpperCase() + DIGITS, 12)
}

export function isDisclosure(text: string): boolean {
  const [disclose, first, ...rest] = text.split('.')
  if (disclose !== 'disclose' || first === undefined) return false
  return rest.length === 0
    ? has(RESERVED.disclosures, first)
    : first === 'x' && rest.length === 1 && isSlug(rest[0] ?? '')
}

export function isLabel(text: string, most: number): boolean {
  const all = points(text)
  if (all.length < 1 || all.length > most) return false
  if (text.startsWith(' ') || text.endsWith(' ') || text.includes('  ') || text !== text.normalize('NFC')) return false
  const scripts = all.map((point) => SCRIPT[point])
  if (scripts.some((script) => script === undefined)) return false
  const others = new Set(scripts.filter((script) => script !== 'Common' && script !== 'Latin'))
  if (others.size > 1 && !COMPANIONS.some((set) => [...others].every((one) => has(set, one)))) return false
  const words = scripts
    .map((script) => (script === 'Common' ? ' ' : `${script}/`))
    .join('')
    .split(' ')
  return !words.some((word) => word.includes('Latin/') && LOOKALIKES.some((script) => word.includes(`${script}/`)))
}

/** A decimal text as sign, whole digits and fraction; undefined when it is written in any other way. */
function decimal(text: string): { minus: boolean; whole: string; fraction: string } | undefined {
  const minus = text.startsWith('-')
  const [whole = '', fraction, ...more] = (minus ? text.slice(1) : text).split('.')
  const digits = among(DIGITS)
  if (more.length > 0 || whole === '' || fraction === '' || ![...whole, ...(fraction ?? '')].every(digits))
    return undefined
  return { minus, whole, fraction: fraction ?? '' }
}

/** A value of a number in units of 10^-places; undefined when it needs more. */
export function unitsOfNumber(value: unknown, places: number): bigint | undefined {
  if (typeof value !== 'number' || Math.abs(value) > 2 ** 53 - 1 || Object.is(value, -0)) return undefined
  const parts = decimal(JSON.stringify(value))
  if (parts === undefined || parts.fraction.length > places) return undefined
  return BigInt(`${parts.minus ? '-' : ''}${parts.whole}${parts.fraction.padEnd(places, '0')}`)
}

export function unitsOfAmount(value: unknown, scale: number): bigint | undefined {
  const parts = typeof value === 'string' ? decimal(value) : undefined
  if (parts === undefined || parts.minus || parts.whole.length > 18 || parts.fraction.length > scale) return undefined
  if (parts.whole.length > 1 && parts.whole.startsWith('0')) return undefined
  return BigInt(parts.whole + parts.fraction.padEnd(scale, '0'))
}

/** Forbidden in texts, as pairs of first and last code point. */
const HIDDEN: ReadonlyArray<readonly [number, number]> = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xd800, 0xdfff],
  [0xfdd0, 0xfdef],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f]
]

export function isPlainText(text: string, least: number, most: number): boolean {
  const all = points(text)
  if (all.length < least || all.length > most) return false
  return !all.some(
    (point) => (point & 0xfffe) === 0xfffe || HIDDEN.some(([first, last]) => point >= first && point <= last)
  )
}

/** `shape` with `0` for each digit. */
function digitsIn(text: string, shape: string): number[] | undefined {
  const digits = among(DIGITS)
  const fits =
    text.length === shape.length &&
    [...shape].every((mark, at) => (mark === '0' ? digits(text[at] ?? '') : mark === text[at]))
  return fits ? text.split(/\D/).map(Number) : undefined
}

export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = digitsIn(text, '0000-00-00') ?? []
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const leap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
  const longest = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return day <= longest
}

export function isTime(text: string): boolean {
  const parts = digitsIn(text, '00:00')
  return parts !== undefined && (parts[0] ?? 99) < 24 && (parts[1] ?? 99) < 60
}

/** Base58 by long division on digits: no big integers, another way than the product's. */
export function isAddress(text: string): boolean {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const bytes: number[] = []
  for (const one of text) {
    let carry = alphabet.indexOf(one)
    if (carry < 0 || text.length > 60) return false
    for (let at = 0; at < bytes.length; at++) {
      carry += (bytes[at] ?? 0) * 58
      bytes[at] = carry % 256
      carry = Math.floor(carry / 256)
    }
    if (carry > 0) bytes.push(carry)
  }
  const zeros = text.length - text.replace(/^1+/, '').length
  return zeros + bytes.length === 32
}
