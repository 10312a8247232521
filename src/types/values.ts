/** Whether a value is one that its field allows, kind by kind. Source: protocols/types.md, "Kinds". */
import type { Json } from '../base/json.js'
import type { AmountField, IntegerField, ListField, NumberField, SimpleField, TextField } from './field.js'
import { isAddress, isDate, isText, isTime, lengthOf, scaledAmount, scaledNumber } from './formats.js'
import { TTD1 } from './limits.js'
import { isTimezone } from './timezones.js'

/** What is wrong with a value; `item` is the place within a list. */
export interface ValueFault {
  readonly problem: string
  readonly item?: number
}

/** Undefined when the field allows the value. */
export function valueFault(field: SimpleField, value: Json): ValueFault | undefined {
  if (field.kind === 'list') return listFault(field, value)
  const problem = problemOf(field, value)
  return problem === undefined ? undefined : { problem }
}

function problemOf(field: Exclude<SimpleField, ListField>, value: Json): string | undefined {
  switch (field.kind) {
    case 'text':
      return textProblem(field, value)
    case 'integer':
      return integerProblem(field, value)
    case 'number':
      return numberProblem(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'date':
      return textual(value, isDate, 'must be a real date, YYYY-MM-DD')
    case 'time':
      return textual(value, isTime, 'must be a time from 00:00 to 23:59, HH:MM')
    case 'timezone':
      return textual(value, isTimezone, 'must be a name of the list of time zones, such as America/Toronto')
    case 'address':
      return textual(value, isAddress, 'must be a Solana address: base58 of 32 bytes')
    case 'choice':
      return textual(
        value,
        (text) => field.options.includes(text),
        `must be one of: ${field.options.map((option) => JSON.stringify(option)).join(', ')}`
      )
    case 'amount':
      return amountProblem(field, value)
  }
}

function textual(value: Json, rule: (text: string) => boolean, problem: string): string | undefined {
  return typeof value === 'string' && rule(value) ? undefined : problem
}

function textProblem(field: Pick<TextField, 'maxLength' | 'minLength'>, value: Json): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  const length = lengthOf(value, field.maxLength)
  if (length > field.maxLength) return `must have at most ${field.maxLength} characters`
  if (length < (field.minLength ?? 0)) return `must have at least ${field.minLength} characters`
  return isText(value) ? undefined : 'must not hold control characters or hidden characters'
}

function listFault(field: ListField, value: Json): ValueFault | undefined {
  if (!Array.isArray(value)) return { problem: 'must be a list of texts' }
  if (value.length > field.maxItems) return { problem: `must have at most ${field.maxItems} items` }
  if (value.length < (field.minItems ?? 0)) return { problem: `must have at least ${field.minItems} items` }
  for (const [item, text] of (value as Json[]).entries()) {
    const problem = textProblem(field, text)
    if (problem) return { problem, item }
  }
  return undefined
}

function integerProblem(field: IntegerField, value: Json): string | undefined {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'must be an integer'
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field
  const within = (value as number) >= minimum && (value as number) <= maximum
  return within ? undefined : `must be from ${minimum} to ${maximum}`
}

function numberProblem(field: NumberField, value: Json): string | undefined {
  if (typeof value !== 'number' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'must be a number'
  const decimals = field.decimals ?? TTD1.numberDecimals
  if (scaledNumber(value, decimals) === undefined) return `must be a number of at most ${decimals} decimals`
  return rangeProblem(value, field)
}

function amountProblem(field: AmountField, value: Json): string | undefined {
  const { scale, unit } = field
  const scaled = (text: string): bigint | undefined => scaledAmount(text, scale, TTD1.amountDigits)
  const units = typeof value === 'string' ? scaled(value) : undefined
  if (units === undefined) return `must be a decimal text in ${unit} with at most ${scale} decimals, such as "1"`
  return rangeProblem(units, field, scaled)
}

interface Bounds<B> {
  readonly minimum?: B
  readonly exclusiveMinimum?: B
  readonly maximum?: B
  readonly exclusiveMaximum?: B
}

/** Bounds are compared as what `read` makes of them: numbers as they are, amounts in their smallest units. */
function rangeProblem<B, V>(
  value: V,
  bounds: Bounds<B>,
  read: (bound: B) => unknown = (bound) => bound
): string | undefined {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = bounds
  const against = (bound: B): V => read(bound) as V
  if (minimum !== undefined && value < against(minimum)) return `must be at least ${minimum}`
  if (exclusiveMinimum !== undefined && value <= against(exclusiveMinimum)) return `must be above ${exclusiveMinimum}`
  if (maximum !== undefined && value > against(maximum)) return `must be at most ${maximum}`
  if (exclusiveMaximum !== undefined && value >= against(exclusiveMaximum)) return `must be below ${exclusiveMaximum}`
  return undefined
}
