import type { AnswerOf } from '../../api/contract.js'
import type { PRESETS } from '../../api/words.js'

/** Sets of rules in the words of an owner. Source: protocols/policy.md, "Presets". */

export type Preset = AnswerOf<'owner.presets.read'>['preset']
export type PresetName = (typeof PRESETS)[number]

export const PRESET_WORDS: Readonly<Record<PresetName, { readonly title: string; readonly says: string }>> = {
  open: {
    title: 'Open',
    says: 'Your agent says what plans and delegated work need, and records actions, without asking. Money is asked for.'
  },
  balanced: { title: 'Balanced', says: 'When you are free and what you like may leave. All else is asked for.' },
  private: {
    title: 'Private',
    says: 'When you are free and what you like is asked for. Nothing else of you leaves, and no money moves.'
  }
}

/** What would be another effect than now, of everything that the preset speaks of. */
export function changedBy(preset: Preset): Preset['capabilities'] {
  return preset.capabilities.filter(({ now, becomes }) => now !== becomes)
}
