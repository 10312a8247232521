import { fromBase64url } from '../base/bytes.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Card, openCard, replaces } from '../wire/card.js'
import type { ContactRecord } from './records/contacts.js'

/** What a contact record says: who is let in, what a newer card changes, and who has a name for sure. */

/** A card that was opened, and its bytes as text. */
export interface CardOf {
  readonly card: Card
  readonly cardText: string
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
export function cardMembers({
  card,
  cardText
}: CardOf): Pick<ContactRecord, 'card' | 'cardSeq' | 'handle' | 'peerId' | 'addrs'> {
  return { card: cardText, cardSeq: card.seq, handle: card.handle, peerId: card.peerId, addrs: card.addrs }
}

/** The contact with that card if it is newer than the one it has; else the same record. */
export function withCard(record: ContactRecord, hello: CardOf): ContactRecord {
  if (hello.card.seq === record.cardSeq || !replaces(cardOf(record), hello.card).ok) return record
  return { ...record, ...cardMembers(hello) }
}

/** What a contact is called among the contacts of its agent. */
export function nameOf(record: ContactRecord): string {
  return record.alias ?? record.handle
}

/** Whether the owner chose this contact, or its name: then no one else gets the name. */
export function isChosen(record: ContactRecord): boolean {
  return record.alias !== undefined || record.state === 'active' || record.state === 'requested'
}

/** Whether bytes may flow with this contact at all: what a hello is checked for. */
export function isAdmitted(record: ContactRecord | undefined): boolean {
  if (record === undefined || record.frozen !== undefined) return false
  return record.state === 'active' || record.state === 'requested'
}

/** Whether the node that shows this card speaks for the contact: it does not, if a newer card names another node. */
export function isCurrent(record: ContactRecord, card: Card): boolean {
  return card.seq >= record.cardSeq || card.peerId === record.peerId
}

/** Whether a contact is let in that shows this card. */
export function admits(record: ContactRecord, card: Card): boolean {
  return isAdmitted(record) && isCurrent(record, card)
}

function cardOf(record: ContactRecord): Card | undefined {
  const bytes = fromBase64url(record.card)
  const card = bytes === undefined ? undefined : openCard(bytes)
  return card?.ok === true ? card.value : undefined
}

/** The record without one member. */
export function without<K extends keyof ContactRecord>(record: ContactRecord, key: K): Omit<ContactRecord, K> {
  const { [key]: _, ...rest } = record
  return rest
}
