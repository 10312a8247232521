import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { type AuditCode, DEEDS, type Deed, FAMILIES } from './audit-deeds.js'
import { capabilityWords } from './capabilities.js'
import { rowIn } from '../../api/words/known.js'
import { EVERYBODY } from './rules.js'

/** Entries of the audit log as sentences; the exact code always stands beside them. Source: protocols/audit.md. */

export type Entry = AnswerOf<'owner.audit.list'>['items'][number]

/** Names of our agents and of contacts by their ids. */
export type NameOf = (id: string) => string

/** Every code, by family, as a list to choose from. */
export const AUDIT_CHOICES: ReadonlyArray<readonly [value: string, text: string]> = [
  ['', 'Everything'],
  ...Object.entries(FAMILIES).flatMap(([family, title]) => {
    const codes = (Object.keys(DEEDS) as AuditCode[]).filter((code) => code.startsWith(`${family}.`))
    const each = codes.map((code) => [code, `${title}: ${DEEDS[code].ours} (${code})`] as const)
    return codes.length === 1 ? each : [[family, `${title}: all`] as const, ...each]
  })
]

/** `You made or changed a rule for @bob: What you want to spend`. A code of a newer node is shown as it is. */
export function sentenceOf(entry: Entry, nameOf: NameOf): string {
  const deed = rowIn<Deed>(DEEDS, entry.what) ?? { ours: `did ${visible(entry.what)}` }
  const done = entry.who.kind === 'peer' && deed.theirs !== undefined ? deed.theirs : oursOf(deed, entry, nameOf)
  const times = entry.times === undefined ? '' : ` (${entry.times} times)`
  return `${whoOf(entry, nameOf)} ${done}${subjectOf(entry)}${times}`
}

function oursOf(deed: Deed, { about, who }: Entry, nameOf: NameOf): string {
  const whom = about.contact === undefined || about.contact === who.id ? undefined : contactName(about.contact, nameOf)
  const named = whom === undefined ? '' : `${deed.contact ?? ', with '}${whom}`
  const agent = deed.agent === undefined || about.agent === undefined ? '' : `${deed.agent}${nameOf(about.agent)}`
  return `${deed.ours}${agent}${named}`
}

/** What it was about in the words of the owner's rules, and the answer of an answered question. */
function subjectOf({ about }: Entry): string {
  const names = [...(about.capability === undefined ? [] : [about.capability]), ...(about.capabilities ?? [])]
  const parts = [...names.map(capabilityWords), ...(about.decision === undefined ? [] : [ANSWERS[about.decision]])]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function whoOf({ who }: Entry, nameOf: NameOf): string {
  if (who.kind === 'owner') return 'You'
  if (who.kind === 'node') return 'The node'
  if (who.kind === 'unknown' || who.id === undefined) return 'Somebody without a valid token'
  return who.kind === 'agent' ? `Your agent ${nameOf(who.id)}` : nameOf(who.id)
}

function contactName(id: string, nameOf: NameOf): string {
  return id === EVERYBODY ? 'everybody' : nameOf(id)
}

/** All that the sentence does not say, name by name. */
export function particularsOf({ about }: Entry, nameOf: NameOf): Array<readonly [name: string, text: string]> {
  const rows: Array<readonly [string, string | undefined]> = [
    ['Rule', [about.was, about.effect].filter((part) => part !== undefined).join(' → ')],
    ['Your answer holds', about.scope === undefined ? undefined : SCOPES[about.scope]],
    ['Set of rules', about.preset],
    ['Kind of question', about.kind],
    ['Action', about.action],
    ['Reason', about.code],
    ['Call', about.route],
    ['Hash of the task type', about.type],
    ['Record id', about.recordId],
    ['Message id', about.messageId],
    ['Question id', about.approvalId]
  ]
  const agent = about.agent === undefined ? [] : [['Your agent', nameOf(about.agent)] as const]
  const said = rows.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [[name, visible(text)] as const]
  )
  return [...agent, ...said]
}

const ANSWERS = { approve: 'yes', deny: 'no' } as const

const SCOPES = {
  once: 'this once',
  contact: 'for this contact from then on',
  always: 'for everybody from then on'
} as const

/** What allowed or denied it, in a few words; nothing where nothing is said of it. */
export function underWords({ under }: Entry, nameOf: NameOf): string | undefined {
  if (under === undefined) return undefined
  const rules = (under.grants ?? []).map(
    ({ contact, capability, effect }) =>
      `your rule for ${contactName(contact, nameOf)} (${visible(capability)}: ${effect})`
  )
  const yes = under.approvalId === undefined ? [] : [`your answer to question ${visible(under.approvalId)}`]
  return [...rules, ...yes].join(', ')
}
