import { InvalidArgumentError } from 'commander'
import type { Json, JsonObject } from '../../base/json.js'

/** Members of a field that are numbers, and those that are lists; all others are text. */
const NUMBERS = new Set(['maxLength', 'minLength', 'maxItems', 'minItems', 'scale', 'decimals'])
/** Numbers for all kinds but `amount`, whose bounds are decimal texts. */
const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

/**
 * A field as a person writes it on a command line: `name:kind`, then `member=value` after semicolons, such as
 * `item:text;maxLength=200;required;capability=disclose.notes;label=What is asked for`. Without a label the name stands in.
 * A text that starts with `{` is taken as JSON, for groups.
 */
export function parseField(text: string): JsonObject {
  if (text.startsWith('{')) return fromJson(text)
  const [head = '', ...rest] = text.split(';').map((part) => part.trim())
  const [name = '', kind = '', ...more] = head.split(':')
  if (name === '' || kind === '' || more.length > 0) {
    throw new InvalidArgumentError('A field starts with name:kind, such as item:text;maxLength=200.')
  }
  const members = rest.filter((part) => part !== '').map((part) => member(kind, part))
  return { label: name, ...Object.fromEntries(members), name, kind }
}

function fromJson(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    throw new InvalidArgumentError('A field that starts with { must be JSON.')
  }
}

function member(kind: string, part: string): [string, Json] {
  const at = part.indexOf('=')
  if (part === 'required') return ['required', true]
  if (at < 1) throw new InvalidArgumentError(`"${part}" must be member=value, or required.`)
  const [key, value] = [part.slice(0, at), part.slice(at + 1)]
  if (key === 'options') return [key, value.split('|')]
  if (key === 'required') return [key, value === 'true']
  const isNumber = NUMBERS.has(key) || (BOUNDS.has(key) && kind !== 'amount')
  return [key, isNumber ? numberOf(key, value) : value]
}

function numberOf(key: string, value: string): number {
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  throw new InvalidArgumentError(`${key} must be a number.`)
}
