import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { rowIn } from '../../api/words/known.js'

/** Contacts by the names that an owner knows them by. */

export type Contact = AnswerOf<'owner.contacts.list'>['items'][number]

/** The owner's own name for a contact, or else the one that it gave itself. */
export function nameOf(contact: Contact): string {
  return contact.alias === undefined ? visible(contact.handle) : visible(contact.alias)
}

/** The handle of the other side; of a contact that is not known any more there is none. */
export function handleWords(handle = ''): string {
  return visible(handle) || 'a contact that is gone'
}

/** What began at the time that a contact carries. */
export const STANDS: Readonly<Record<Contact['status'], string>> = {
  pending: 'Asked you',
  requested: 'You asked it',
  active: 'Contact since',
  blocked: 'Blocked since',
  removed: 'Ended'
}

const ENDED: Readonly<Record<string, string>> = {
  declined: 'it declined',
  declined_by_us: 'you declined',
  removed_by_peer: 'it ended the contact',
  removed_by_us: 'you ended the contact',
  unblocked: 'you lifted your block, which does not bring the contact back'
}

/** Why there is no contact any more. A reason of a newer node is shown by its own name. */
export function endedWords(reason: string): string {
  return rowIn(ENDED, reason) ?? visible(reason)
}

/** How many messages to a contact have not arrived. */
export function undeliveredWords(count: number): string {
  return count === 0 ? 'all delivered' : `${count} not delivered yet`
}

const ORDER: Readonly<Record<Contact['status'], number>> = {
  pending: 0,
  requested: 1,
  active: 2,
  blocked: 3,
  removed: 4
}

/** Those that ask first, those that ended last; by name where they stand alike. */
export function inOrder(contacts: readonly Contact[]): Contact[] {
  return [...contacts].sort((a, b) => ORDER[a.status] - ORDER[b.status] || nameOf(a).localeCompare(nameOf(b), 'en'))
}

/** What the owner may do with a contact, given how it stands. */
export type ContactDeed = 'accept' | 'decline' | 'block' | 'unblock' | 'unfreeze' | 'remove'

export function deedsWith(contact: Contact): readonly ContactDeed[] {
  const thaw: readonly ContactDeed[] = contact.frozen === true ? ['unfreeze'] : []
  return [...thaw, ...BY_STATUS[contact.status]]
}

const BY_STATUS: Readonly<Record<Contact['status'], readonly ContactDeed[]>> = {
  pending: ['accept', 'decline', 'block'],
  requested: ['remove'],
  active: ['block', 'remove'],
  blocked: ['unblock'],
  removed: ['block']
}

interface DeedWords {
  readonly text: string
  readonly kind: 'main' | 'plain' | 'danger'
  /** What it does; asked for once more where it is here. */
  readonly asks?: string
  readonly done: (name: string) => string
}

export const DEEDS: Readonly<Record<ContactDeed, DeedWords>> = {
  accept: {
    text: 'Accept',
    kind: 'main',
    done: (name) => `${name} is your contact now. Your rules say what your agent may tell it.`
  },
  decline: { text: 'Decline', kind: 'plain', done: (name) => `${name} was declined.` },
  block: {
    text: 'Block',
    kind: 'danger',
    asks:
      'Nothing goes out to it and nothing comes in any more. It is not told. Lifting the block later does not bring the ' +
      'contact back.',
    done: (name) => `${name} is blocked.`
  },
  unblock: {
    text: 'Lift the block',
    kind: 'plain',
    asks:
      'It does not become a contact again by this: for that, its owner makes a link, and you add it. A link of yours is no ' +
      'use there, as long as its node was never told that the contact ended.',
    done: (name) => `The block on ${name} is lifted.`
  },
  unfreeze: {
    text: 'Let messages go on',
    kind: 'plain',
    asks:
      'It signed two different messages under one number, which no sound node does. Go on only if its owner could tell you why ' +
      '(a restored backup, for example).',
    done: (name) => `Messages with ${name} go on.`
  },
  remove: {
    text: 'End this contact',
    kind: 'danger',
    asks: 'Open tasks with it end, and its node is told. To meet again, one of you needs a new link.',
    done: (name) => `The contact with ${name} has ended.`
  }
}
