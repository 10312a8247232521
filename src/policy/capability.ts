/** The capabilities that an owner can rule on: a closed list and two open families. Source: protocols/policy.md, "Capabilities". */
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { DISCLOSURES, isCustomDisclosure, isCustomActionName } from '../types/names.js'

/** Stands for every known disclosure; see `covers` for what it says about custom ones. */
export const ALL_DISCLOSURES = 'disclose.*'

const ACTION = 'action.'
const BUILT_IN_ACTIONS = ['calendar.hold', 'reservation.book']

/** The capability that an action needs. */
export function capabilityOf(action: string): string {
  return ACTION + action
}

/** Every capability of the closed list, sorted as an owner reads them. */
export const KNOWN_CAPABILITIES: readonly string[] = Object.freeze([
  ...DISCLOSURES,
  'delegate.submit',
  'delegate.report',
  ...BUILT_IN_ACTIONS.map((name) => ACTION + name),
  'pay.solana',
  'pay.receive'
])

const KNOWN = new Set([...KNOWN_CAPABILITIES, ALL_DISCLOSURES])

/**
 * Reads a capability, or the wildcard `disclose.*`. Refuses with `unknown_capability`. Exact and case-sensitive, so that
 * no two spellings mean one thing.
 */
export function parseCapability(text: string): Result<string> {
  const custom = isCustomDisclosure(text) || (text.startsWith(ACTION) && isCustomActionName(text.slice(ACTION.length)))
  if (custom || KNOWN.has(text)) return ok(text)
  const known = 'one of the known capabilities, disclose.*, disclose.x.<slug> or action.x.<type>.<name>'
  return fail(badRequest('unknown_capability', `capability must be ${known}`, 'capability'))
}
