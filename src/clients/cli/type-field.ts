import { InvalidArgumentError } from 'commander'
import { type Json, type JsonObject, isObject } from '../../base/json.js'

/** Members of a field that are numbers, and those that are lists; all others are text. */
const NUMBERS = new Set(['maxLength', 'minLength', 'maxItems', 'minItems', 'scale', 'decimals'])
/** Numbers for all kinds but `amount`, whose bounds are decimal texts. */
const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

/** How fields are written on a command line; `agentlink type new --help` prints it. */
export const FIELD_HELP = `A field is name:kind, then member=value after semicolons. The kinds and their members (? may be left out):
  text      maxLength=200, minLength?
  list      texts: maxItems=10, minItems?, maxLength=200, minLength?
  choice    options=first|second|third
  integer   minimum?, maximum?
  number    decimals?, minimum?, maximum?, exclusiveMinimum?, exclusiveMaximum?
  amount    scale=2, unit=EUR, and the four bounds of a number
  boolean, date, time, timezone, address
            nothing
Each also takes required, label=…, description=… and capability=…: what telling it needs, such as disclose.notes, or
disclose.x.<slug> for one of your own. Without one your agent may tell it to any contact.
A group is JSON; the fields in it may be written like the others.`

/**
 * A field as a person writes it on a command line: `name:kind`, then `member=value` after semicolons, such as
 * `item:text;maxLength=200;required;capability=disclose.notes;label=What is asked for`. Without a label the name stands in.
 * A text that starts with `{` is taken as JSON, for groups; their fields may be such texts again.
 */
export function parseField(text: string): JsonObject {
  if (text.startsWith('{')) return withFields(fromJson('field', text), 'fields')
  const [head = '', ...rest] = text.split(';').map((part) => part.trim())
  const [name = '', kind = '', ...more] = head.split(':')
  if (name === '' || kind === '' || more.length > 0) {
    throw new InvalidArgumentError('A field starts with name:kind, such as item:text;maxLength=200.')
  }
  const members = rest.filter((part) => part !== '').map((part) => member(kind, part))
  return { label: name, ...Object.fromEntries(members), name, kind }
}

/**
 * An action as JSON: its name may be the slug alone, its params may be written like fields, such as
 * `{"name":"order","label":"Order it","params":["number:text;maxLength=40;required"]}`.
 */
export function parseAction(text: string, typeName: string): JsonObject {
  const action = withFields(fromJson('action', text), 'params')
  const { name } = action
  return typeof name === 'string' && !name.includes('.') ? { ...action, name: `x.${typeName}.${name}` } : action
}

function withFields(value: JsonObject, member: string): JsonObject {
  const fields = value[member]
  if (!Array.isArray(fields)) return value
  return { ...value, [member]: fields.map((field: Json) => (typeof field === 'string' ? parseField(field) : field)) }
}

function fromJson(what: string, text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json
    if (isObject(value)) return value
  } catch {
    // The same as JSON that is no object.
  }
  throw new InvalidArgumentError(`It must be the ${what} as a JSON object: {"name":…}.`)
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
