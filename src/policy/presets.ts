/**
 * Sets of rules that an owner can put in place at once. A preset is all that is said for every contact: whatever was said
 * there before is gone, what was said for one contact stays. Source: protocols/policy.md, "Presets".
 */
import { toUtf8 } from '../base/bytes.js'
import { canonicalText } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { ALL_DISCLOSURES } from './capability.js'
import type { Effect, Grant } from './grants.js'
import { PRESET_NAMES, type PresetName } from './preset-names.js'

type Rules = Readonly<Record<string, Effect>>

/** What they don't name is asked. None of them lets an agent pay. */
const RULES: Readonly<Record<PresetName, Rules>> = {
  open: {
    [ALL_DISCLOSURES]: 'allow',
    'delegate.submit': 'allow',
    'delegate.report': 'allow',
    'action.calendar.hold': 'allow',
    'action.reservation.book': 'allow'
  },
  balanced: {
    'disclose.availability': 'allow',
    'disclose.preferences': 'allow'
  },
  private: {
    [ALL_DISCLOSURES]: 'deny',
    'disclose.availability': 'ask',
    'disclose.preferences': 'ask',
    'pay.solana': 'deny',
    'pay.receive': 'deny'
  }
}

/** The rules of a preset, each for every contact. */
export function rulesOf(preset: PresetName): readonly Grant[] {
  return Object.entries(RULES[preset]).map(([capability, effect]) => ({ contact: '*', capability, effect }))
}

/** Exact and case-sensitive. Refuses with `not_found`. */
export function parsePreset(text: string): Result<PresetName> {
  const found = PRESET_NAMES.find((name) => name === text)
  if (found !== undefined) return ok(found)
  return fail(
    refusal('not_found', `There is no such preset. They are ${PRESET_NAMES.join(', ')}.`, { field: 'preset' })
  )
}

/** What a preset makes of an agent's rules. */
export interface PresetChange {
  /** Rules for every contact that go and have no successor. */
  readonly removes: readonly Grant[]
  /** Rules that are new or change, each with the effect before it. */
  readonly sets: readonly { readonly grant: Grant; readonly was: Effect | undefined }[]
  /** Rules for one contact: they stay, and outrank the preset. */
  readonly keeps: readonly Grant[]
  /** All rules afterwards. */
  readonly after: readonly Grant[]
}

export function changeBy(preset: PresetName, before: readonly Grant[]): PresetChange {
  const rules = rulesOf(preset)
  const keeps = before.filter(({ contact }) => contact !== '*')
  const general = before.filter(({ contact }) => contact === '*')
  const said = new Map(general.map(({ capability, effect }) => [capability, effect]))
  return {
    removes: general.filter(({ capability }) => RULES[preset][capability] === undefined),
    sets: rules.flatMap((grant) => {
      const was = said.get(grant.capability)
      return was === grant.effect ? [] : [{ grant, was }]
    }),
    keeps,
    after: [...keeps, ...rules]
  }
}

/**
 * SHA-256 in hex of what the owner was shown: agent, preset and the agent's rules, in whatever order they are kept. Another
 * rule, another digest.
 */
export function presetDigest(agent: AgentId, preset: PresetName, rules: readonly Grant[]): string {
  const sorted = rules.map(({ contact, capability, effect }) => [contact, capability, effect].join(' ')).sort()
  return sha256Hex(toUtf8(canonicalText({ agent, preset, rules: sorted } satisfies Json)))
}
