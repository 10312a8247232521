/**
 * How large a proposal can get: the sum of all bounds, in bytes of canonical JSON. It is known when a type is installed,
 * so that no plan the type allows is ever too large to send. Source: protocols/types.md, "Worst case".
 */
import { canonicalBytes } from '../base/canonical.js'
import type { Field } from './field.js'
import { TTD1 } from './limits.js'
import { TIMEZONE_LENGTH } from './timezones.js'

/** A code point takes at most four bytes: the characters that would be escaped to six are refused in proposals. */
const CHARACTER_BYTES = 4
/** Room for a sign, 16 digits, a point and six decimals, and two to spare: fixed by the page. */
const NUMBER_BYTES = 26
const QUOTES = 2
/** Longest base58 of 32 bytes. */
const ADDRESS_LENGTH = 44

/** Bytes of an object that holds every one of these fields at its longest. */
export function worstBytes(fields: readonly Field[]): number {
  const members = fields.map((field) => QUOTES + field.name.length + 1 + worstValue(field))
  return 2 + sum(members) + Math.max(0, fields.length - 1)
}

function worstValue(field: Field): number {
  switch (field.kind) {
    case 'text':
      return textBytes(field.maxLength)
    case 'integer':
    case 'number':
      return NUMBER_BYTES
    case 'boolean':
      return 'false'.length
    case 'date':
      return QUOTES + 'YYYY-MM-DD'.length
    case 'time':
      return QUOTES + 'HH:MM'.length
    case 'timezone':
      return QUOTES + TIMEZONE_LENGTH
    case 'address':
      return QUOTES + ADDRESS_LENGTH
    case 'choice':
      return Math.max(...field.options.map((option) => canonicalBytes(option).length))
    case 'list':
      return 2 + field.maxItems * textBytes(field.maxLength) + (field.maxItems - 1)
    case 'amount':
      return QUOTES + TTD1.amountDigits + 1 + field.scale
    case 'group':
      return worstBytes(field.fields)
  }
}

function textBytes(maxLength: number): number {
  return QUOTES + CHARACTER_BYTES * maxLength
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0)
}
