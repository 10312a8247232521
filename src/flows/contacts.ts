import { fromBase64url, toBase64url } from '../base/bytes.js'
import { badRequest, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { DAY, type Instant, isoOf } from '../base/time.js'
import type { AuditAbout, AuditCode } from '../policy/audit.js'
import { parseHandle } from '../wire/card.js'
import { LIMITS } from '../wire/limits.js'
import { type ContactLink, inviteId, inviteProof, proofKeyOf, readLink, writeLink } from '../wire/link.js'
import { type AgentBook, ownCard } from './agents.js'
import { record as audit } from './audit.js'
import { type Pair, chainOf, mayWrite, onlyPair } from './chain.js'
import { cardMembers, isChosen, withCard, without } from './contact.js'
import type { ContactBook } from './contact-book.js'
import type { OwnerDoor } from './doors.js'
import { agentPrefix, dueKey, inviteKey, nameKey } from './keys.js'
import type { Clock, Random, Store, Tx } from './ports.js'
import type { AgentRecord, ContactRecord, ContactState } from './records/contacts.js'
import type { StepTx, Steps } from './steps.js'
import type { ContactView, InviteView } from './views/contacts.js'
import type { Page } from './views/pages.js'

/** What the owner does with contacts: links out, links in, answers, names, and the end of it (protocols/contacts.md). */
export type Contacts = Pick<OwnerDoor, 'contacts' | 'invite' | 'addContact' | 'changeContact' | 'renameContact'>

type Action = Parameters<OwnerDoor['changeContact']>[0]['action']

/** Which states an action is possible in: a table, so that no button does something else than it says. */
const POSSIBLE: Readonly<Record<Action, readonly ContactState[]>> = {
  accept: ['pending'],
  decline: ['pending'],
  remove: ['requested', 'active'],
  block: ['requested', 'pending', 'active', 'removed'],
  unblock: ['blocked'],
  unfreeze: ['requested', 'active', 'removed', 'blocked']
}

const CODES: Readonly<Record<Action, AuditCode>> = {
  accept: 'contact.accepted',
  decline: 'contact.declined',
  remove: 'contact.removed',
  block: 'contact.blocked',
  unblock: 'contact.unblocked',
  unfreeze: 'contact.unfrozen'
}

/** A block on the other side is silent, so that its owner's new link comes to a contact which knows of nothing. */
const ALREADY_ACTIVE =
  'This agent is an active contact already. If nothing arrives there any more, make a link yourself and have its owner add it.'

/** Actions that tell the peer. */
const WRITES: readonly Action[] = ['accept', 'decline', 'remove']

export function createContacts(components: {
  readonly store: Store
  readonly steps: Steps
  readonly contacts: ContactBook
  readonly agents: AgentBook
  readonly clock: Clock
  readonly random: Random
}): Contacts {
  const { store, steps, contacts, agents, clock, random } = components

  async function list(options: { readonly agent?: string }): Promise<Result<Page<ContactView>>> {
    const agent = agents.pick(store, options.agent)
    if (!agent.ok) return agent
    const found = await store.range('contacts', { prefix: agentPrefix(agent.value.agent) })
    return steps.read((tx) => ok({ items: found.map(([, record]) => ownerContactView(tx, record)) }))
  }

  function invite(options: { readonly agent?: string; readonly secret: boolean }): Promise<Result<InviteView>> {
    return steps.run((tx) => {
      const agent = agents.pick(tx, options.agent)
      if (!agent.ok) return agent
      return ok(options.secret ? oneTimeLink(tx, agent.value, clock.now()) : { link: linkOf(agent.value) })
    })
  }

  /** Only what checks a proof is kept: who reads the store can't make the link again. */
  function oneTimeLink(tx: StepTx, agent: AgentRecord, now: Instant): InviteView {
    const secret = random.bytes(LIMITS.inviteBytes)
    const expiresAt = now + LIMITS.inviteDays * DAY
    const key = inviteKey(agent.agent, inviteId(secret))
    tx.put('invites', key, { id: inviteId(secret), proofKey: toBase64url(proofKeyOf(secret)), expiresAt })
    tx.put('due', dueKey(expiresAt, 'invite', key), { at: expiresAt, kind: 'invite', key })
    tell(tx, 'contact.invited', { agent: agent.agent, recordId: inviteId(secret) }, now)
    return { link: linkOf(agent, secret), expiresAt: isoOf(expiresAt) }
  }

  async function add(options: Parameters<OwnerDoor['addContact']>[0]): Promise<Result<ContactView>> {
    const link = readLink(options.link)
    if (!link.ok) return link
    const alias = options.alias === undefined ? ok(undefined) : parseHandle(options.alias)
    if (!alias.ok) return alias
    return steps.run((tx) => {
      const agent = agents.pick(tx, options.agent)
      if (!agent.ok) return agent
      if (link.value.agent === agent.value.agent) {
        return fail(badRequest('malformed_link', 'This link is of the very agent that would add it.', 'link'))
      }
      return request(tx, agent.value, link.value, alias.value, clock.now())
    })
  }

  /** An active contact that moved while we could not be told: its new link says where it is. */
  function readdressed(tx: StepTx, known: ContactRecord, link: ContactLink): Result<ContactView> {
    const cardText = toBase64url(link.cardBytes)
    const moved = contacts.refresh(tx, known, { card: link.card, cardText }, clock.now())
    if (moved.cardSeq === known.cardSeq) {
      return fail(conflict('contact_exists', ALREADY_ACTIVE))
    }
    tx.after({ do: 'reach', pair: onlyPair(known) })
    return ok(ownerContactView(tx, moved))
  }

  function request(
    tx: StepTx,
    agent: AgentRecord,
    link: ContactLink,
    alias: string | undefined,
    now: Instant
  ): Result<ContactView> {
    const pair = { agent: agent.agent, peer: link.agent }
    const known = contacts.find(tx, pair)
    if (known?.state === 'active') return readdressed(tx, known, link)
    if (known?.state === 'blocked') return fail(conflict('contact_exists', 'You blocked this agent. Unblock it first.'))
    if (alias !== undefined && isTaken(tx, pair, alias)) return fail(aliasTaken(alias))
    const may = mayWrite(tx, pair)
    if (!may.ok) return may
    const card = { card: link.card, cardText: toBase64url(link.cardBytes) }
    const record: ContactRecord = {
      ...(known === undefined ? { ...pair, ...cardMembers(card) } : without(withCard(known, card), 'reason')),
      state: 'requested',
      since: now,
      ...(alias === undefined ? {} : { alias })
    }
    contacts.save(tx, record)
    tell(tx, 'contact.requested', contactOf(record), now)
    const proof = link.invite === undefined ? {} : { proof: proofFor(link.invite, pair) }
    contacts.write(tx, pair, { kind: 'contact.request', body: { card: ownCard(tx, pair.agent), ...proof } }, now)
    return ok(ownerContactView(tx, record))
  }

  function change(options: Parameters<OwnerDoor['changeContact']>[0]): Promise<Result<ContactView>> {
    return steps.run((tx) => {
      const found = findContact(tx, options)
      if (!found.ok) return found
      const { state, frozen } = found.value
      if (!POSSIBLE[options.action].includes(state) || (options.action === 'unfreeze' && frozen === undefined)) {
        return fail(
          conflict('illegal_transition', `This contact is ${state}; ${options.action} is not possible.`, {
            status: state
          })
        )
      }
      const may = WRITES.includes(options.action) ? mayWrite(tx, found.value) : ok()
      if (!may.ok) return may
      perform(tx, found.value, options.action, clock.now())
      tell(tx, CODES[options.action], contactOf(found.value), clock.now())
      return ok(ownerContactView(tx, contacts.find(tx, found.value) ?? found.value))
    })
  }

  function perform(tx: StepTx, record: ContactRecord, action: Action, now: Instant): void {
    const plain = without(record, 'reason')
    switch (action) {
      case 'accept':
        contacts.save(tx, { ...plain, state: 'active', since: now })
        return contacts.write(tx, record, { kind: 'contact.accept', body: { card: ownCard(tx, record.agent) } }, now)
      case 'decline':
        contacts.save(tx, { ...record, state: 'removed', reason: 'declined_by_us', since: now })
        return contacts.write(tx, record, { kind: 'contact.decline', body: {} }, now)
      case 'remove':
        contacts.save(tx, { ...record, state: 'removed', reason: 'removed_by_us', since: now })
        contacts.write(tx, record, { kind: 'contact.remove', body: {} }, now)
        return tx.after({ do: 'hush', pair: onlyPair(record) })
      case 'block':
        contacts.save(tx, { ...plain, state: 'blocked', since: now })
        return tx.after({ do: 'cut', pair: onlyPair(record) })
      case 'unblock':
        return contacts.save(tx, { ...plain, state: 'removed', reason: 'unblocked', since: now })
      case 'unfreeze': {
        // The proof stays; what follows is measured against the branch that we hold.
        contacts.save(tx, without(record, 'frozen'))
        return tx.after({ do: 'deliver', pair: onlyPair(record), seq: chainOf(tx, record).out.seq })
      }
    }
  }

  async function rename(options: Parameters<OwnerDoor['renameContact']>[0]): Promise<Result<ContactView>> {
    const alias = parseHandle(options.alias)
    if (!alias.ok) return alias
    return steps.run((tx) => {
      const found = findContact(tx, options)
      if (!found.ok) return found
      if (isTaken(tx, found.value, alias.value)) return fail(aliasTaken(alias.value))
      const renamed = { ...found.value, alias: alias.value }
      contacts.save(tx, renamed)
      tell(tx, 'contact.renamed', contactOf(renamed), clock.now())
      return ok(ownerContactView(tx, renamed))
    })
  }

  function findContact(
    tx: Pick<Tx, 'get'>,
    options: { readonly agent?: string; readonly contact: string }
  ): Result<ContactRecord> {
    const agent = agents.pick(tx, options.agent)
    if (!agent.ok) return agent
    const found = contacts.resolve(tx, agent.value.agent, options.contact)
    if (found.ok) return found
    const message = `No contact is called ${options.contact}. \`agentlink contact list\` shows them.`
    return fail(refusal('not_found', message, { field: 'contact' }))
  }

  function isTaken(tx: Pick<Tx, 'get'>, pair: Pick<ContactRecord, 'agent' | 'peer'>, alias: string): boolean {
    const holder = tx.get('names', nameKey(pair.agent, alias))
    if (holder === undefined || holder === pair.peer) return false
    const other = contacts.find(tx, { agent: pair.agent, peer: holder })
    return other !== undefined && isChosen(other)
  }

  return { contacts: list, invite, addContact: add, changeContact: change, renameContact: rename }
}

function tell(tx: StepTx, what: AuditCode, about: AuditAbout, now: Instant): void {
  audit(tx, { at: now, who: { kind: 'owner' }, what, about })
}

function contactOf({ agent, peer: contact }: Pair): AuditAbout {
  return { agent, contact }
}

/** A contact as its owner sees it: with the node it lives on. */
function ownerContactView(tx: Pick<Tx, 'get'>, record: ContactRecord): ContactView {
  return { ...contactView(tx, record), peerId: record.peerId, addrs: record.addrs }
}

/** A contact as our agent sees it. */
export function contactView(tx: Pick<Tx, 'get'>, record: ContactRecord): ContactView {
  const chain = chainOf(tx, record)
  return {
    agent: record.peer,
    handle: record.handle,
    ...(record.alias === undefined ? {} : { alias: record.alias }),
    status: record.state,
    ...(record.reason === undefined ? {} : { reason: record.reason }),
    ...(record.frozen === undefined ? {} : { frozen: true }),
    since: isoOf(record.since),
    undelivered: record.state === 'requested' ? 0 : chain.out.seq - chain.acked
  }
}

function linkOf(agent: AgentRecord, invite?: Uint8Array): string {
  const card = fromBase64url(agent.card)
  if (card === undefined) throw new Error(`the card of ${agent.agent} is damaged`)
  return writeLink({ agent: agent.agent, card, ...(invite === undefined ? {} : { invite }) })
}

function proofFor(secret: Uint8Array, pair: Pick<ContactRecord, 'agent' | 'peer'>): { invite: string; mac: string } {
  return { invite: inviteId(secret), mac: inviteProof(secret, { from: pair.agent, to: pair.peer }) }
}

function aliasTaken(alias: string): ReturnType<typeof conflict> {
  return conflict('alias_taken', `Another contact is called ${alias}. Choose another name for this one.`, {
    field: 'alias'
  })
}
