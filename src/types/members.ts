/**
 * Checks of a definition's members, as plain tables: which members an object may have and what each must be. The first
 * fault found is reported with its path. Source: protocols/types.md, "Definition".
 */
import type { Json, JsonObject } from '../base/json.js'
import { labelFault } from './labels.js'
import { isDisclosure } from './names.js'
import { scaledAmount, scaledNumber } from './formats.js'
import { TTD1 } from './limits.js'

/** What is wrong, and where: `fields[2].maxLength`. */
export interface Fault {
  readonly field: string
  readonly problem: string
}

/** Answers what is wrong with a value in one clause, e.g. "must be an integer"; undefined when nothing is. */
export type Check = (value: Json) => string | undefined

export interface Member {
  readonly check: Check
  readonly optional?: true
}

export type Members = Readonly<Record<string, Member>>

/** Longest piece of a foreign member name that a refusal repeats. */
const ECHO = 40

/** The first fault of an object against its table; `at` is its own path, '' for the definition itself. */
export function membersFault(value: Json, members: Members, at: string): Fault | undefined {
  if (!isObject(value)) return { field: at, problem: 'must be an object' }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(members, name))
      return { field: join(at, name.slice(0, ECHO)), problem: 'is not a member of ttd1' }
  }
  for (const [name, member] of Object.entries(members)) {
    const fault = memberFault(value, name, member)
    if (fault) return { field: join(at, name), problem: fault }
  }
  return undefined
}

function memberFault(object: JsonObject, name: string, member: Member): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  if (value === undefined) return member.optional ? undefined : 'is missing'
  return member.check(value)
}

/** Path of a member. */
export function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

/** Whether a value is a plain object, not an array or null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that may be absent. */
export function optional(check: Check): Member {
  return { check, optional: true }
}

/** A member that must be there. */
export function needed(check: Check): Member {
  return { check }
}

export function integerFrom(lowest: number, highest: number): Check {
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= lowest && (value as number) <= highest && !Object.is(value, -0)
      ? undefined
      : `must be an integer from ${lowest} to ${highest}`
}

export function label(maxLength: number): Check {
  return (value) => (typeof value === 'string' ? labelFault(value, maxLength) : 'must be a text')
}

/** A text that a rule about names accepts. */
export function named(rule: (text: string) => boolean, problem: string): Check {
  return (value) => (typeof value === 'string' && rule(value) ? undefined : problem)
}

export const anyBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')

export const capability = named(
  isDisclosure,
  'must be a disclosure capability, such as disclose.notes or disclose.x.parking'
)

/** A finite number of at most six decimals, within the safe integers. */
export const bound: Check = (value) =>
  typeof value === 'number' &&
  Math.abs(value) <= Number.MAX_SAFE_INTEGER &&
  scaledNumber(value, TTD1.numberDecimals) !== undefined
    ? undefined
    : `must be a number of at most ${TTD1.numberDecimals} decimals`

export const amountBound: Check = (value) =>
  typeof value === 'string' && scaledAmount(value, TTD1.amountScale, TTD1.amountDigits) !== undefined
    ? undefined
    : 'must be a decimal text, such as "0.25"'

/** One to 64 different options. */
export const options: Check = (value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > TTD1.options) {
    return `must be a list of 1 to ${TTD1.options} options`
  }
  const check = label(TTD1.optionLength)
  const fault = value.map((option: Json) => check(option)).find((problem) => problem !== undefined)
  if (fault) return `holds an option that ${fault}`
  return new Set(value).size === value.length ? undefined : 'holds an option twice'
}
