/** Shapes of single members of a definition. Source: protocols/types.md, "Definition" and "Kinds". */
import type { Json } from '../base/json.js'
import { type Shape, faultsOf, text } from '../base/shape.js'
import { scaledAmount, scaledNumber } from './formats.js'
import { labelFault } from './labels.js'
import { TTD1 } from './limits.js'
import { isDisclosure } from './names.js'

/** A shape that a function decides: it answers what is wrong in one clause, e.g. "must be a label". */
export function decided<T>(problemOf: (value: Json) => string | undefined): Shape<T> {
  return {
    fault: (value) => {
      const want = problemOf(value)
      return want === undefined ? undefined : { code: 'invalid_field', path: '', want }
    }
  }
}

/** A shape, and one more look over the whole value when its members are right. */
export function also<T>(shape: Shape<T>, problemOf: (value: T) => string | undefined): Shape<T> {
  const whole = decided<T>((value) => problemOf(value as T))
  return {
    fault: (value) => shape.fault(value) ?? whole.fault(value),
    faults: (value) => {
      const inner = faultsOf(shape, value)
      return inner.length > 0 ? inner : faultsOf(whole, value)
    }
  }
}

/** Text for people, of 1 to `maxLength` code points. */
export function label(maxLength: number): Shape<string> {
  return decided((value) => (typeof value === 'string' ? labelFault(value, maxLength) : 'must be text'))
}

export const capability = text(isDisclosure, 'a disclosure, such as disclose.notes or disclose.x.parking')

/** A number of at most six decimals, within the safe integers. */
export const numberBound: Shape<number> = decided((value) =>
  typeof value === 'number' &&
  Math.abs(value) <= Number.MAX_SAFE_INTEGER &&
  scaledNumber(value, TTD1.numberDecimals) !== undefined
    ? undefined
    : `must be a number of at most ${TTD1.numberDecimals} decimals`
)

export const amountBound = text(
  (bound) => scaledAmount(bound, TTD1.amountScale, TTD1.amountDigits) !== undefined,
  'a decimal text, such as "0.25"'
)
