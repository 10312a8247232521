import { solOf } from '../../api/words/money.js'
import { isOdd, receivedWords } from '../../api/words/payments.js'
import { badgeOf } from './badges.js'
import { type Contact, nameOf } from './contacts.js'
import { type Envelope, objectiveOf } from './envelopes.js'
import type { Money } from './payments.js'
import { addressOf } from './place.js'

/** What needs the owner beside the questions of agents: each with its words and the place where it is decided. */

export interface Need {
  readonly key: string
  readonly tone: 'wait' | 'bad'
  readonly badge: string
  readonly title: string
  /** Why it needs a person, and what that person can do. */
  readonly says: string
  readonly href: string
  readonly at: string
  /** Name of our agent: the place shows one agent at a time. */
  readonly agent: string
}

/** What is known of one of our agents. */
export interface AgentNews {
  readonly agent: string
  readonly contacts: readonly Contact[]
  readonly payments: readonly Money[]
  /** Work that it took on and that waits for a right. */
  readonly waiting: readonly Envelope[]
}

/** For how long money that did not pay stands here; the job tells of it for good. Milliseconds. */
const ODD_MONEY_MS = 14 * 86_400_000

/** What needs the owner, newest first; `now` in milliseconds since 1970. */
export function needsOf(news: readonly AgentNews[], now: number): Need[] {
  const all = news.flatMap((one) => [
    ...one.contacts.flatMap((contact) => ofContact(one.agent, contact)),
    ...one.payments.flatMap((money) => ofMoney(one.agent, money, now)),
    ...one.waiting.map((envelope) => ofRight(one.agent, envelope))
  ])
  return all.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

function ofContact(agent: string, contact: Contact): Need[] {
  const common = { agent, href: addressOf(['contacts', contact.agent]), at: contact.since }
  if (contact.status === 'pending') {
    return [
      {
        ...common,
        key: `asks ${agent} ${contact.agent}`,
        tone: 'wait',
        badge: badgeOf('contact', 'pending').text,
        title: `${nameOf(contact)} wants to be a contact`,
        says: 'Until you accept, its agent can say nothing to yours. Declining tells it no.'
      }
    ]
  }
  if (contact.frozen !== true) return []
  return [
    {
      ...common,
      key: `frozen ${agent} ${contact.agent}`,
      tone: 'bad',
      badge: badgeOf('contact', 'frozen').text,
      title: `Nothing goes to ${nameOf(contact)}`,
      says: 'It signed two different messages under one number. Ask its owner why, then go on or end the contact.'
    }
  ]
}

function ofMoney(agent: string, { taskUid, paid, received }: Money, now: number): Need[] {
  const common = { agent, tone: 'bad' as const, href: addressOf(['tasks', taskUid], { agent }) }
  const lost = paid
    .filter(({ state }) => state === 'lost')
    .map((one) => ({
      ...common,
      key: `lost ${agent} ${taskUid} ${one.attempt}`,
      badge: badgeOf('payment', 'lost').text,
      title: 'Nobody can tell yet whether a payment was made',
      says: 'Nothing more is paid for this job until the chain has answered. Look the transaction up before you pay by hand.',
      at: one.at
    }))
  const odd = received
    .filter((one) => isOdd(one) && now - Date.parse(one.at) < ODD_MONEY_MS)
    .map((one) => ({
      ...common,
      key: `odd ${agent} ${one.signature}`,
      badge: 'Odd money',
      title: `${solOf(one.lamports)} came that does not pay a job`,
      says: `${receivedWords(one.code)}. Whether it goes back is between you and the one who sent it.`,
      at: one.at
    }))
  return [...lost, ...odd]
}

function ofRight(agent: string, envelope: Envelope): Need {
  return {
    agent,
    key: `right ${agent} ${envelope.taskUid}`,
    tone: 'wait',
    badge: badgeOf('envelope', 'auth_required').text,
    title: objectiveOf(envelope),
    says: 'Your agent can’t go on with this work without a right. Which tools it may use stands under Agents.',
    href: addressOf(['envelopes', envelope.taskUid], { agent: envelope.agent }),
    at: envelope.createdAt
  }
}

/** The heading of the first page. `more`: there are others that were not counted. */
export function needsWords(count: number, more: 'more' | 'all'): string {
  if (count === 0) return 'Nothing needs you'
  if (more === 'more') return `More than ${count} things need you`
  return count === 1 ? 'One thing needs you' : `${count} things need you`
}
