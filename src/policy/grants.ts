/**
 * Grants and how they decide. The owner's rules are few and read from the most specific on; whatever they do not speak
 * of is asked. Source: protocols/policy.md, "How a capability is decided".
 */
import type { AgentId } from '../base/ids.js'
import { isCustomDisclosure } from '../types/names.js'
import { ALL_DISCLOSURES } from './capability.js'

export type Effect = 'allow' | 'ask' | 'deny'

/** The owner's rule for one capability (or `disclose.*`) and one contact (or `*`, all of them). */
export interface Grant {
  readonly contact: AgentId | '*'
  readonly capability: string
  readonly effect: Effect
}

export interface Decision {
  readonly effect: Effect
  /** The grant that decided; undefined when nothing was said, which is `ask`. */
  readonly because: Grant | undefined
}

const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 }

/**
 * Decides one capability towards one contact. First what was said for this contact, then for all; in each, the exact
 * name before the wildcard. Two grants of one rank can't be stored, and if they are given the stricter one counts.
 */
export function decide(grants: readonly Grant[], contact: AgentId, capability: string): Decision {
  let best: Grant | undefined
  for (const grant of grants) {
    const speaks = (grant.contact === '*' || grant.contact === contact) && covers(grant, capability)
    if (speaks && (best === undefined || precedes(grant, best))) best = grant
  }
  return { effect: best?.effect ?? 'ask', because: best }
}

/**
 * Whether a grant speaks of a capability. `disclose.*` speaks of every known disclosure; of a custom one only when it
 * denies, because a category that somebody else invented must be opened by name.
 */
function covers(grant: Grant, capability: string): boolean {
  if (grant.capability === capability) return true
  if (grant.capability !== ALL_DISCLOSURES || !capability.startsWith('disclose.')) return false
  return grant.effect === 'deny' || !isCustomDisclosure(capability)
}

function precedes(a: Grant, b: Grant): boolean {
  const [rankA, rankB] = [rank(a), rank(b)]
  return rankA === rankB ? STRICTNESS[a.effect] > STRICTNESS[b.effect] : rankA < rankB
}

function rank(grant: Grant): number {
  return (grant.contact === '*' ? 2 : 0) + (grant.capability === ALL_DISCLOSURES ? 1 : 0)
}
