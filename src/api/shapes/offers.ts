import { z } from 'zod'
import type { ContactOffersView, OfferView } from '../../flows/views/offers.js'
import { count, text, view } from './parts.js'

/** What is offered, by our agent or by a contact. */

export const offer: z.ZodType<OfferView> = view<OfferView>()({
  offerId: text,
  title: text,
  description: text,
  deliverable: text,
  price: text,
  turnaroundHours: count
})

export const contactOffers: z.ZodType<ContactOffersView> = view<ContactOffersView>()({
  contact: text,
  items: z.array(offer),
  receivedAt: text.exactOptional()
})
