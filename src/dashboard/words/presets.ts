import type { AnswerOf } from '../../api/contract.js'
import type { PRESETS } from '../../api/words.js'

/** Sets of rules in the words of an owner. Source: protocols/policy.md, "Presets". */

export type Preset = AnswerOf<'owner.presets.read'>['preset']
export type PresetName = (typeof PRESETS)[number]

export const PRESET_WORDS: Readonly<Record<PresetName, { readonly title: string; readonly says: string }>> = {
  open: {
    title: 'Open',
    says:
      'Your agent may tell what plans and delegated work need, and record actions, without asking you. It asks you ' +
      'before each payment, and about whatever a task type made up.'
  },
  balanced: {
    title: 'Balanced',
    says: 'Your agent may tell when you are free and what you like. It asks you about everything else.'
  },
  private: {
    title: 'Private',
    says:
      'Your agent asks you before a plan tells when you are free or what you like, and before it delegates or records ' +
      'anything. A plan may tell nothing else, and no money moves.'
  }
}

/** What would be another effect than now, of everything that the preset speaks of. */
export function changedBy(preset: Preset): Preset['capabilities'] {
  return preset.capabilities.filter(({ now, becomes }) => now !== becomes)
}
