import type { AnswerOf } from '../../api/contract.js'

/** Settings as an owner reads them: by subject, each value in words, and where it is from. */

export type Setting = AnswerOf<'owner.settings.list'>['items'][number]
type Value = NonNullable<Setting['value']>

export interface Subject {
  /** The section of the file; empty for what stands above all sections. */
  readonly section: string
  readonly title: string
  readonly settings: readonly Setting[]
}

const TITLES: Readonly<Record<string, string>> = {
  '': 'What it is called',
  net: 'Where others reach it',
  limits: 'How many may knock',
  api: 'Programs on this machine',
  delivery: 'Delivery',
  contacts: 'Contact requests',
  approvals: 'Questions to you',
  chain: 'Where jobs are paid',
  spend: 'What agents may spend',
  quotas: 'How much may be under way',
  log: 'The log'
}

/** In the order in which the node has them; a section that this page doesn't know goes by its own name. */
export function subjectsOf(settings: readonly Setting[]): Subject[] {
  const sections = [...new Set(settings.map(sectionOf))]
  return sections.map((section) => ({
    section,
    title: (Object.hasOwn(TITLES, section) ? TITLES[section] : undefined) ?? section,
    settings: settings.filter((setting) => sectionOf(setting) === section)
  }))
}

function sectionOf({ key }: Setting): string {
  const at = key.indexOf('.')
  return at === -1 ? '' : key.slice(0, at)
}

/** The key inside its section. */
export function keyOf({ key }: Setting): string {
  return key.slice(key.indexOf('.') + 1)
}

/** `yes`, `none`, `300000 (5 minutes)`. */
export function valueWords(name: string, value: Value | undefined): string {
  if (value === undefined) return 'not said'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (value === '') return 'empty'
  if (name.endsWith('_ms') && typeof value === 'number') return `${value} (${spanWords(value)})`
  return name.endsWith('_sol') ? `${value} SOL` : String(value)
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000]
] as const

function spanWords(ms: number): string {
  for (const [unit, size] of UNITS) {
    if (ms < size || ms % size !== 0) continue
    const many = ms / size
    return `${many} ${unit}${many === 1 ? '' : 's'}`
  }
  return `${ms / 1000} seconds`
}

const FROM: Readonly<Record<Setting['from'], string>> = {
  default: 'As it comes',
  file: 'Your file',
  environment: 'Environment',
  flag: 'Start command'
}

export function fromWords(from: Setting['from']): string {
  return FROM[from]
}
