import type { AnswerOf } from '../../api/contract.js'
import { CAPABILITIES } from '../../api/words.js'
import type { AgentId } from '../../base/ids.js'
import { type Decision, type Effect, type Grant, decide } from '../../policy/grants.js'
import type { TypeEntry } from './types.js'

/** The owner's rules as a table: what was said, what holds, and why. Source: protocols/policy.md, "How a capability is decided". */

export type Rule = AnswerOf<'owner.grants.list'>['items'][number]
export type { Effect }

/** Stands for every contact. */
export const EVERYBODY = '*'
const ALL_DISCLOSURES = 'disclose.*'

/** Where an owner looks for a capability, in that order. */
export const FAMILIES = ['What your agent may tell', 'Delegated work', 'Actions', 'Money'] as const
type Family = (typeof FAMILIES)[number]

export function familyOf(capability: string): Family {
  if (capability.startsWith('disclose.')) return 'What your agent may tell'
  if (capability.startsWith('delegate.')) return 'Delegated work'
  return capability.startsWith('pay.') ? 'Money' : 'Actions'
}

/** Every known capability, those that types made up, and those that a rule speaks of: the wildcard first, made up ones last. */
export function capabilitiesIn(rules: readonly Rule[], types: readonly TypeEntry[]): string[] {
  const known = [ALL_DISCLOSURES, ...CAPABILITIES]
  const made = types.filter(({ state }) => state === 'active').flatMap((type) => type.customCapabilities)
  const others = new Set([...made, ...rules.map((rule) => rule.capability)].filter((name) => !known.includes(name)))
  return [...known, ...[...others].sort()]
}

/** What the owner said of exactly this. */
export function saidOf(rules: readonly Rule[], contact: string, capability: string): Effect | undefined {
  return rules.find((rule) => rule.contact === contact && rule.capability === capability)?.effect
}

/** What holds. The node decides by the very same function. */
export function holdingFor(rules: readonly Rule[], contact: string, capability: string): Decision {
  return decide(rules as readonly Grant[], contact as AgentId, capability)
}

/** What would hold if nothing were said of exactly this. */
export function holdingWithout(rules: readonly Rule[], contact: string, capability: string): Decision {
  const others = rules.filter((rule) => rule.contact !== contact || rule.capability !== capability)
  return holdingFor(others, contact, capability)
}

/** Why something holds, as the end of a sentence. */
export function becauseWords({ because }: Decision): string {
  if (because === undefined) return 'because there is no rule for it'
  const whom = because.contact === EVERYBODY ? 'for everybody' : 'for this contact'
  return because.capability === ALL_DISCLOSURES
    ? `by your rule ${whom} on everything that a plan can say`
    : `by your rule ${whom}`
}

export const EFFECT_WORDS: Readonly<Record<Effect, { readonly text: string; readonly does: string }>> = {
  allow: { text: 'Allow', does: 'Your agent may, without asking you.' },
  ask: { text: 'Ask me', does: 'You see exactly what it is about, and decide each time.' },
  deny: { text: 'Deny', does: 'It is refused, and you are not asked.' }
}

/** Contacts of whom something was said, by their ids. */
export function namedIn(rules: readonly Rule[]): string[] {
  return [...new Set(rules.map((rule) => rule.contact))].filter((contact) => contact !== EVERYBODY)
}
