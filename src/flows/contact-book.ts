import { fromBase64url } from '../base/bytes.js'
import type { AgentId, MessageId } from '../base/ids.js'
import { type DetailCode, type Refusal, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { AuditCode } from '../policy/audit.js'
import { openCard } from '../wire/card.js'
import { parseAgentId } from '../wire/keys.js'
import { proofOf } from '../wire/link.js'
import type { Content } from '../wire/message.js'
import { ownCard } from './agents.js'
import { record as audit } from './audit.js'
import { type Pair, appendOwn, mayWrite, onlyPair } from './chain.js'
import { type CardOf, admits, cardMembers, isAdmitted, isChosen, nameOf, withCard, without } from './contact.js'
import { forgetOffers, forgetTold } from './forget-offers.js'
import { changeDesk, deskOf, putInInbox } from './inbox.js'
import { inviteKey, nameKey, pairKey } from './keys.js'
import type { Keyring, Tx } from './ports.js'
import type { ContactRecord } from './records/contacts.js'
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
  take(tx: StepTx, pair: Pair, message: Said, now: Instant): DetailCode | undefined
  /** A stranger's one request, which stands in no chain yet. Answers whether the door is open now. */
  knock(tx: StepTx, pair: Pair, request: Request, hello: CardOf, now: Instant): 'admitted' | 'not_contact'
  /** Takes a newer card, if this is one. */
  refresh(tx: StepTx, record: ContactRecord, hello: CardOf, now: Instant): ContactRecord
  freeze(tx: StepTx, pair: Pair, seq: number, now: Instant): void
}

interface Said {
  readonly id: MessageId
  readonly content: Content
}

type Request = Extract<Content, { kind: 'contact.request' }>['body'] & { readonly id: MessageId }

export interface ContactBookOptions {
  /** How many strangers may wait for the owner's answer; what exceeds it is not stored. */
  readonly pendingContacts: number
}

export function createContactBook(components: { readonly keyring: Keyring }, options: ContactBookOptions): ContactBook {
  const { keyring } = components

  const find: ContactBook['find'] = (tx, pair) => tx.get('contacts', pairKey(pair.agent, pair.peer))

  const save: ContactBook['save'] = (tx, record) => {
    const before = find(tx, record)
    rename(tx, before, record)
    tx.put('contacts', pairKey(record.agent, record.peer), record)
    if (record.state !== 'active') forgetOffers(tx, record)
    const strangers = Number(record.state === 'pending') - Number(before?.state === 'pending')
    if (strangers !== 0) changeDesk(tx, record.agent, (desk) => ({ strangers: desk.strangers + strangers }))
    tx.after({ do: 'contact', pair: onlyPair(record) })
  }

  /**
   * First come, first served: a contact that suggests a handle in use is reached by its id or by the owner's alias. But
   * whom the owner did not choose, a stranger say, can't keep a name from one that the owner did.
   */
  function rename(tx: Tx, before: ContactRecord | undefined, record: ContactRecord): void {
    const old = before === undefined ? undefined : nameOf(before)
    const key = nameKey(record.agent, nameOf(record))
    if (old !== undefined && old !== nameOf(record) && tx.get('names', nameKey(record.agent, old)) === record.peer) {
      tx.del('names', nameKey(record.agent, old))
    }
    const holder = tx.get('names', key)
    const yields = holder !== undefined && isChosen(record) && !holdsName(tx, { agent: record.agent, peer: holder })
    if (holder === undefined || yields) tx.put('names', key, record.peer)
  }

  function holdsName(tx: Pick<Tx, 'get'>, pair: Pair): boolean {
    const holder = find(tx, pair)
    return holder !== undefined && isChosen(holder)
  }

  const write: ContactBook['write'] = (tx, pair, content, now) => {
    const sealed = appendOwn(tx, pair, { content }, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) throw new Error(`a contact message does not fit: ${sealed.refusal.message}`)
    tx.after({ do: 'deliver', pair: onlyPair(pair), seq: sealed.value.header.seq })
  }

  const refresh: ContactBook['refresh'] = (tx, record, hello, now) => {
    const next = withCard(record, hello)
    if (next === record) return next
    save(tx, next)
    if (next.peerId !== record.peerId) tell(tx, record, 'contact.moved', 'peer', now)
    return next
  }

  function writeAccept(tx: StepTx, pair: Pair, now: Instant): void {
    write(tx, pair, { kind: 'contact.accept', body: { card: ownCard(tx, pair.agent) } }, now)
  }

  /** A contact that has lost us knows nothing of what it was told before. */
  function acceptAgain(tx: StepTx, pair: Pair, now: Instant): void {
    writeAccept(tx, pair, now)
    forgetTold(tx, pair)
    tx.after({ do: 'contact', pair: onlyPair(pair) })
  }

  /** Both sides want it: active, and the peer is told. */
  function accept(tx: StepTx, record: ContactRecord, now: Instant): void {
    save(tx, { ...without(record, 'reason'), state: 'active', since: now })
    tell(tx, record, 'contact.accepted', 'node', now)
    writeAccept(tx, record, now)
    putInInbox(tx, { agent: record.agent, kind: 'contact.active', from: record.peer, at: now, content: {} })
  }

  function knock(tx: StepTx, pair: Pair, request: Request, hello: CardOf, now: Instant): 'admitted' | 'not_contact' {
    const known = find(tx, pair)
    // The owner may have answered while the request was on its way.
    if (known !== undefined && isAdmitted(known)) return admits(known, hello.card) ? 'admitted' : 'not_contact'
    if (known?.state === 'blocked' || known?.frozen !== undefined) return 'not_contact'
    const fresh = { ...pair, state: 'removed', since: now, ...cardMembers(hello) } as const
    const carded = known === undefined ? fresh : withCard(known, hello)
    const record: ContactRecord = { ...carded, asked: request.id }
    if (mayWrite(tx, pair).ok && opensDoor(tx, pair, request, now)) {
      accept(tx, record, now)
      return 'admitted'
    }
    const waits = known?.state === 'pending'
    if (waits && carded === known && known.asked === request.id) return 'not_contact'
    if (!waits && deskOf(tx, pair.agent).strangers >= options.pendingContacts) return 'not_contact'
    // Once for each place in the queue: how often a stranger asks must not fill the log.
    if (!waits) tell(tx, pair, 'contact.requested', 'peer', now)
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

  function take(tx: StepTx, pair: Pair, { id, content }: Said, now: Instant): DetailCode | undefined {
    const record = find(tx, pair)
    if (record === undefined) return 'not_contact'
    switch (content.kind) {
      case 'contact.request':
        // Both asked: that is an agreement. And who asks a contact of old has lost it on its side.
        if (record.state === 'requested') accept(tx, record, now)
        else if (record.state === 'active' && record.asked !== id) acceptAgain(tx, record, now)
        return takeCard(tx, pair, content.body.card, now)
      case 'contact.accept':
        if (record.state !== 'requested') return undefined
        save(tx, { ...without(record, 'reason'), state: 'active', since: now })
        tell(tx, record, 'contact.accepted', 'peer', now)
        putInInbox(tx, { agent: record.agent, kind: 'contact.active', from: record.peer, at: now, content: {} })
        return takeCard(tx, pair, content.body.card, now)
      case 'contact.decline':
        if (record.state === 'requested') end(tx, record, 'declined', now)
        return undefined
      case 'contact.remove':
        if (record.state === 'active' || record.state === 'requested') end(tx, record, 'removed_by_peer', now)
        return undefined
      case 'card.update':
        return takeCard(tx, pair, content.body.card, now)
      default:
        return 'malformed_message'
    }
  }

  function end(tx: StepTx, record: ContactRecord, reason: 'declined' | 'removed_by_peer', now: Instant): void {
    save(tx, { ...record, state: 'removed', reason, since: now })
    tell(tx, record, reason === 'declined' ? 'contact.declined' : 'contact.removed', 'peer', now)
    putInInbox(tx, { agent: record.agent, kind: 'contact.removed', from: record.peer, at: now, content: { reason } })
  }

  function takeCard(tx: StepTx, pair: Pair, cardText: string, now: Instant): DetailCode | undefined {
    const record = find(tx, pair)
    const bytes = fromBase64url(cardText)
    const card = bytes === undefined ? undefined : openCard(bytes)
    if (record === undefined || card === undefined || !card.ok || card.value.agent !== pair.peer)
      return 'malformed_card'
    refresh(tx, record, { card: card.value, cardText }, now)
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
      tell(tx, record, 'contact.frozen', 'node', now)
      putInInbox(tx, { agent: pair.agent, kind: 'contact.frozen', from: pair.peer, at: now, content: { seq } })
      tx.after({ do: 'cut', pair: onlyPair(pair) })
    }
  }
}

/** What the peer brought about, or this node by its own rules. */
function tell(tx: StepTx, { agent, peer }: Pair, what: AuditCode, who: 'peer' | 'node', now: Instant): void {
  const by = who === 'peer' ? ({ kind: 'peer', id: peer } as const) : ({ kind: 'node' } as const)
  audit(tx, { at: now, who: by, what, about: { agent, contact: peer } })
}

function unknownParticipant(participant: string): Refusal {
  return refusal('bad_request', `No contact is called ${participant}. GET /v1/agent/contacts lists them.`, {
    code: 'unknown_participant',
    field: 'participant'
  })
}

function asAgentId(text: string): AgentId | undefined {
  const id = parseAgentId(text)
  return id.ok ? id.value : undefined
}
