/** What becomes of a whole proposal: one denied field refuses it, else one on ask asks for it. Source: protocols/policy.md, "Disclosure". */
import type { AgentId } from '../base/ids.js'
import { type Grant, decide } from './grants.js'

export type DisclosureDecision =
  | { readonly effect: 'allow' }
  /** One approval for the whole proposal; these are the capabilities that need it, sorted. */
  | { readonly effect: 'ask'; readonly capabilities: readonly string[] }
  /** Everything that was denied, capabilities and field names, sorted and unique. */
  | { readonly effect: 'deny'; readonly denied: readonly string[]; readonly fields: readonly string[] }

/** Decides over what `capabilitiesIn` found: capability -> names of the top-level fields under it. */
export function decideDisclosure(
  grants: readonly Grant[],
  contact: AgentId,
  capabilities: ReadonlyMap<string, readonly string[]>
): DisclosureDecision {
  const decided = [...capabilities.keys()]
    .sort()
    .map((name) => ({ name, effect: decide(grants, contact, name).effect }))
  const having = (effect: string): string[] => decided.filter((each) => each.effect === effect).map((each) => each.name)
  const denied = having('deny')
  if (denied.length > 0) {
    const fields = new Set(denied.flatMap((name) => capabilities.get(name) ?? []))
    return { effect: 'deny', denied, fields: [...fields].sort() }
  }
  const asked = having('ask')
  return asked.length > 0 ? { effect: 'ask', capabilities: asked } : { effect: 'allow' }
}
