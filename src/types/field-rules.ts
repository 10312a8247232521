/**
 * What each kind of field may say of itself, and when its bounds fit together. One table, so that a kind is added in one
 * place. Source: protocols/types.md, "Kinds".
 */
import type { Json, JsonObject } from '../base/json.js'
import type { FieldKind } from './field.js'
import { scaledAmount, scaledNumber } from './formats.js'
import { TTD1 } from './limits.js'
import type { Member, Members } from './members.js'
import {
  amountBound,
  anyBoolean,
  bound,
  capability,
  integerFrom,
  label,
  named,
  needed,
  optional,
  options
} from './members.js'
import { isFieldName } from './names.js'

/** Bounds of one kind; `group` has its sub-fields checked by the parser. */
export interface KindRule {
  readonly bounds: Members
  /** What is wrong between the bounds, each of them being right by itself. */
  readonly together?: (field: JsonObject) => string | undefined
}

const UNIT = /^[A-Za-z][A-Za-z0-9]*$/
const safeInteger = integerFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const LENGTHS: Members = {
  maxLength: needed(integerFrom(1, TTD1.textLength)),
  minLength: optional(integerFrom(0, TTD1.textLength))
}
const anything: Member = needed(() => undefined)

export const KIND_RULES: Readonly<Record<FieldKind, KindRule>> = {
  text: { bounds: LENGTHS, together: (field) => ordered(field, 'minLength', 'maxLength') },
  integer: {
    bounds: { minimum: optional(safeInteger), maximum: optional(safeInteger) },
    together: (field) => ordered(field, 'minimum', 'maximum')
  },
  number: {
    bounds: { ...fourBounds(optional(bound)), decimals: optional(integerFrom(0, TTD1.numberDecimals)) },
    together: (field) => {
      const decimals = typeof field.decimals === 'number' ? field.decimals : TTD1.numberDecimals
      return rangeFault(field, (value) => scaledNumber(value as number, decimals))
    }
  },
  boolean: { bounds: {} },
  date: { bounds: {} },
  time: { bounds: {} },
  timezone: { bounds: {} },
  address: { bounds: {} },
  choice: { bounds: { options: needed(options) } },
  list: {
    bounds: {
      ...LENGTHS,
      maxItems: needed(integerFrom(1, TTD1.listItems)),
      minItems: optional(integerFrom(0, TTD1.listItems))
    },
    together: (field) => ordered(field, 'minLength', 'maxLength') ?? ordered(field, 'minItems', 'maxItems')
  },
  amount: {
    bounds: {
      ...fourBounds(optional(amountBound)),
      scale: needed(integerFrom(0, TTD1.amountScale)),
      unit: needed(
        named((text) => UNIT.test(text) && text.length <= TTD1.unitLength, 'must be 1 to 12 letters and digits')
      )
    },
    together: (field) =>
      rangeFault(field, (value) => scaledAmount(value as string, field.scale as number, TTD1.amountDigits))
  },
  group: { bounds: { fields: anything } }
}

/** Members that every field has; `capability` is for top-level fields alone. */
export const FIELD_HEAD: Members = {
  name: needed(
    named(isFieldName, 'must be a field name: a lower-case letter, then letters and digits, and not reserved')
  ),
  kind: needed(named((text) => Object.hasOwn(KIND_RULES, text), 'must be one of the kinds of ttd1')),
  label: needed(label(TTD1.labelLength)),
  description: optional(label(TTD1.descriptionLength)),
  required: optional(anyBoolean)
}

export const CAPABILITY: Members = { capability: optional(capability) }

function fourBounds(member: Member): Members {
  return { minimum: member, exclusiveMinimum: member, maximum: member, exclusiveMaximum: member }
}

function ordered(field: JsonObject, low: string, high: string): string | undefined {
  const [from, to] = [field[low], field[high]]
  return typeof from === 'number' && typeof to === 'number' && from > to ? `has ${low} above ${high}` : undefined
}

/** Bounds in units of the last place: at most one on each side, none finer than the field, and something in between. */
function rangeFault(field: JsonObject, scaled: (bound: Json) => bigint | undefined): string | undefined {
  if (has(field, 'minimum') && has(field, 'exclusiveMinimum')) return 'has two lower bounds'
  if (has(field, 'maximum') && has(field, 'exclusiveMaximum')) return 'has two upper bounds'
  const at = (name: string): bigint | undefined => (has(field, name) ? scaled(field[name] as Json) : undefined)
  const names = Object.keys(fourBounds(anything)).filter((name) => has(field, name))
  if (names.some((name) => at(name) === undefined)) return 'has a bound with more decimals than the field'
  const [above, below] = [at('exclusiveMinimum'), at('exclusiveMaximum')]
  const low = above === undefined ? at('minimum') : above + 1n
  const high = below === undefined ? at('maximum') : below - 1n
  return low !== undefined && high !== undefined && low > high ? 'has bounds that nothing meets' : undefined
}

function has(field: JsonObject, name: string): boolean {
  return Object.hasOwn(field, name)
}
