import type { AgentId } from '../base/ids.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { ALL_DISCLOSURES } from '../policy/capability.js'
import { type Grant, decide } from '../policy/grants.js'
import type { PresetName } from '../policy/preset-names.js'
import { changeBy, parsePreset, presetDigest } from '../policy/presets.js'
import type { AgentBook } from './agents.js'
import { record } from './audit.js'
import { everyCapability } from './capabilities.js'
import type { OwnerDoor } from './doors.js'
import { grantsOfAgent } from './grants.js'
import { agentKey } from './keys.js'
import type { Clock, Tx } from './ports.js'
import type { Steps } from './steps.js'
import type { TypeBook } from './type-book.js'
import type { GrantView, PresetView } from './views/contacts.js'

/** Presets: shown first, then put in place as they were shown (protocols/policy.md, "Presets"). */
export type PresetDoor = Pick<OwnerDoor, 'preset' | 'applyPreset'>

/** Nobody: a contact of whom nothing special was said. */
const ANYBODY = '' as AgentId

export function createPresetDoor(components: {
  readonly steps: Steps
  readonly agents: AgentBook
  readonly types: TypeBook
  readonly clock: Clock
}): PresetDoor {
  const { steps, agents, types, clock } = components

  /** Which preset for which agent. Refuses with `not_found` and the field. */
  function subjectOf(
    tx: Pick<Tx, 'get'>,
    options: Parameters<OwnerDoor['preset']>[0]
  ): Result<{ readonly agent: AgentId; readonly preset: PresetName }> {
    const preset = parsePreset(options.preset)
    if (!preset.ok) return preset
    const agent = agents.pick(tx, options.agent)
    return agent.ok ? ok({ agent: agent.value.agent, preset: preset.value }) : agent
  }

  function viewOf(tx: Pick<Tx, 'get'>, agent: AgentId, preset: PresetName): PresetView {
    const before = grantsOfAgent(tx, agent)
    const { removes, sets, keeps, after } = changeBy(preset, before)
    const named = before.map(({ capability }) => capability).filter((capability) => capability !== ALL_DISCLOSURES)
    return {
      preset,
      agent,
      digest: presetDigest(agent, preset, before),
      capabilities: everyCapability(tx, types, named).map((capability) => ({
        capability,
        now: decide(before, ANYBODY, capability).effect,
        becomes: decide(after, ANYBODY, capability).effect
      })),
      sets: sets.map(({ grant }) => grantView(grant)),
      removes: removes.map(grantView),
      keeps: keeps.map(grantView)
    }
  }

  return {
    preset: (options) =>
      steps.read((tx) => {
        const subject = subjectOf(tx, options)
        return subject.ok ? ok(viewOf(tx, subject.value.agent, subject.value.preset)) : subject
      }),
    applyPreset: (options) =>
      steps.run((tx) => {
        const subject = subjectOf(tx, options)
        if (!subject.ok) return subject
        const { agent, preset } = subject.value
        const view = viewOf(tx, agent, preset)
        if (view.digest !== options.digest) {
          const message = 'The rules are not those that were shown. Look at the preset again, then apply what you saw.'
          return fail(conflict('preset_stale', message, { field: 'digest' }))
        }
        applyPreset(tx, agent, preset, clock.now())
        return ok(view)
      })
  }
}

/** Stages a preset, and tells of it and of each rule that changed. */
export function applyPreset(tx: Tx, agent: AgentId, preset: PresetName, at: Instant): void {
  const { removes, sets, after } = changeBy(preset, grantsOfAgent(tx, agent))
  const by = { at, who: { kind: 'owner' } } as const
  record(tx, { ...by, what: 'preset.applied', about: { agent, preset } })
  for (const grant of removes) record(tx, { ...by, what: 'grant.deleted', about: { agent, ...grant } })
  for (const { grant, was } of sets) {
    record(tx, { ...by, what: 'grant.set', about: { agent, ...grant, ...(was === undefined ? {} : { was }) } })
  }
  tx.put('grants', agentKey(agent), after)
}

export function grantView({ contact, capability, effect }: Grant): GrantView {
  return { contact, capability, effect }
}
