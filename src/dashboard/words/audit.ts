import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { capabilityWords } from './capabilities.js'

/** Entries of the audit log as sentences; the exact code always stands beside them. Source: protocols/audit.md. */

export type Entry = AnswerOf<'owner.audit.list'>['items'][number]
type Code = Entry['what']

/** What was done, as the end of a sentence that begins with who did it. */
const DONE: Readonly<Record<Code, string>> = {
  'grant.set': 'set a rule',
  'grant.deleted': 'took a rule back',
  'preset.applied': 'put a set of rules in place',
  'approval.asked': 'gave rise to a question to you',
  'approval.answered': 'answered a question',
  'approval.expired': 'let a question run out',
  'approval.stale': 'dropped a question that was overtaken',
  'approval.used': 'spent a yes on what it was given for',
  'disclosure.sent': 'sent a plan',
  'disclosure.denied': 'was refused a plan',
  'action.recorded': 'recorded an action',
  'action.denied': 'was refused an action',
  'task.created': 'began a task',
  'task.received': 'began a task here',
  'task.proposed': 'sent a plan',
  'task.accepted': 'accepted a plan',
  'task.rejected': 'rejected a plan',
  'task.confirmed': 'told of an action',
  'task.cancelled': 'cancelled a task',
  'task.refused': 'refused a message',
  'task.expired': 'ended a task whose time was over',
  'contact.invited': 'made a contact link',
  'contact.requested': 'asked for contact',
  'contact.accepted': 'accepted a contact',
  'contact.declined': 'declined a contact',
  'contact.removed': 'ended a contact',
  'contact.blocked': 'blocked a contact',
  'contact.unblocked': 'lifted a block',
  'contact.frozen': 'froze a contact that signed two messages under one number',
  'contact.unfrozen': 'went on with a frozen contact',
  'contact.renamed': 'renamed a contact',
  'contact.moved': 'moved to another node',
  'type.installed': 'installed a task type',
  'type.retired': 'retired a task type',
  'type.declined': 'declined a task type',
  'node.restored': 'came out of a backup',
  'messages.mended': 'fetched messages again that the store had lost',
  'agent.added': 'added an agent',
  'agent.revoked': 'ended an agent',
  'token.rotated': 'gave an agent a new token',
  'ledger.changed': 'changed the tools of an agent',
  'envelope.submitted': 'handed over work',
  'envelope.received': 'handed work to us',
  'envelope.claimed': 'took work on',
  'envelope.status': 'said how work stands',
  'envelope.answered': 'answered a question about work',
  'envelope.resolved': 'told the outcome of work that other work waits for',
  'envelope.completed': 'completed work',
  'envelope.failed': 'said that work failed',
  'envelope.rejected': 'rejected work',
  'envelope.cancelled': 'cancelled work',
  'envelope.verdict': 'gave a second opinion on work',
  'job.offered': 'changed what is offered',
  'job.paying': 'promised a payment',
  'job.paid': 'proved a payment',
  'job.unpaid': 'found a promised payment dead',
  'job.delivered': 'delivered a job',
  'job.completed': 'completed a job',
  'payment.denied': 'was refused a payment',
  'call.refused': 'was refused a call',
  'denials.counted': 'counted denials'
}

/** Names of our agents and of contacts by their ids. */
export type NameOf = (id: string) => string

/** Every code, by family, as a list to choose from. */
export const AUDIT_CHOICES: ReadonlyArray<readonly [value: string, text: string]> = [
  ['', 'everything'],
  ...[...new Set(Object.keys(DONE).map((code) => code.split('.')[0] as string))].map(
    (family) => [family, `${family}: all`] as const
  ),
  ...Object.keys(DONE).map((code) => [code, code] as const)
]

/** `You set a rule`, `Your agent work sent a plan`. A code of a newer node is shown as it is. */
export function sentenceOf(entry: Entry, nameOf: NameOf): string {
  const done = Object.hasOwn(DONE, entry.what) ? DONE[entry.what] : `did ${visible(entry.what)}`
  return `${whoOf(entry, nameOf)} ${done}${entry.times === undefined ? '' : ` (${entry.times} times)`}`
}

function whoOf({ who }: Entry, nameOf: NameOf): string {
  if (who.kind === 'owner') return 'You'
  if (who.kind === 'node') return 'The node'
  if (who.kind === 'unknown' || who.id === undefined) return 'Somebody without a valid token'
  return who.kind === 'agent' ? `Your agent ${nameOf(who.id)}` : nameOf(who.id)
}

/** What it was about beyond contact and task, name by name. */
export function particularsOf({ about }: Entry): Array<readonly [name: string, text: string]> {
  const effects = [about.was, about.effect].filter((part) => part !== undefined).join(' → ')
  const rows: Array<readonly [string, string | undefined]> = [
    ['Rule', effects],
    ['Answer', about.decision],
    ['Scope', about.scope],
    ['Set of rules', about.preset],
    ['Kind', about.kind],
    ['Action', about.action],
    ['Code', about.code],
    ['Route', about.route],
    ['Type', about.type],
    ['Record', about.recordId],
    ['Message', about.messageId],
    ['Question', about.approvalId]
  ]
  const said = rows.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [[name, visible(text)] as const]
  )
  const one = about.capability === undefined ? [] : [['Capability', capabilityWords(about.capability)] as const]
  const many = about.capabilities?.map(capabilityWords).join(', ') ?? ''
  return [...one, ...(many === '' ? [] : [['Capabilities', many] as const]), ...said]
}

/** What allowed or denied it, in a few words; nothing where nothing is said of it. */
export function underWords({ under }: Entry, nameOf: NameOf): string | undefined {
  if (under === undefined) return undefined
  const rules = (under.grants ?? []).map(
    ({ contact, capability, effect }) =>
      `${visible(capability)} ${effect} for ${contact === '*' ? 'everybody' : nameOf(contact)}`
  )
  const yes = under.approvalId === undefined ? [] : [`your answer ${visible(under.approvalId)}`]
  return [...rules, ...yes].join(', ')
}
