import type { AnswerOf } from '../../api/contract.js'
import { rowIn } from '../../api/words/known.js'
import { addressOf } from './place.js'

/** Settings as an owner reads them: by subject, each value in words, and where it is from. */

export type Setting = AnswerOf<'owner.settings.list'>['items'][number]
type Value = NonNullable<Setting['value']>

/** A part of the page, to which a link leads. */
export interface Part {
  /** Stands in the address, and is the end of the id of the heading. */
  readonly part: string
  readonly title: string
}

export interface Subject extends Part {
  /** The section of the file; empty for what stands above all sections. */
  readonly section: string
  readonly settings: readonly Setting[]
}

/** What stands above the settings. No section has a dash in its name, so that none is taken for one of these. */
export const NODE_PARTS = {
  node: { part: 'this-node', title: 'Your node' },
  sessions: { part: 'signed-in', title: 'Signed in' },
  safekeeping: { part: 'keep-safe', title: 'Keep it safe' }
} as const satisfies Record<string, Part>

const ABOVE_SECTIONS = 'top-level'

const TITLES: Readonly<Record<string, string>> = {
  '': 'Your agent’s handle',
  net: 'How other nodes reach yours',
  limits: 'Connections from other nodes',
  api: 'Programs on this machine',
  delivery: 'Sending messages',
  contacts: 'Contact requests',
  approvals: 'Questions to you',
  chain: 'Chain for paid jobs',
  spend: 'Spending limits',
  quotas: 'Limits on open work',
  log: 'The node’s log'
}

/** In the order in which the node has them; a section that this page doesn't know goes by its own name. */
export function subjectsOf(settings: readonly Setting[]): Subject[] {
  const sections = [...new Set(settings.map(({ key }) => sectionOf(key)))]
  return sections.map((section) => ({
    part: section === '' ? ABOVE_SECTIONS : section,
    section,
    title: rowIn(TITLES, section) ?? section,
    settings: settings.filter(({ key }) => sectionOf(key) === section)
  }))
}

/** Id of the heading of a part. */
export function headingOf(part: string): string {
  return `settings-${part}`
}

/** The address of the part in which a setting such as `net.listen` stands. */
export function placeOfSetting(key: string): string {
  return addressOf(['settings'], { part: sectionOf(key) || ABOVE_SECTIONS })
}

function sectionOf(key: string): string {
  const at = key.indexOf('.')
  return at === -1 ? '' : key.slice(0, at)
}

/** The key as the file takes it, under the head of its section. */
export function keyInSection({ key }: Setting): string {
  return key.slice(key.indexOf('.') + 1)
}

/** `yes`, `none`, `300000 (5 minutes)`. */
export function valueWords(name: string, value: Value | undefined): string {
  if (value === undefined) return 'not set'
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
  default: 'Default',
  file: 'config.toml',
  environment: 'Environment',
  flag: 'Start command'
}

/** What gave a setting its value. */
export function fromWords(from: Setting['from']): string {
  return FROM[from]
}
