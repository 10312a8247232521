import { canonicalBytes } from '../base/canonical.js'
import { sha256Hex } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import type { Json } from '../base/json.js'
import type { DetailCode } from '../base/refusal.js'
import { type Instant, instantOf } from '../base/time.js'
import type { Offer } from '../wire/job-bodies.js'
import { type Pair, chainOf, mayWrite } from './chain.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { putInInbox } from './inbox.js'
import { agentKey, pairKey } from './keys.js'
import type { Tx } from './ports.js'
import type { ContactOffersRecord } from './records/offers.js'
import type { StepTx } from './steps.js'

/**
 * Offers of our agents, and those of their contacts (protocols/jobs.md, "Offers"). A contact is told the whole list, and
 * while one telling has no receipt it gets no other: however often the owner edits, one message waits, and after its
 * receipt comes at most one more, with the list as it is then.
 */
export interface OfferBook {
  own(tx: Pick<Tx, 'get'>, agent: AgentId): readonly Offer[]
  ofContact(tx: Pick<Tx, 'get'>, pair: Pair): ContactOffersRecord | undefined
  /** Stages our agent's list, and what its contacts have to be told now. */
  publish(tx: StepTx, agent: AgentId, offers: readonly Offer[], now: Instant): void
  /** Stages the telling that this contact is owed, if it is owed one and may be written to. */
  settle(tx: StepTx, pair: Pair, now: Instant): void
  /** Whether `settle` would write. */
  owes(tx: Pick<Tx, 'get'>, pair: Pair): boolean
  /** Stages a contact's list in the place of its last one. Answers why it has no effect, if it has none. */
  take(tx: StepTx, pair: Pair, update: Said, now: Instant): DetailCode | undefined
  /** Stages what a telling of ours says that was lost with a restored backup and came back. */
  adopt(tx: StepTx, pair: Pair, update: Said, now: Instant): void
  /** Stages that the agent looked at a contact's list. */
  seen(tx: StepTx, pair: Pair): void
}

/** An `offers.update`. */
interface Said {
  readonly seq: number
  /** ISO 8601, as its writer said. */
  readonly at: string
  readonly offers: readonly Offer[]
}

const NONE: readonly Offer[] = []

export function createOfferBook(components: {
  readonly contacts: ContactBook
  /** All contacts of an agent, in whatever state. */
  readonly contactsOf: (agent: AgentId) => readonly Pair[]
}): OfferBook {
  const { contacts, contactsOf } = components

  const own: OfferBook['own'] = (tx, agent) => tx.get('offers', agentKey(agent))?.offers ?? NONE

  const ofContact: OfferBook['ofContact'] = (tx, { agent, peer }) => tx.get('contactOffers', pairKey(agent, peer))

  function isActive(tx: Pick<Tx, 'get'>, pair: Pair): boolean {
    const record = contacts.find(tx, pair)
    return record !== undefined && requireActive(record).ok
  }

  function owes(tx: Pick<Tx, 'get'>, pair: Pair): boolean {
    const list = tx.get('offers', agentKey(pair.agent))
    const told = tx.get('offersTold', pairKey(pair.agent, pair.peer))
    // Who never offered anything owes nobody a word about it.
    if (list === undefined || told?.digest === digestOf(list.offers)) return false
    const waits = told !== undefined && told.seq > chainOf(tx, pair).acked
    return !waits && isActive(tx, pair) && mayWrite(tx, pair).ok
  }

  function settle(tx: StepTx, pair: Pair, now: Instant): void {
    if (!owes(tx, pair)) return
    const offers = own(tx, pair.agent)
    contacts.write(tx, pair, { kind: 'offers.update', body: { offers } }, now)
    noteTold(tx, pair, chainOf(tx, pair).out.seq, offers)
  }

  function noteTold(tx: Tx, { agent, peer }: Pair, seq: number, offers: readonly Offer[]): void {
    tx.put('offersTold', pairKey(agent, peer), { seq, digest: digestOf(offers) })
  }

  function publish(tx: StepTx, agent: AgentId, offers: readonly Offer[], at: Instant): void {
    // A clock that was set back must not let a list of before the backup win over this one.
    const before = tx.get('offers', agentKey(agent))?.changedAt ?? 0
    tx.put('offers', agentKey(agent), { offers, changedAt: Math.max(at, before + 1) })
    for (const contact of contactsOf(agent)) settle(tx, contact, at)
  }

  function take(tx: StepTx, pair: Pair, { offers }: Said, now: Instant): DetailCode | undefined {
    if (!isActive(tx, pair)) return 'not_contact'
    if (new Set(offers.map((offer) => offer.offerId)).size < offers.length) return 'malformed_message'
    const before = ofContact(tx, pair)
    const changed = digestOf(before?.offers ?? NONE) !== digestOf(offers)
    const tells = changed && before?.announced !== true
    if (tells) {
      const content = { offers: offers.length }
      putInInbox(tx, { agent: pair.agent, kind: 'offers.changed', from: pair.peer, at: now, content })
    }
    const announced = tells || before?.announced === true ? ({ announced: true } as const) : {}
    tx.put('contactOffers', pairKey(pair.agent, pair.peer), { offers, receivedAt: now, ...announced })
    return undefined
  }

  return {
    own,
    ofContact,
    publish,
    settle,
    owes,
    take,
    adopt(tx, pair, { seq, at, offers }, now) {
      noteTold(tx, pair, seq, offers)
      const said = instantOf(at) ?? 0
      const list = tx.get('offers', agentKey(pair.agent))
      if (said <= (list?.changedAt ?? 0)) return
      tx.put('offers', agentKey(pair.agent), { offers, changedAt: said })
      for (const contact of contactsOf(pair.agent)) settle(tx, contact, now)
    },
    seen(tx, pair) {
      const record = ofContact(tx, pair)
      if (record?.announced !== true) return
      const { announced: _, ...rest } = record
      tx.put('contactOffers', pairKey(pair.agent, pair.peer), rest)
    }
  }
}

function digestOf(offers: readonly Offer[]): string {
  return sha256Hex(canonicalBytes(offers as unknown as Json))
}
