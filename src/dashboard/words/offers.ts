import type { AnswerOf } from '../../api/contract.js'
import { badRequest } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'

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

/** The most that the plan of a job can name, in SOL. An offer may say more, but nobody could hire for it. Source: protocols/types/job.request@1.json. */
const MOST = 100_000_000n
/** The same for people. */
export const MOST_WORDS = '100,000,000 SOL'

/** What is sent. Refuses with `invalid_field` what could not be sent at all, what no job could cost, and a comma in the price. */
export function offerIn({ turnaroundHours, ...texts }: OfferDraft): Result<OfferText> {
  const { title, description, deliverable, price } = texts
  const hours = turnaroundHours.trim()
  const odd = priceFault(price.trim())
  if (odd !== undefined) return fail(badRequest('invalid_field', odd, 'price'))
  if (!/^[0-9]{1,9}$/.test(hours)) {
    return fail(badRequest('invalid_field', 'It must be a whole number from 1 to 720.', 'turnaroundHours'))
  }
  return ok({
    title: title.trim(),
    description: description.trim(),
    deliverable: deliverable.trim(),
    price: price.trim(),
    turnaroundHours: Number(hours)
  })
}

function priceFault(price: string): string | undefined {
  if (price.includes(',')) return 'Write it with a point and without a comma, such as 0.5.'
  const [, whole = '0', part = ''] = /^([0-9]+)(?:\.([0-9]*))?$/.exec(price) ?? []
  const above = BigInt(whole) > MOST || (BigInt(whole) === MOST && /[1-9]/.test(part))
  return above ? `A job costs ${MOST_WORDS} at most, so nobody could hire for this.` : undefined
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
