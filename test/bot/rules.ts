/**
 * What the owner of the attacked node said, and what each message needs, written down apart from the code under test: by
 * the names of fields as the seed and the type above give them, and by the kinds of messages (protocols/envelopes.md).
 */
import type { JsonObject } from '../../src/base/json.js'

export type Effect = 'allow' | 'ask' | 'deny'
export type Peer = 'bob' | 'carol'

/** Denied to everybody, for good: what stands under these never leaves. */
export const DENIED = ['disclose.dietary', 'disclose.budget', 'disclose.x.secret'] as const

/** Bob is somebody whom the owner is asked about, carol somebody well known; where nothing stands it is `ask`. */
export const RULES: Readonly<Record<Peer, Readonly<Record<string, Effect>>>> = {
  bob: {
    'action.calendar.hold': 'deny'
  },
  carol: {
    'disclose.availability': 'allow',
    'disclose.preferences': 'allow',
    'disclose.notes': 'allow',
    'disclose.x.asked': 'allow',
    'action.reservation.book': 'allow',
    'delegate.submit': 'deny',
    'delegate.report': 'allow'
  }
}

export function effectOf(peer: Peer, capability: string): Effect {
  if ((DENIED as readonly string[]).includes(capability)) return 'deny'
  return RULES[peer][capability] ?? 'ask'
}

const DINNER: Readonly<Record<string, string>> = {
  date: 'disclose.availability',
  time: 'disclose.availability',
  timezone: 'disclose.availability',
  cuisine: 'disclose.preferences',
  dietaryNotes: 'disclose.dietary',
  budgetPerPerson: 'disclose.budget',
  notes: 'disclose.notes'
}

/** The capabilities that a proposal needs, by the names of its fields. */
function capabilitiesIn(proposal: JsonObject): string[] {
  const needed = Object.keys(proposal).flatMap((name) => {
    if (/^secret[A-Z]/.test(name)) return 'disclose.x.secret'
    if (/^asked[A-Z]/.test(name)) return 'disclose.x.asked'
    return Object.hasOwn(DINNER, name) ? (DINNER[name] ?? []) : []
  })
  return [...new Set(needed)]
}

/** What of a message the owner must have opened: the capabilities, and the exact part that a yes would be bound to. */
export interface Guarded {
  readonly capabilities: readonly string[]
  readonly content: JsonObject
}

/** Undefined: a message of this kind holds nothing that an agent could choose freely. */
export function guardedIn(kind: string, body: JsonObject): Guarded | undefined {
  const named = (capability: string): Guarded => ({ capabilities: [capability], content: body })
  switch (kind) {
    case 'task.invite':
    case 'task.propose': {
      const proposal = body['proposal'] as JsonObject
      return { capabilities: capabilitiesIn(proposal), content: proposal }
    }
    case 'task.confirm':
      return named(`action.${String(body['action'])}`)
    case 'envelope.submit':
      return { capabilities: ['delegate.submit'], content: body['contract'] as JsonObject }
    case 'envelope.answer':
      return named('delegate.submit')
    case 'envelope.result':
      return named('delegate.report')
    case 'envelope.verdict':
      return 'note' in body || 'run' in body ? named('delegate.submit') : undefined
    case 'envelope.status':
    case 'envelope.reject':
      return 'reason' in body ? named('delegate.report') : undefined
    default:
      return undefined
  }
}

/** Kinds that may leave without any rule: codes, numbers, what the node itself says. */
export const FREE_KINDS: readonly string[] = [
  'contact.request',
  'contact.accept',
  'card.update',
  'task.respond',
  'task.cancel',
  'task.refuse',
  'envelope.claim',
  'envelope.cancel',
  'envelope.resolve',
  'envelope.status',
  'envelope.reject',
  'envelope.verdict'
]
