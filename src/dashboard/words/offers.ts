import type { AnswerOf } from '../../api/contract.js'

/** Offers as a form has them: texts, which the node checks. */

export type Offer = AnswerOf<'owner.offers.list'>['items'][number]

export interface OfferDraft {
  readonly title: string
  readonly description: string
  readonly deliverable: string
  readonly price: string
  /** Whole hours, as typed. */
  readonly turnaroundHours: string
}

export const NO_OFFER: OfferDraft = { title: '', description: '', deliverable: '', price: '', turnaroundHours: '' }

export function draftOf(offer: Offer): OfferDraft {
  return { ...offer, turnaroundHours: String(offer.turnaroundHours) }
}

export type OfferText = Omit<Offer, 'offerId'>

/** What is sent; undefined where the hours are no number that could be sent at all. */
export function offerIn({ turnaroundHours, ...texts }: OfferDraft): OfferText | undefined {
  const { title, description, deliverable, price } = texts
  const hours = turnaroundHours.trim()
  if (!/^[0-9]{1,9}$/.test(hours)) return undefined
  return {
    title: title.trim(),
    description: description.trim(),
    deliverable: deliverable.trim(),
    price: price.trim(),
    turnaroundHours: Number(hours)
  }
}

/** What differs from the offer that is there: only that is sent, so that two who edit don't undo each other. */
export function changesTo(offer: Offer, text: OfferText): Partial<OfferText> {
  const names = ['title', 'description', 'deliverable', 'price', 'turnaroundHours'] as const
  return Object.fromEntries(names.filter((name) => text[name] !== offer[name]).map((name) => [name, text[name]]))
}

export function hoursWords(hours: number): string {
  if (hours % 24 === 0) return hours === 24 ? 'one day' : `${hours / 24} days`
  return hours === 1 ? 'one hour' : `${hours} hours`
}
