import { fromBase64url } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import { type DetailCode, type Refusal, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { type Card, openCard, replaces } from '../wire/card.js'
import { parseAgentId } from '../wire/keys.js'
import { proofOf } from '../wire/link.js'
import type { Content } from '../wire/message.js'
import { type Pair, appendOwn } from './chain.js'
import { putInInbox } from './inbox.js'
import { agentKey, inviteKey, nameKey, pairKey } from './keys.js'
import type { Keyring, Tx } from './ports.js'
import type { ContactRecord, ContactState } from './records.js'
import type { StepTx } from './steps.js'

/** The contacts of our agents: who may talk to them, and how that changes (protocols/contacts.md). */
export interface ContactBook {
  find(tx: Pick<Tx, 'get'>, pair: Pair): ContactRecord | undefined
  /** By `al1…`, alias or handle. Refuses with `unknown_participant`. */
  resolve(tx: Pick<Tx, 'get'>, agent: AgentId, participant: string): Result<ContactRecord>
  /** Stages a contact, and what follows from its state: its name, its reserved slots. */
  save(tx: StepTx, record: ContactRecord): void
  /** Stages a message of ours to the contact and its sending. Throws when it is too large: our own are not. */
  write(tx: StepTx, pair: Pair, content: Content, now: Instant): void
  /** Stages the effects of a contact message that stands in the peer's chain. */
  take(tx: StepTx, pair: Pair, content: Content, now: Instant): DetailCode | undefined
  /** A stranger's one request, which stands in no chain yet. Answers whether its secret opened the door at once. */
  knock(tx: StepTx, pair: Pair, request: Request, card: Card, cardText: string, now: Instant): 'active' | 'not_contact'
  /** Takes a newer card, if this is one. */
  refresh(tx: StepTx, record: ContactRecord, card: Card, cardText: string): ContactRecord
  freeze(tx: StepTx, pair: Pair, seq: number, now: Instant): void
}

type Request = Extract<Content, { kind: 'contact.request' }>['body']

export interface ContactBookOptions {
  /** How many strangers may wait for the owner's answer; what exceeds it is not stored (security research D8). */
  readonly pendingContacts: number
}

export function createContactBook(
  components: { readonly keyring: Keyring; readonly pendingCount: (agent: AgentId) => number },
  options: ContactBookOptions
): ContactBook {
  const { keyring, pendingCount } = components

  const find: ContactBook['find'] = (tx, pair) => tx.get('contacts', pairKey(pair.agent, pair.peer))

  const save: ContactBook['save'] = (tx, record) => {
    const before = find(tx, record)
    const name = record.alias ?? record.handle
    const old = before === undefined ? undefined : (before.alias ?? before.handle)
    if (old !== undefined && old !== name && tx.get('names', nameKey(record.agent, old)) === record.peer) {
      tx.del('names', nameKey(record.agent, old))
    }
    // First come, first served: a contact that suggests a handle in use is reached by its id or by the owner's alias.
    if (tx.get('names', nameKey(record.agent, name)) === undefined)
      tx.put('names', nameKey(record.agent, name), record.peer)
    tx.put('contacts', pairKey(record.agent, record.peer), record)
    tx.after({ do: 'contact', pair: record })
  }

  const write: ContactBook['write'] = (tx, pair, content, now) => {
    const sealed = appendOwn(tx, pair, { content }, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) throw new Error(`a contact message does not fit: ${sealed.refusal.message}`)
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
  }

  const refresh: ContactBook['refresh'] = (tx, record, card, cardText) => {
    if (card.seq === record.cardSeq || !replaces(cardOf(record), card).ok) return record
    const next = { ...record, ...cardMembers(card, cardText) }
    save(tx, next)
    return next
  }

  /** Both sides want it: active, and the peer is told. */
  function accept(tx: StepTx, record: ContactRecord, now: Instant): void {
    save(tx, { ...without(record, 'reason'), state: 'active', since: now })
    write(tx, record, { kind: 'contact.accept', body: { card: ownCard(tx, record.agent) } }, now)
    putInInbox(tx, { agent: record.agent, kind: 'contact.active', from: record.peer, at: now, content: {} })
  }

  function knock(
    tx: StepTx,
    pair: Pair,
    request: Request,
    card: Card,
    cardText: string,
    now: Instant
  ): 'active' | 'not_contact' {
    const known = find(tx, pair)
    if (known?.state === 'blocked' || known?.frozen !== undefined) return 'not_contact'
    const record: ContactRecord = {
      ...(known ?? { agent: pair.agent, peer: pair.peer, state: 'removed', since: now }),
      ...cardMembers(card, cardText)
    }
    if (opensDoor(tx, pair, request, now)) {
      accept(tx, record, now)
      return 'active'
    }
    const waits = known?.state === 'pending'
    if (!waits && pendingCount(pair.agent) >= options.pendingContacts) return 'not_contact'
    if (!waits || known.cardSeq < card.seq)
      save(tx, { ...without(record, 'reason'), state: 'pending', since: waits ? record.since : now })
    return 'not_contact'
  }

  /** The one-time secret of a link of ours, proved and still good; using it up is part of the same step. */
  function opensDoor(tx: StepTx, pair: Pair, request: Request, now: Instant): boolean {
    if (request.proof === undefined) return false
    const key = inviteKey(pair.agent, request.proof.invite)
    const invite = tx.get('invites', key)
    if (invite === undefined || invite.usedBy !== undefined || invite.expiresAt < now) return false
    const proofKey = fromBase64url(invite.proofKey)
    if (proofKey === undefined) throw new Error('an invite record is damaged')
    if (proofOf(proofKey, { from: pair.peer, to: pair.agent }) !== request.proof.mac) return false
    tx.put('invites', key, { ...invite, usedBy: pair.peer })
    return true
  }

  function take(tx: StepTx, pair: Pair, content: Content, now: Instant): DetailCode | undefined {
    const record = find(tx, pair)
    if (record === undefined) return 'not_contact'
    switch (content.kind) {
      case 'contact.request':
        // Both asked: that is an agreement. Otherwise the knock has done its work already.
        if (record.state === 'requested') accept(tx, record, now)
        return undefined
      case 'contact.accept':
        if (record.state !== 'requested') return undefined
        save(tx, { ...without(record, 'reason'), state: 'active', since: now })
        putInInbox(tx, { agent: record.agent, kind: 'contact.active', from: record.peer, at: now, content: {} })
        return takeCard(tx, pair, content.body.card)
      case 'contact.decline':
        if (record.state === 'requested') end(tx, record, 'declined', now)
        return undefined
      case 'contact.remove':
        if (record.state === 'active' || record.state === 'requested') end(tx, record, 'removed_by_peer', now)
        return undefined
      case 'card.update':
        return takeCard(tx, pair, content.body.card)
      default:
        return 'malformed_message'
    }
  }

  function end(tx: StepTx, record: ContactRecord, reason: string, now: Instant): void {
    save(tx, { ...record, state: 'removed', reason, since: now })
    putInInbox(tx, { agent: record.agent, kind: 'contact.removed', from: record.peer, at: now, content: { reason } })
  }

  function takeCard(tx: StepTx, pair: Pair, cardText: string): DetailCode | undefined {
    const record = find(tx, pair)
    const bytes = fromBase64url(cardText)
    const card = bytes === undefined ? undefined : openCard(bytes)
    if (record === undefined || card === undefined || !card.ok || card.value.agent !== pair.peer)
      return 'malformed_card'
    refresh(tx, record, card.value, cardText)
    return undefined
  }

  return {
    find,
    save,
    write,
    take,
    knock,
    refresh,
    resolve(tx, agent, participant) {
      const peer = participant.startsWith('@') ? tx.get('names', nameKey(agent, participant)) : asAgentId(participant)
      const record = peer === undefined ? undefined : find(tx, { agent, peer })
      return record === undefined ? fail(unknownParticipant(participant)) : ok(record)
    },
    freeze(tx, pair, seq, now) {
      const record = find(tx, pair)
      if (record === undefined || record.frozen !== undefined) return
      save(tx, { ...record, frozen: { at: now, seq } })
      putInInbox(tx, { agent: pair.agent, kind: 'contact.frozen', from: pair.peer, at: now, content: { seq } })
      tx.after({ do: 'cut', pair })
    }
  }
}

/** A task needs an active contact that is not frozen. Refuses with `not_contact` or `contact_frozen`. */
export function requireActive(record: ContactRecord): Result<void> {
  if (record.frozen !== undefined) {
    return fail(
      conflict(
        'contact_frozen',
        'This contact is frozen: its node signed two different messages with one number. The owner can run `agentlink contact unfreeze`.'
      )
    )
  }
  if (record.state === 'active') return ok()
  return fail(
    conflict('not_contact', `This contact is ${record.state}; only an active contact exchanges tasks.`, {
      status: record.state
    })
  )
}

/** What a card says, as the members of a contact record. */
export function cardMembers(
  card: Card,
  cardText: string
): Pick<ContactRecord, 'card' | 'cardSeq' | 'handle' | 'peerId' | 'addrs'> {
  return { card: cardText, cardSeq: card.seq, handle: card.handle, peerId: card.peerId, addrs: card.addrs }
}

/** The current card of one of our agents, as it stands in messages. */
export function ownCard(tx: Pick<Tx, 'get'>, agent: AgentId): string {
  const record = tx.get('agents', agentKey(agent))
  if (record === undefined || record.card === '') throw new Error(`agent ${agent} has no card yet`)
  return record.card
}

/** Whether bytes may flow with this contact at all: what a hello is checked for. */
export function isAdmitted(record: ContactRecord | undefined): record is ContactRecord {
  const open: readonly ContactState[] = ['active', 'requested']
  return record !== undefined && record.frozen === undefined && open.includes(record.state)
}

export function unknownParticipant(participant: string): Refusal {
  return refusal('bad_request', `No contact is called ${participant}. GET /v1/agent/contacts lists them.`, {
    code: 'unknown_participant',
    field: 'participant'
  })
}

function cardOf(record: ContactRecord): Card | undefined {
  const bytes = fromBase64url(record.card)
  const card = bytes === undefined ? undefined : openCard(bytes)
  return card?.ok === true ? card.value : undefined
}

function asAgentId(text: string): AgentId | undefined {
  const id = parseAgentId(text)
  return id.ok ? id.value : undefined
}

function without<K extends keyof ContactRecord>(record: ContactRecord, key: K): Omit<ContactRecord, K> {
  const { [key]: _, ...rest } = record
  return rest
}
