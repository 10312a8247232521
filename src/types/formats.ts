/**
 * The fixed text formats of ttd1, each decided by arithmetic and closed tables alone: no library, no locale, no clock,
 * and no expression that a definition's author could choose. Source: protocols/types.md, "Formats".
 */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const AMOUNT = /^(0|[1-9]\d*)(?:\.(\d+))?$/
const NUMBER = /^-?(\d+)(?:\.(\d+))?$/
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A real day of the Gregorian calendar, years 0001 to 9999. A day in the past is as real as any. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year >= 1 && day >= 1 && day <= daysOf(year, month)
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}

/** HH:MM of a 24-hour day, 00:00 to 23:59. */
export function isTime(text: string): boolean {
  return TIME.test(text)
}

const BASE58 = new Map([...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'].map((c, i) => [c, BigInt(i)]))
const ADDRESS_BYTES = 32

/** A Solana address: base58 of exactly 32 bytes (32 to 44 characters), as canonical as base58 is. */
export function isAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false
  let value = 0n
  for (const character of text) {
    const digit = BASE58.get(character)
    if (digit === undefined) return false
    value = value * 58n + digit
  }
  return leadingOnes(text) + byteLength(value) === ADDRESS_BYTES
}

function leadingOnes(text: string): number {
  let count = 0
  while (text[count] === '1') count++
  return count
}

function byteLength(value: bigint): number {
  return value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
}

/**
 * The number in units of its last place, `decimals` places after the point; undefined when it has more of them. It goes
 * by the shortest decimal form (the one that canonical JSON writes), so that every implementation sees the same digits.
 */
export function scaledNumber(value: number, decimals: number): bigint | undefined {
  const parts = Object.is(value, -0) ? null : NUMBER.exec(String(value))
  const fraction = parts?.[2] ?? ''
  if (!parts || fraction.length > decimals) return undefined
  const digits = BigInt((parts[1] ?? '') + fraction.padEnd(decimals, '0'))
  return value < 0 ? -digits : digits
}

/** An amount in its smallest units: `scaledAmount('0.25', 9)` is 250000000n. Undefined when it is no amount of that scale. */
export function scaledAmount(text: string, scale: number, maxDigits: number): bigint | undefined {
  if (text.length > maxDigits + 1 + scale) return undefined
  const parts = AMOUNT.exec(text)
  const whole = parts?.[1] ?? ''
  const fraction = parts?.[2] ?? ''
  if (!parts || whole.length > maxDigits || fraction.length > scale) return undefined
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** Number of Unicode code points, counted no further than `limit + 1`. */
export function lengthOf(text: string, limit: number): number {
  if (text.length <= limit && !HIGH_SURROGATE.test(text)) return text.length
  let count = 0
  for (const _ of text) if (++count > limit) break
  return count
}

const HIGH_SURROGATE = /[\ud800-\udbff]/

/**
 * What no text of a proposal may hold: control characters other than tab and line feed, the tag characters that hide
 * text from people but not from language models, and code points that are no characters.
 */
const FORBIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\u{e0000}-\u{e007f}\p{Surrogate}\p{Noncharacter_Code_Point}]/u

/** Whether a proposal may hold this text: well formed, and free of what is forbidden above. */
export function isText(text: string): boolean {
  return !FORBIDDEN.test(text)
}
