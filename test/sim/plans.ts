/**
 * What each plan may disclose, kept apart from the code under test. Every plan of a simulated agent carries a marker in
 * each of its texts; a marker may leave its node only when the owner's rules or the owner's own yes allowed that plan.
 */
import type { AgentId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { Prng } from './prng.js'

export type Effect = 'allow' | 'ask' | 'deny'

/** Seed 002: the capability of each field of a dinner plan; the others need none. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  date: 'disclose.availability',
  time: 'disclose.availability',
  timezone: 'disclose.availability',
  cuisine: 'disclose.preferences',
  dietaryNotes: 'disclose.dietary',
  budgetPerPerson: 'disclose.budget',
  notes: 'disclose.notes'
}
export const DISCLOSURES: readonly string[] = [...new Set(Object.values(CAPABILITIES))]

const MARKER = /zq[0-9a-z]+qz/g

export interface Plan {
  readonly marker: string
  readonly proposal: JsonObject
  readonly capabilities: readonly string[]
  readonly contact: AgentId
  /** `may`: it may leave. `locked`: only after the owner's yes. `never`: it must not leave. */
  state: 'may' | 'locked' | 'never'
  /** How often the owner said yes to exactly this plan; each yes is good for sending it once. */
  yeses: number
  /** The rules allowed it when it was first sent: good for once, however often that call is repeated. */
  allowed: boolean
}

/** A grant as its owner made it. */
export interface Rule {
  readonly contact: string
  readonly capability: string
  readonly effect: Effect
}

/** The rules of one node's owner. */
export class Rules {
  #rules = new Map<string, Rule>()

  constructor(rules: readonly Rule[] = []) {
    this.replace(rules)
  }

  set(rule: Rule): void {
    this.#rules.set(`${rule.contact} ${rule.capability}`, rule)
  }

  delete(contact: string, capability: string): void {
    this.#rules.delete(`${contact} ${capability}`)
  }

  replace(rules: readonly Rule[]): void {
    this.#rules = new Map(rules.map((rule) => [`${rule.contact} ${rule.capability}`, rule]))
  }

  all(): readonly Rule[] {
    return [...this.#rules.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  /** Contact before everybody, exact before wildcard; nothing said = ask. */
  of(contact: string, capability: string): Effect {
    const wild = capability.startsWith('disclose.')
    const all = [`${contact} ${capability}`, `${contact} disclose.*`, `* ${capability}`, '* disclose.*']
    const places = wild ? all : [all[0], all[2]].flatMap((one) => one ?? [])
    const place = places.find((one) => this.#rules.has(one))
    return place === undefined ? 'ask' : (this.#rules.get(place)?.effect ?? 'ask')
  }

  /** The strictest answer for a plan, and which capabilities gave it. */
  for(contact: string, capabilities: readonly string[]): { effect: Effect; denied: string[] } {
    const effects = capabilities.map((capability) => this.of(contact, capability))
    const denied = capabilities.filter((_, index) => effects[index] === 'deny')
    const effect = denied.length > 0 ? 'deny' : effects.includes('ask') ? 'ask' : 'allow'
    return { effect, denied: [...denied].sort() }
  }
}

function key(rule: Rule): string {
  return `${rule.contact} ${rule.capability} ${rule.effect}`
}

/** All plans of the world, by marker. */
export class Plans {
  readonly #plans = new Map<string, Plan>()
  #made = 0

  /** A new dinner plan with some of the fields, each text marked. */
  make(prng: Prng, contact: AgentId): Plan {
    const marker = `zq${(++this.#made).toString(36)}qz`
    const proposal: Record<string, JsonObject[string]> = {
      date: `2026-11-${prng.whole(10, 28)}`,
      time: `1${prng.whole(0, 9)}:30`,
      timezone: 'America/Toronto',
      venue: { name: marker }
    }
    if (prng.chance(0.3)) proposal.cuisine = `cuisine ${marker}`
    if (prng.chance(0.3)) proposal.dietaryNotes = [`no ${marker}`]
    if (prng.chance(0.2)) proposal.notes = `notes ${marker}`
    if (prng.chance(0.2)) proposal.budgetPerPerson = prng.whole(1, 9999)
    if (prng.chance(0.3)) proposal.partySize = prng.whole(1, 20)
    const capabilities = capabilitiesOf(proposal)
    const plan: Plan = { marker, proposal, capabilities, contact, state: 'never', yeses: 0, allowed: false }
    this.#plans.set(marker, plan)
    return plan
  }

  /** Words of delegated work that leave under one capability. */
  words(contact: AgentId, capability: string): Plan {
    return this.#add({ proposal: {}, capabilities: [capability], contact })
  }

  /** A marker that must never leave, whatever the rules say: it stands where nothing is ever sent from. */
  canary(): Plan {
    return this.#add({ proposal: {}, capabilities: [], contact: '' as AgentId })
  }

  #add(what: Pick<Plan, 'proposal' | 'capabilities' | 'contact'>): Plan {
    const marker = `zq${(++this.#made).toString(36)}qz`
    const plan: Plan = { ...what, marker, state: 'never', yeses: 0, allowed: false }
    this.#plans.set(marker, plan)
    return plan
  }

  /** The plans whose markers stand in a text. */
  in(text: string): readonly Plan[] {
    const found = new Set(text.match(MARKER) ?? [])
    return [...found].flatMap((marker) => this.#plans.get(marker) ?? [])
  }

  /** The plan that a proposal is. */
  of(proposal: JsonObject): Plan | undefined {
    return this.in(JSON.stringify(proposal))[0]
  }
}

function capabilitiesOf(proposal: JsonObject): readonly string[] {
  return [...new Set(Object.keys(proposal).flatMap((field) => CAPABILITIES[field] ?? []))].sort()
}
