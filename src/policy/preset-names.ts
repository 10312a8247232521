/** The sets of rules by name; on its own, because clients show the names and need nothing else. Source: protocols/policy.md, "Presets". */
export const PRESET_NAMES = ['open', 'balanced', 'private'] as const
export type PresetName = (typeof PRESET_NAMES)[number]
