/**
 * What the audit log says of attempts that were refused, however many there are: each kind once, its repeats as one
 * number. So nobody can grow the log without limit, and nothing goes uncounted. Source: protocols/audit.md, "Denials".
 */
import { canonicalText } from '../base/canonical.js'
import type { Json } from '../base/json.js'
import { HOUR, type Instant } from '../base/time.js'
import type { AuditAbout, AuditCode, AuditDraft, AuditUnder, AuditWho } from './audit.js'

type DenialCode = Extract<AuditCode, `${string}.denied` | 'call.refused'>

/** An attempt that was refused. */
export interface Denial {
  readonly who: AuditWho
  readonly what: DenialCode
  readonly about: AuditAbout
  readonly under?: AuditUnder
}

/** What was refused to one caller under one code, from its first denial on. */
export interface DenialWindow {
  readonly what: DenialCode
  readonly since: Instant
  /** From then on it is over: what was counted is told. */
  readonly until: Instant
  /** The kinds that have their entry, in order, with how often each came again. */
  readonly told: readonly { readonly about: AuditAbout; readonly times: number }[]
  /** How many were of yet other kinds. */
  readonly more: number
}

/** How long repeats are counted before the number is told. */
const WINDOW = HOUR
/** Kinds that have an entry of their own in one window: more than an honest program meets, few enough to read. */
const KINDS = 20

/** Takes one denial: the window after it, and the entries to write. A window that is over is closed first. */
export function countDenial(
  window: DenialWindow | undefined,
  denial: Denial,
  now: Instant
): { readonly window: DenialWindow; readonly drafts: readonly AuditDraft[] } {
  if (window !== undefined && !isOpen(window, now)) {
    const next = countDenial(undefined, denial, now)
    return { window: next.window, drafts: [...closeWindow(window, now), ...next.drafts] }
  }
  const { what } = denial
  const open = window ?? { what, since: now, until: now + WINDOW, told: [], more: 0 }
  const about = kindOf(denial.about)
  const known = open.told.findIndex((each) => canonicalOf(each.about) === canonicalOf(about))
  if (known >= 0) {
    const told = open.told.map((each, at) => (at === known ? { ...each, times: each.times + 1 } : each))
    return { window: { ...open, told }, drafts: [] }
  }
  if (open.told.length >= KINDS) return { window: { ...open, more: open.more + 1 }, drafts: [] }
  return { window: { ...open, told: [...open.told, { about, times: 0 }] }, drafts: [{ ...denial, at: now }] }
}

/** Whether a denial of now still belongs to it; before its beginning is after a clock that jumped back. */
export function isOpen({ since, until }: DenialWindow, now: Instant): boolean {
  return since <= now && now < until
}

/** The entries that tell what was counted: one for each kind that came again, and one for all other kinds together. */
export function closeWindow({ what, told, more }: DenialWindow, now: Instant): readonly AuditDraft[] {
  const counted = (about: AuditAbout, times: number): AuditDraft => ({
    at: now,
    who: { kind: 'node' },
    what: 'denials.counted',
    about: { ...about, code: what },
    times
  })
  const again = told.filter(({ times }) => times > 0).map(({ about, times }) => counted(about, times))
  const agent = told[0]?.about.agent
  return more === 0 ? again : [...again, counted(agent === undefined ? {} : { agent }, more)]
}

/** What two denials of one kind have in common: a new task or approval makes no new kind. */
function kindOf({ agent, contact, capability, capabilities, action, route, code }: AuditAbout): AuditAbout {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(contact === undefined ? {} : { contact }),
    ...(capability === undefined ? {} : { capability }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(action === undefined ? {} : { action }),
    ...(route === undefined ? {} : { route }),
    ...(code === undefined ? {} : { code })
  }
}

function canonicalOf(about: AuditAbout): string {
  return canonicalText(about as unknown as Json)
}
