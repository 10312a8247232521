import { toHex } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { type Refusal, badRequest, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { check } from '../base/shape.js'
import { isoOf } from '../base/time.js'
import { type Offer, offer as offerShape } from '../wire/job-bodies.js'
import { LIMITS } from '../wire/limits.js'
import type { AgentBook } from './agents.js'
import { record as audit } from './audit.js'
import { type Pair, onlyPair } from './chain.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import type { AgentDoor, OwnerDoor } from './doors.js'
import type { OfferBook } from './offer-book.js'
import type { Clock, Random, Store, Tx } from './ports.js'
import type { ContactOffersRecord } from './records/offers.js'
import type { StepTx, Steps } from './steps.js'
import type { ContactOffersView } from './views/offers.js'

/** Offers at the two doors: the owner makes them, both read them, and those of contacts (protocols/jobs.md, "Offers"). */
export interface OfferDoor {
  readonly owner: Pick<OwnerDoor, 'offers' | 'createOffer' | 'changeOffer' | 'withdrawOffer' | 'contactOffers'>
  readonly agent: Pick<AgentDoor, 'offers' | 'contactOffers'>
}

type Deed = 'created' | 'changed' | 'withdrawn'

/** Control characters but line feed and tab: they show nothing, and take so much room that a list might not fit its message. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Cs}]/u
const TEXTS = ['title', 'description', 'deliverable'] as const

export function createOfferDoor(components: {
  readonly store: Store
  readonly steps: Steps
  readonly agents: AgentBook
  readonly contacts: ContactBook
  readonly offers: OfferBook
  readonly clock: Clock
  readonly random: Random
}): OfferDoor {
  const { store, steps, agents, contacts, offers, clock, random } = components

  /** One change of one offer, in the list of the agent that the owner means. */
  function edit(
    word: string | undefined,
    change: (list: readonly Offer[]) => Result<{ offer: Offer; list: readonly Offer[]; deed: Deed }>
  ): Promise<Result<Offer>> {
    return steps.run((tx) => {
      const agent = agents.pick(tx, word)
      if (!agent.ok) return agent
      const changed = change(offers.own(tx, agent.value.agent))
      if (!changed.ok) return changed
      publish(tx, agent.value.agent, changed.value)
      return ok(changed.value.offer)
    })
  }

  function publish(
    tx: StepTx,
    agent: AgentId,
    { offer, list, deed }: { readonly offer: Offer; readonly list: readonly Offer[]; readonly deed: Deed }
  ): void {
    const now = clock.now()
    offers.publish(tx, agent, list, now)
    const about = { agent, recordId: offer.offerId, code: deed }
    audit(tx, { at: now, who: { kind: 'owner' }, what: 'job.offered', about })
  }

  /** Refuses with `not_found`, and as `requireActive`: what a contact offered goes with it. */
  function listOf(
    tx: Pick<Tx, 'get'>,
    agent: AgentId,
    contact: string
  ): Result<{ pair: Pair; view: ContactOffersView }> {
    const found = contacts.resolve(tx, agent, contact)
    if (!found.ok) return fail(NO_SUCH_CONTACT)
    const active = requireActive(found.value)
    if (!active.ok) return active
    const pair = onlyPair(found.value)
    return ok({ pair, view: viewOf(pair, offers.ofContact(tx, pair)) })
  }

  async function look(agent: AgentId, contact: string): Promise<Result<ContactOffersView>> {
    const found = await steps.read((tx) => listOf(tx, agent, contact))
    if (!found.ok) return found
    const { pair, view } = found.value
    if (offers.ofContact(store, pair)?.announced !== true) return ok(view)
    // The list of this very step: a change after it is announced again.
    return steps.run((tx) => {
      const again = listOf(tx, agent, contact)
      if (!again.ok) return again
      offers.seen(tx, pair)
      return ok(again.value.view)
    })
  }

  return {
    owner: {
      offers: ({ agent }) =>
        steps.read((tx) => {
          const picked = agents.pick(tx, agent)
          return picked.ok ? ok({ items: offers.own(tx, picked.value.agent) }) : picked
        }),
      createOffer: ({ agent, offer }) =>
        edit(agent, (list) => {
          if (list.length >= LIMITS.offers) return fail(TOO_MANY)
          const made = sound({ offerId: toHex(random.bytes(16)), ...offer })
          return made.ok ? ok({ offer: made.value, list: [...list, made.value], deed: 'created' }) : made
        }),
      changeOffer: ({ agent, offerId, offer }) =>
        edit(agent, (list) => {
          const before = list.find((one) => one.offerId === offerId)
          if (before === undefined) return fail(NO_SUCH)
          if (Object.keys(offer).length === 0) return fail(NOTHING_CHANGES)
          const made = sound({ ...before, ...offer })
          if (!made.ok) return made
          const after = list.map((one) => (one === before ? made.value : one))
          return ok({ offer: made.value, list: after, deed: 'changed' })
        }),
      withdrawOffer: ({ agent, offerId }) =>
        edit(agent, (list) => {
          const gone = list.find((one) => one.offerId === offerId)
          if (gone === undefined) return fail(NO_SUCH)
          return ok({ offer: gone, list: list.filter((one) => one !== gone), deed: 'withdrawn' })
        }),
      contactOffers: ({ agent, contact }) =>
        steps.read((tx) => {
          const picked = agents.pick(tx, agent)
          if (!picked.ok) return picked
          const found = listOf(tx, picked.value.agent, contact)
          return found.ok ? ok(found.value.view) : found
        })
    },
    agent: {
      offers: (agent) => steps.read((tx) => ({ items: offers.own(tx, agent) })),
      contactOffers: look
    }
  }
}

/** An offer as contacts will take it. Refuses with `invalid_field`. */
function sound(offer: Offer): Result<Offer> {
  const odd = TEXTS.find((name) => typeof offer[name] === 'string' && CONTROL.test(offer[name]))
  if (odd !== undefined) return fail(badRequest('invalid_field', `${odd}: must have no control characters`, odd))
  return check(offerShape, offer as unknown as Json)
}

function viewOf({ peer }: Pair, record: ContactOffersRecord | undefined): ContactOffersView {
  if (record === undefined) return { contact: peer, items: [] }
  return { contact: peer, items: record.offers, receivedAt: isoOf(record.receivedAt) }
}

const NO_SUCH: Refusal = refusal('not_found', 'There is no such offer. `agentlink offer list` shows yours.', {
  field: 'offerId'
})

const NO_SUCH_CONTACT: Refusal = refusal('not_found', 'There is no such contact. List the contacts.', {
  field: 'contact'
})

const TOO_MANY = conflict(
  'too_many_offers',
  `An agent has at most ${LIMITS.offers} offers. Withdraw one first, or edit one: \`agentlink offer list\` shows them.`
)

const NOTHING_CHANGES = badRequest('missing_field', `Say what changes: ${TEXTS.join(', ')}, price or turnaroundHours.`)
