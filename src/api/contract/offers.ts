import { z } from 'zod'
import { LIMITS } from '../../wire/limits.js'
import type { OFFER_ROUTES } from '../offer-routes.js'
import { contactOffers, offer, page } from '../shapes.js'
import { type RouteSchemas, hours, nothing, pick, word } from './parts.js'

/** What agents sell. */

const oneOffer = z.strictObject({ offer })

/** What an owner says of an offer. */
const offerText = {
  title: z.string().min(1).max(LIMITS.offerTitle),
  description: z.string().min(1).max(LIMITS.offerText),
  deliverable: z.string().min(1).max(LIMITS.offerText),
  price: word.describe('SOL in decimal digits, such as 0.25'),
  turnaroundHours: hours
}

export const OFFER_CONTRACT = {
  'offers.list': { query: nothing, body: nothing, answer: page(offer) },
  'contacts.offers': { query: nothing, body: nothing, answer: contactOffers },
  'owner.offers.list': { query: pick, body: nothing, answer: page(offer) },
  'owner.offers.create': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), ...offerText }),
    answer: oneOffer
  },
  'owner.offers.change': {
    query: nothing,
    body: z.strictObject({
      agent: word.exactOptional(),
      title: offerText.title.exactOptional(),
      description: offerText.description.exactOptional(),
      deliverable: offerText.deliverable.exactOptional(),
      price: offerText.price.exactOptional(),
      turnaroundHours: offerText.turnaroundHours.exactOptional()
    }),
    answer: oneOffer
  },
  'owner.offers.withdraw': { query: pick, body: nothing, answer: oneOffer },
  'owner.contacts.offers': { query: pick, body: nothing, answer: contactOffers }
} as const satisfies Record<keyof typeof OFFER_ROUTES, RouteSchemas>
