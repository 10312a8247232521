import type { z } from 'zod'
import { type DetailCode, badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'

/** From a schema's complaint to our refusal: which member, which rule. Values are never echoed. */

/** Characters of a member's name that a refusal repeats. */
const NAME_MAX = 64

type Issue = z.core.$ZodIssue
export type Part = 'path' | 'query' | 'body'

/** Checks one part of a request. Refuses with `unknown_member`, `missing_field` or `invalid_field` and `details.field`. */
export function checkInput<T>(schema: z.ZodType<T>, value: unknown, part: Part): Result<T> {
  const outcome = schema.safeParse(value)
  if (outcome.success) return ok(outcome.data)
  const { issues } = outcome.error
  const issue = issues.find((each) => each.code === 'unrecognized_keys') ?? (issues[0] as Issue)
  return fail(refusalOf(issue, value, part))
}

function refusalOf(issue: Issue, value: unknown, part: Part) {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] as string] : issue.path
  const field = path.map((step) => short(String(step))).join('.')
  const code = codeOf(issue, value)
  return badRequest(code, `${part}${field === '' ? '' : ` member ${field}`}: ${sentenceOf(issue, code)}`, field)
}

function codeOf(issue: Issue, value: unknown): DetailCode {
  if (issue.code === 'unrecognized_keys') return 'unknown_member'
  return issue.path.length > 0 && isAbsent(value, issue.path) ? 'missing_field' : 'invalid_field'
}

function sentenceOf(issue: Issue, code: DetailCode): string {
  if (code === 'unknown_member') return 'this call does not take it'
  return code === 'missing_field' ? 'it is needed' : ruleOf(issue)
}

/** The rule in our own words; a rule of the contract that has none brings its own (`custom`). */
function ruleOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${NOUNS[issue.expected] ?? `of type ${issue.expected}`}`
    case 'invalid_value':
      return `it must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `it must ${boundOf(issue.origin)}at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `it must ${boundOf(issue.origin)}at most ${issue.maximum}${unitOf(issue.origin)}`
    default:
      return issue.message
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list'
}

function boundOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have ' : 'be '
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' items' : ''
}

function isAbsent(value: unknown, path: readonly PropertyKey[]): boolean {
  let at: unknown = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<PropertyKey, unknown>)[step]
  }
  return at === undefined
}

function short(name: string): string {
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name
}
