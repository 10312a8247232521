import type { AnswerOf } from '../../api/contract.js'
import type { Badge } from './badges.js'

/** How the node stands to the world, and what has not left it, in the words of an owner. */

export type NodeHealth = AnswerOf<'owner.health.read'>['health']
export type Waiting = AnswerOf<'owner.undelivered.list'>['items'][number]

interface ReachWords {
  readonly badge: Badge
  readonly means: string
  /** What the owner can do about it; the name of the setting ends the sentence where it is done with one. */
  readonly todo: string
  /** By its whole name. */
  readonly setting?: string
}

export const REACHES: Readonly<Record<NodeHealth['reach'], ReachWords>> = {
  direct: {
    badge: { tone: 'good', text: 'Reachable from everywhere' },
    means: 'It tells its contacts a public address, so they can reach it over the internet.',
    todo: 'If contacts stay unconnected all the same, a router or firewall on the way may be closing the port of',
    setting: 'net.listen'
  },
  lan_only: {
    badge: { tone: 'wait', text: 'Your own network only' },
    means:
      'Contacts in the same network reach this node. Others can’t reach it, but it reaches those with a public address.',
    todo: 'To be reached from outside, forward a port on your router, and put the public address into',
    setting: 'net.announce'
  },
  machine_only: {
    badge: { tone: 'wait', text: 'This machine only' },
    means: 'Only programs of this machine reach this node. Contacts elsewhere can’t.',
    todo: 'To be reached by others, start the node again with an address of your network in',
    setting: 'net.listen'
  },
  offline: {
    badge: { tone: 'bad', text: 'Offline' },
    means: 'The node has no address that anybody could reach. What your agents send is kept until it has one.',
    todo: 'Check this machine’s network, then run “agentlink doctor”.'
  }
}

export function connectedWords({ active, connected }: NodeHealth['contacts']): string {
  if (active === 0) return 'There are no contacts yet.'
  if (connected === active) return active === 1 ? 'Your contact is connected.' : `All ${active} contacts are connected.`
  if (connected === 0)
    return active === 1 ? 'Your contact is not connected now.' : `None of your ${active} contacts is connected now.`
  return `${connected} of your ${active} contacts are connected.`
}

interface WaitWords {
  readonly badge: Badge
  readonly why: string
  readonly next: string
}

const WAITS: Readonly<Record<Waiting['reason'], WaitWords>> = {
  on_its_way: {
    badge: { tone: 'busy', text: 'On its way' },
    why: 'The other node has not confirmed it yet.',
    next: 'The node goes on by itself; mostly this takes moments.'
  },
  unreachable: {
    badge: { tone: 'wait', text: 'Not reachable' },
    why: 'The other node did not answer at any of its addresses: it may be asleep, switched off, or have moved.',
    next: 'Nothing is lost. The node tries again by itself, and the other one fetches it when it wakes.'
  },
  not_contact: {
    badge: { tone: 'bad', text: 'Not a contact there' },
    why: 'The other node says that your agent is no contact of its agent, or not any more.',
    next: 'It is kept and tried again. Ask its owner; if the contact has ended there, meet again by a new link.'
  },
  busy: {
    badge: { tone: 'busy', text: 'Too busy there' },
    why: 'The other node is there but can’t take more at the moment.',
    next: 'The node tries again by itself, a little later each time.'
  },
  contact_frozen: {
    badge: { tone: 'bad', text: 'Frozen' },
    why: 'This contact signed two different messages under one number, so nothing goes to it.',
    next: 'It stays here until you say that it goes on, or end the contact.'
  }
}

/** What lies with another node until its owner answers is no trouble. */
const ASKED: WaitWords = {
  badge: { tone: 'wait', text: 'Asked' },
  why: 'The other node answers, and its owner has not accepted you yet.',
  next: 'Nothing is to be done here: the contact begins when its owner says yes.'
}

/** Why something has not arrived, and what happens next. */
export function waitWords({ reason, status }: Pick<Waiting, 'reason' | 'status'>): WaitWords {
  const words = reason === 'not_contact' && status === 'requested' ? ASKED : WAITS[reason]
  if (words === ASKED || status === 'active' || reason === 'contact_frozen') return words
  return { ...words, next: `${words.next} Its owner still has to accept you.` }
}

export function messagesWords(count: number): string {
  return count === 1 ? 'One message' : `${count} messages`
}
