import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { scaledAmount } from '../types/formats.js'

/** Money in texts: exact decimals, never a floating-point number. Source: protocols/payments.md, "Amounts". */

/** A price as offers and plans say it. */
export interface Price {
  /** A decimal such as `0.25`: no sign, no exponent, at most 9 places. */
  readonly amount: string
  readonly currency: string
}

const PLACES = 9
/** What an account can hold and the ledger adds up: 2^63 - 1. */
const MOST_LAMPORTS = 2n ** 63n - 1n
const WHOLE_DIGITS = 10

/** The lamports of a price, `0.25 SOL` in one text or in its two parts: decimal digits. Refuses with `invalid_field`. */
export function parsePrice(price: string | Price, field = 'price'): Result<string> {
  const { amount, currency } = typeof price === 'string' ? parted(price) : price
  const lamports = currency === 'SOL' ? scaledAmount(amount, PLACES, WHOLE_DIGITS) : undefined
  if (lamports !== undefined && lamports >= 1n && lamports <= MOST_LAMPORTS) return ok(lamports.toString())
  return fail(
    badRequest('invalid_field', `${field} must be an amount such as 0.25 SOL, above 0, at most ${PLACES} places`, field)
  )
}

function parted(text: string): Price {
  const at = text.indexOf(' ')
  return at < 0 ? { amount: text, currency: '' } : { amount: text.slice(0, at), currency: text.slice(at + 1) }
}

/** Lamports for people: `250000000` is `0.25 SOL`. */
export function showLamports(lamports: bigint): string {
  const sign = lamports < 0n ? '-' : ''
  const digits = (lamports < 0n ? -lamports : lamports).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`} SOL`
}
