import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { AgentId } from '../base/ids.js'
import { parseCapability } from '../policy/capability.js'
import type { Grant } from '../policy/grants.js'
import type { AgentRoster } from './agent-roster.js'
import type { AgentBook } from './agents.js'
import { createAuditLog } from './audit-log.js'
import type { Approvals } from './approvals.js'
import type { Calendars } from './calendars.js'
import type { Changes } from './changes.js'
import type { ContactBook } from './contact-book.js'
import { createContacts } from './contacts.js'
import type { OwnerDoor } from './doors.js'
import type { Health } from './health.js'
import type { HeldInvites } from './held-invites.js'
import { applyGrants, grantsOfAgent, removeGrant } from './grants.js'
import { createPayments } from './job-payments.js'
import { createLedgerDoor } from './ledger-door.js'
import type { OfferDoor } from './offer-door.js'
import type { OwnerWork } from './owner-work.js'
import type { Clock, Random, Store, Tx } from './ports.js'
import { createPresetDoor, grantView } from './presets.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import type { Transcripts } from './transcripts.js'
import type { TypeBook } from './type-book.js'
import { createTypeDoor } from './type-door.js'

const NO_SUCH_GRANT = refusal('not_found', 'There is no such grant. `agentlink grant list` shows them.', {
  field: 'capability'
})

/** What only the owner may do. */
export function createOwnerDoor(components: {
  readonly store: Store
  readonly changes: Changes
  readonly steps: Steps
  readonly agents: AgentBook
  readonly roster: AgentRoster
  readonly contacts: ContactBook
  readonly approvals: Approvals
  readonly types: TypeBook
  readonly held: HeldInvites
  readonly transcripts: Transcripts
  readonly calendars: Calendars
  readonly offers: OfferDoor['owner']
  readonly work: OwnerWork
  readonly health: Health
  readonly wallet: OwnerDoor['wallet']
  readonly book: TaskBook
  readonly clock: Clock
  readonly random: Random
}): OwnerDoor {
  const { store, steps, agents, contacts, approvals, transcripts, calendars, clock } = components

  interface Subject {
    readonly agent: AgentId
    readonly contact: AgentId | '*'
    readonly capability: string
  }

  /** Whom and what a grant speaks of. Refuses with `not_found`, `unknown_participant` or `unknown_capability`. */
  function subjectOf(
    tx: Pick<Tx, 'get'>,
    options: { readonly agent?: string; readonly contact: string; readonly capability: string }
  ): Result<Subject> {
    const agent = agents.pick(tx, options.agent)
    if (!agent.ok) return agent
    const capability = parseCapability(options.capability)
    if (!capability.ok) return capability
    if (options.contact === '*') return ok({ agent: agent.value.agent, contact: '*', capability: capability.value })
    const contact = contacts.resolve(tx, agent.value.agent, options.contact)
    if (!contact.ok) return contact
    return ok({ agent: agent.value.agent, contact: contact.value.peer, capability: capability.value })
  }

  return {
    ...createContacts(components),
    ...components.roster,
    ...components.offers,
    ...components.work,
    ...components.health,
    ...createTypeDoor(components),
    ...createLedgerDoor(components),
    ...createPresetDoor(components),
    watch: (told) => components.changes.watch(told),
    payments: createPayments(components),
    wallet: components.wallet,
    agents: () =>
      Promise.resolve({
        items: agents.all().flatMap((id) => {
          const found = agents.pick(store, id)
          return found.ok ? [{ agent: id, name: found.value.name, handle: found.value.handle }] : []
        })
      }),
    async calendar({ agent, taskUid }) {
      const picked = await steps.read((tx) => agents.pick(tx, agent))
      return picked.ok ? calendars.of(picked.value.agent, taskUid) : picked
    },
    async transcript({ agent, taskUid }) {
      const picked = await steps.read((tx) => agents.pick(tx, agent))
      return picked.ok ? transcripts.of(picked.value.agent, taskUid) : picked
    },
    grants: (options) =>
      steps.read((tx) => {
        const agent = agents.pick(tx, options.agent)
        return agent.ok ? ok({ items: grantsOfAgent(tx, agent.value.agent).map(grantView) }) : agent
      }),
    setGrant: (options) =>
      steps.run((tx) => {
        const subject = subjectOf(tx, options)
        if (!subject.ok) return subject
        const { agent, contact, capability } = subject.value
        const grant: Grant = { contact, capability, effect: options.effect }
        applyGrants(tx, agent, [grant], { at: clock.now() })
        return ok(grantView(grant))
      }),
    deleteGrant: (options) =>
      steps.run((tx) => {
        const subject = subjectOf(tx, options)
        if (!subject.ok) return subject
        const removed = removeGrant(tx, subject.value.agent, subject.value, clock.now())
        return removed === undefined ? fail(NO_SUCH_GRANT) : ok(grantView(removed))
      }),
    audit: createAuditLog(components),
    approvals: approvals.list,
    approval: approvals.show,
    answerApproval: approvals.answer
  }
}
