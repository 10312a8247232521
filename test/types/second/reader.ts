/**
 * A second reader of ttd1: it interprets the table of `grammar.ts` and finds all faults of a definition or a proposal, not
 * only the first. Written from protocols/types.md; `src/types` is neither imported nor copied.
 */
import canonicalize from 'canonicalize'
import { createHash } from 'node:crypto'
import { ACTION, BOUNDS, DEFINITION, FIELD_HEAD, LIMIT, type Rows } from './grammar.js'
import * as rule from './rules.js'

type Bag = Readonly<Record<string, unknown>>
/** Paths at fault, and beside each the code where it is one of a proposal. */
export type Faults = Map<string, string>

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)
const textual = (value: unknown, test: (text: string) => boolean): boolean => typeof value === 'string' && test(value)
const whole = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && !Object.is(value, -0) && (value as number) >= least && (value as number) <= most

export function canonical(value: unknown): string {
  return canonicalize(value) ?? ''
}

export function hash(value: unknown): string {
  return createHash('sha256').update(canonical(value), 'utf8').digest('hex')
}

/** The paths of a definition at which something is wrong; none = it is one. */
export function faultsOfDefinition(value: unknown): Faults {
  const faults: Faults = new Map()
  walk(DEFINITION, value, '', faults)
  if (faults.size > 0 || !isBag(value)) return faults
  const actions = (value.actions ?? []) as readonly Bag[]
  for (const [index, { name }] of actions.entries()) {
    const prefix = `x.${String(value.name)}.`
    const sound = textual(name, (text) => text.startsWith(prefix) && rule.isSlug(text.slice(prefix.length)))
    if (!sound) faults.set(`actions[${index}].name`, '')
  }
  if (faults.size > 0) return faults
  const fields = value.fields as readonly Bag[]
  const lists = [
    fields,
    ...fields.map((field) => field.fields ?? []),
    ...actions.map((action) => action.params)
  ] as Bag[][]
  if (lists.flat().length > LIMIT.fields) faults.set('fields', '')
  const own = Buffer.byteLength(canonical(value))
  if (own > LIMIT.bytes) faults.set('', '')
  if (own + greatest(fields) > LIMIT.together) faults.set('fields', '')
  for (const [index, action] of actions.entries()) {
    if (greatest(action.params as Bag[]) > LIMIT.together) faults.set(`actions[${index}].params`, '')
  }
  return faults
}

/** A file: its bytes are its canonical bytes, within the limits, and it is a definition. Answers its hash. */
export function hashOfFile(bytes: Uint8Array): string | undefined {
  if (bytes.length > LIMIT.bytes) return undefined
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown
    if (!Buffer.from(canonical(value)).equals(bytes) || levels(value) > LIMIT.levels) return undefined
    return faultsOfDefinition(value).size === 0 ? hash(value) : undefined
  } catch {
    return undefined
  }
}

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(levels))
}

function walk(rows: Rows, value: unknown, at: string, faults: Faults): void {
  if (!isBag(value)) return void faults.set(at, '')
  const known = new Map(Object.keys(rows).map((row) => [row.replace('?', ''), row]))
  for (const name of Object.keys(value)) if (!known.has(name)) faults.set(join(at, name.slice(0, 40)), '')
  for (const [name, row] of known) {
    const present = Object.hasOwn(value, name)
    if (present) member(rows[row] ?? '', value[name], join(at, name), faults)
    else if (!row.endsWith('?')) faults.set(join(at, name), '')
  }
}

function member(text: string, value: unknown, at: string, faults: Faults): void {
  const [name = '', ...words] = text.split(' ')
  const [low = 0, high = 0] = words.map(Number)
  const simple: Readonly<Record<string, () => boolean>> = {
    exactly: () => value === words[0],
    string: () => typeof value === 'string',
    boolean: () => typeof value === 'boolean',
    integer: () => whole(value, low, high),
    number: () => rule.unitsOfNumber(value, low) !== undefined,
    amount: () => rule.unitsOfAmount(value, low) !== undefined,
    label: () => textual(value, (one) => rule.isLabel(one, low)),
    typeName: () => textual(value, rule.isTypeName),
    fieldName: () => textual(value, rule.isFieldName),
    disclosure: () => textual(value, rule.isDisclosure),
    unit: () => textual(value, rule.isUnit)
  }
  if (name === 'fields') return fieldsAt(words[0] === 'plan', value, at, faults)
  if (name === 'actions')
    return listAt(value, at, LIMIT.actions, faults, (one, place) => walk(ACTION, one, place, faults))
  if (name === 'options') return optionsAt(value, at, faults)
  const test = simple[name]
  if (test === undefined) throw new Error(`the grammar names no rule ${name}`)
  if (!test()) faults.set(at, '')
}

/** One item at least, `most` at most; no two of one name. */
function listAt(
  value: unknown,
  at: string,
  most: number,
  faults: Faults,
  each: (one: unknown, at: string) => void
): void {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) faults.set(at, '')
  if (!Array.isArray(value)) return
  for (const [index, one] of value.entries()) each(one, `${at}[${index}]`)
  const names = value.map((one: unknown) => (isBag(one) ? one.name : one))
  if (new Set(names).size < names.length) faults.set(at, '')
}

function optionsAt(value: unknown, at: string, faults: Faults): void {
  listAt(value, at, LIMIT.options, faults, (one, place) => {
    if (!textual(one, (text) => rule.isLabel(text, 64))) faults.set(place, '')
  })
}

function fieldsAt(isPlan: boolean, value: unknown, at: string, faults: Faults): void {
  listAt(value, at, LIMIT.fields, faults, (one, place) => {
    if (!isBag(one)) return void faults.set(place, '')
    const kind = Object.hasOwn(one, 'kind') ? one.kind : undefined
    const known = typeof kind === 'string' && Object.hasOwn(BOUNDS, kind) && (isPlan || kind !== 'group')
    if (!known) return void faults.set(join(place, 'kind'), '')
    const before = faults.size
    const capability: Rows = isPlan ? { 'capability?': 'disclosure' } : {}
    walk({ ...FIELD_HEAD, ...capability, ...BOUNDS[kind] }, one, place, faults)
    if (faults.size === before && !boundsMeet(one)) faults.set(place, '')
  })
}

/** Whether the bounds of a field, each right by itself, leave a value. */
function boundsMeet(field: Bag): boolean {
  const pairs = [
    ['minLength', 'maxLength'],
    ['minItems', 'maxItems']
  ] as const
  for (const [low, high] of pairs) if (Number(field[low] ?? 0) > Number(field[high] ?? Infinity)) return false
  if (field.kind === 'integer') return Number(field.minimum ?? -Infinity) <= Number(field.maximum ?? Infinity)
  if (field.kind !== 'number' && field.kind !== 'amount') return true
  const range = rangeOf(field)
  return range !== undefined && (range.low === undefined || range.high === undefined || range.low <= range.high)
}

/** Lowest and highest value in units of the last place; undefined when a bound is doubled or finer than its field. */
function rangeOf(field: Bag): { low: bigint | undefined; high: bigint | undefined } | undefined {
  const units = (bound: unknown): bigint | undefined =>
    field.kind === 'amount'
      ? rule.unitsOfAmount(bound, Number(field.scale))
      : rule.unitsOfNumber(bound, Number(field.decimals ?? 6))
  const side = (open: string, closed: string, step: bigint): { value: bigint | undefined } | undefined => {
    const [a, b] = [field[open], field[closed]]
    if (a === undefined && b === undefined) return { value: undefined }
    const value = a === undefined || b === undefined ? units(a ?? b) : undefined
    return value === undefined ? undefined : { value: b === undefined ? value : value + step }
  }
  const [low, high] = [side('minimum', 'exclusiveMinimum', 1n), side('maximum', 'exclusiveMaximum', -1n)]
  return low === undefined || high === undefined ? undefined : { low: low.value, high: high.value }
}

/** The greatest size of an object of these fields, by the table "Worst case". */
export function greatest(fields: readonly Bag[]): number {
  const t = (length: unknown): number => 2 + 4 * Number(length)
  const zone = Math.max(...rule.ZONES.map((name) => name.length))
  const size = (field: Bag): number => {
    const fixed: Readonly<Record<string, number>> = {
      integer: 26,
      number: 26,
      boolean: 5,
      date: 12,
      time: 7,
      address: 46
    }
    switch (field.kind) {
      case 'text':
        return t(field.maxLength)
      case 'list':
        return 2 + Number(field.maxItems) * t(field.maxLength) + Number(field.maxItems) - 1
      case 'timezone':
        return 2 + zone
      case 'choice':
        return Math.max(...(field.options as string[]).map((option) => Buffer.byteLength(canonical(option))))
      case 'amount':
        return 2 + 18 + 1 + Number(field.scale)
      case 'group':
        return greatest(field.fields as Bag[])
      default:
        return fixed[String(field.kind)] ?? NaN
    }
  }
  return (
    fields.reduce((sum, field) => sum + 3 + String(field.name).length + size(field), 2) + Math.max(0, fields.length - 1)
  )
}

/** The paths of a proposal (or of params) at which something is wrong, with the code of each. */
export function faultsOfPlan(fields: readonly Bag[], value: unknown, at = 'proposal'): Faults {
  const faults: Faults = new Map()
  plan(fields, value, at, faults)
  return faults
}

function plan(fields: readonly Bag[], value: unknown, at: string, faults: Faults): void {
  if (!isBag(value)) return void faults.set(at, 'invalid_field')
  for (const name of Object.keys(value)) {
    if (!fields.some((field) => field.name === name)) faults.set(join(at, name.slice(0, 40)), 'undeclared_field')
  }
  for (const field of fields) {
    const name = String(field.name)
    if (!Object.hasOwn(value, name)) {
      if (field.required === true) faults.set(join(at, name), 'missing_field')
      continue
    }
    if (field.kind === 'group') plan(field.fields as Bag[], value[name], join(at, name), faults)
    else for (const path of wrongIn(field, value[name], join(at, name))) faults.set(path, 'invalid_field')
  }
}

function wrongIn(field: Bag, value: unknown, at: string): string[] {
  if (field.kind !== 'list') return allows(field, value) ? [] : [at]
  if (!Array.isArray(value)) return [at]
  if (value.length < Number(field.minItems ?? 0) || value.length > Number(field.maxItems)) return [at]
  return value.flatMap((item, index) => (allows({ ...field, kind: 'text' }, item) ? [] : [`${at}[${index}]`]))
}

function allows(field: Bag, value: unknown): boolean {
  const within = (units: bigint | undefined): boolean => {
    const range = rangeOf(field)
    if (units === undefined || range === undefined) return false
    return (range.low === undefined || units >= range.low) && (range.high === undefined || units <= range.high)
  }
  switch (field.kind) {
    case 'text':
      return textual(value, (text) => rule.isPlainText(text, Number(field.minLength ?? 0), Number(field.maxLength)))
    case 'integer':
      return whole(value, Number(field.minimum ?? -(2 ** 53 - 1)), Number(field.maximum ?? 2 ** 53 - 1))
    case 'number':
      return within(rule.unitsOfNumber(value, Number(field.decimals ?? 6)))
    case 'amount':
      return within(rule.unitsOfAmount(value, Number(field.scale)))
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return textual(value, rule.isDate)
    case 'time':
      return textual(value, rule.isTime)
    case 'timezone':
      return textual(value, (text) => rule.ZONES.includes(text))
    case 'choice':
      return (field.options as unknown[]).includes(value)
    case 'address':
      return textual(value, rule.isAddress)
    default:
      throw new Error(`no field is of kind ${String(field.kind)}`)
  }
}

/** What a proposal discloses: capability -> fields, in the order of the definition. */
export function disclosed(definition: Bag, proposal: Bag): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { name, capability } of definition.fields as Bag[]) {
    if (typeof capability === 'string' && Object.hasOwn(proposal, String(name)))
      (found[capability] ??= []).push(String(name))
  }
  return found
}
