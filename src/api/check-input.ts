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
  return code === 'missing_field' ? 'it is needed' : issue.message
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
