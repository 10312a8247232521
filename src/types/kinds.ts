/**
 * What each kind of field may say of itself, and when its bounds fit together. One table, so that a kind is added in one
 * place. Source: protocols/types.md, "Kinds".
 */
import type { Json, JsonObject } from '../base/json.js'
import { type Shape, integer, list, optional, text } from '../base/shape.js'
import type { FieldKind } from './field.js'
import { scaledAmount, scaledNumber } from './formats.js'
import { TTD1 } from './limits.js'
import { also, amountBound, label, numberBound } from './members.js'

export interface KindRule {
  readonly bounds: Readonly<Record<string, Shape<unknown>>>
  /** What is wrong between the bounds, each of them being right by itself. */
  readonly together?: (field: JsonObject) => string | undefined
}

const UNIT = /^[A-Za-z][A-Za-z0-9]*$/
const safeInteger = integer({ min: Number.MIN_SAFE_INTEGER })
const unit = text(
  (name) => UNIT.test(name) && name.length <= TTD1.unitLength,
  '1 to 12 letters and digits, a letter first'
)
const options = also(list(label(TTD1.optionLength), { max: TTD1.options }), (all) =>
  all.length > 0 && new Set(all).size === all.length ? undefined : 'must be different options, at least one'
)

const LENGTHS = {
  maxLength: integer({ min: 1, max: TTD1.textLength }),
  minLength: optional(integer({ min: 0, max: TTD1.textLength }))
}
const ITEMS = {
  maxItems: integer({ min: 1, max: TTD1.listItems }),
  minItems: optional(integer({ min: 0, max: TTD1.listItems }))
}

/** All kinds but `group`, whose bounds are fields themselves. */
export const KINDS: Readonly<Record<Exclude<FieldKind, 'group'>, KindRule>> = {
  text: { bounds: LENGTHS, together: (field) => ordered(field, 'minLength', 'maxLength') },
  integer: {
    bounds: { minimum: optional(safeInteger), maximum: optional(safeInteger) },
    together: (field) => ordered(field, 'minimum', 'maximum')
  },
  number: {
    bounds: { ...fourBounds(numberBound), decimals: optional(integer({ min: 0, max: TTD1.numberDecimals })) },
    together: (field) => {
      const decimals = typeof field.decimals === 'number' ? field.decimals : TTD1.numberDecimals
      return rangeProblem(field, (bound) => scaledNumber(bound as number, decimals))
    }
  },
  boolean: { bounds: {} },
  date: { bounds: {} },
  time: { bounds: {} },
  timezone: { bounds: {} },
  address: { bounds: {} },
  choice: { bounds: { options } },
  list: {
    bounds: { ...LENGTHS, ...ITEMS },
    together: (field) => ordered(field, 'minLength', 'maxLength') ?? ordered(field, 'minItems', 'maxItems')
  },
  amount: {
    bounds: { ...fourBounds(amountBound), scale: integer({ min: 0, max: TTD1.amountScale }), unit },
    together: (field) =>
      rangeProblem(field, (bound) => scaledAmount(bound as string, field.scale as number, TTD1.amountDigits))
  }
}

function fourBounds(bound: Shape<unknown>): KindRule['bounds'] {
  const each = optional(bound)
  return { minimum: each, exclusiveMinimum: each, maximum: each, exclusiveMaximum: each }
}

function ordered(field: JsonObject, low: string, high: string): string | undefined {
  const [from, to] = [field[low], field[high]]
  return typeof from === 'number' && typeof to === 'number' && from > to ? `has ${low} above ${high}` : undefined
}

/** Bounds in units of the last place: at most one on each side, none finer than the field, and something in between. */
function rangeProblem(field: JsonObject, scaled: (bound: Json) => bigint | undefined): string | undefined {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = field
  if (minimum !== undefined && exclusiveMinimum !== undefined) return 'has two lower bounds'
  if (maximum !== undefined && exclusiveMaximum !== undefined) return 'has two upper bounds'
  const [low, high] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum].map((bound) =>
    bound === undefined ? undefined : { units: scaled(bound) }
  )
  if ((low && low.units === undefined) || (high && high.units === undefined))
    return 'has a bound finer than its decimals'
  if (low?.units === undefined || high?.units === undefined) return undefined
  const first = low.units + (exclusiveMinimum === undefined ? 0n : 1n)
  const last = high.units - (exclusiveMaximum === undefined ? 0n : 1n)
  return first > last ? 'has bounds that nothing meets' : undefined
}
