import { type AgentId, parseTaskUid } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { instantOf } from '../base/time.js'
import { AUDIT_CODES, type AuditEntry, readEntry } from '../policy/audit.js'
import { parseAgentId } from '../wire/keys.js'
import type { AgentBook } from './agents.js'
import { auditHead } from './audit.js'
import type { ContactBook } from './contact-book.js'
import type { AuditFilter, OwnerDoor } from './doors.js'
import { countPart } from './keys.js'
import type { Store } from './ports.js'
import type { AuditPage } from './views/pages.js'

/** The audit log as its owner reads it: newest first, by agent, contact, task, code and time. */

/** Entries looked through for one page: a filter that matches little must not hold up the node. */
const LOOKED_AT = 2000
const CHUNK = 200

type Wanted = (entry: AuditEntry) => boolean

export function createAuditLog(components: {
  readonly store: Store
  readonly agents: AgentBook
  readonly contacts: ContactBook
}): OwnerDoor['audit'] {
  const { store, agents, contacts } = components

  /** An id as it stands, since the log tells of agents and contacts that are gone; or a name that is in use. */
  function agentOf(word: string): Result<AgentId> {
    const id = parseAgentId(word)
    if (id.ok) return id
    const found = agents.pick(store, word)
    return found.ok ? ok(found.value.agent) : found
  }

  function contactOf(word: string, agent: string | undefined): Result<AgentId | '*'> {
    if (word === '*') return ok('*')
    const id = parseAgentId(word)
    if (id.ok) return id
    const owner = agents.pick(store, agent)
    if (!owner.ok) return owner
    const found = contacts.resolve(store, owner.value.agent, word)
    return found.ok ? ok(found.value.peer) : found
  }

  /** What the filter asks for. Refuses with the member that can't be read. */
  function wantedBy(filter: AuditFilter): Result<Wanted> {
    const tests: Wanted[] = []
    if (filter.agent !== undefined) {
      const agent = agentOf(filter.agent)
      if (!agent.ok) return agent
      tests.push(({ who, about }) => about.agent === agent.value || who.id === agent.value)
    }
    if (filter.contact !== undefined) {
      const contact = contactOf(filter.contact, filter.agent)
      if (!contact.ok) return contact
      tests.push(({ about }) => about.contact === contact.value)
    }
    if (filter.task !== undefined) {
      const uid = parseTaskUid(filter.task, 'task')
      if (!uid.ok) return uid
      tests.push(({ about }) => about.taskUid === uid.value)
    }
    const named = byName(filter)
    if (!named.ok) return named
    const timed = byTime(filter)
    if (!timed.ok) return timed
    return ok((entry) => [...tests, named.value, timed.value].every((test) => test(entry)))
  }

  return async ({ limit, after, ...filter }) => {
    const wanted = wantedBy(filter)
    if (!wanted.ok) return wanted
    await store.durable().catch(() => undefined)
    const head = auditHead(store)
    const items: AuditEntry[] = []
    let before = after ?? head.seq + 1
    let left = LOOKED_AT
    while (left > 0 && before > 1) {
      const chunk = await store.range('audit', {
        prefix: '',
        before: countPart(before),
        reverse: true,
        limit: Math.min(CHUNK, left)
      })
      for (const [key, bytes] of chunk) {
        if (items.length === limit) return ok(pageOf(items, head, before))
        before = Number(key)
        const entry = readEntry(bytes)
        if (entry !== undefined && wanted.value(entry)) items.push(entry)
      }
      if (chunk.length === 0) break
      left -= chunk.length
    }
    return ok(pageOf(items, head, before))
  }
}

/** `next` is where the looking stopped: below entry 1 there is nothing. */
function pageOf(items: readonly AuditEntry[], head: AuditPage['head'], before: number): AuditPage {
  return { items, head: { seq: head.seq, hash: head.hash }, ...(before > 1 ? { next: String(before) } : {}) }
}

/** The codes of the same family, where there is one; else the families. */
function whatThereIs(what: string): string {
  const family = AUDIT_CODES.filter((code) => familyOf(code) === familyOf(what))
  if (family.length > 0) return `what must be one of ${familyOf(what)}, ${family.join(', ')}`
  const families = [...new Set(AUDIT_CODES.map(familyOf))]
  return `what must be a code of the audit log, or the part before its dot: ${families.join(', ')}`
}

function familyOf(code: string): string {
  return code.split('.')[0] as string
}

/** By a code, or by everything before its dot: `grant` means all of `grant.…`; and by capability. */
function byName({ what, capability }: AuditFilter): Result<Wanted> {
  const unknown = what !== undefined && !AUDIT_CODES.some((code) => code === what || code.startsWith(`${what}.`))
  if (unknown) return fail(badRequest('invalid_field', whatThereIs(what), 'what'))
  const isNamed: Wanted = (entry) => what === undefined || entry.what === what || entry.what.startsWith(`${what}.`)
  const speaksOf: Wanted = ({ about }) =>
    capability === undefined || about.capability === capability || (about.capabilities ?? []).includes(capability)
  return ok((entry) => isNamed(entry) && speaksOf(entry))
}

/** From `since` on, and before `until`: texts of one form, which sort as the times do. */
function byTime({ since, until }: AuditFilter): Result<Wanted> {
  for (const [field, text] of Object.entries({ since, until })) {
    if (text === undefined || instantOf(text) !== undefined) continue
    return fail(badRequest('invalid_field', `${field} must look like 2026-12-02T09:00:00.000Z`, field))
  }
  return ok(({ at }) => (since === undefined || at >= since) && (until === undefined || at < until))
}
