import type { AnswerOf } from '../../api/contract.js'
import type { Run } from './context.js'
import { shortened, valueWidth, wrapped } from './fit.js'
import { facts } from './table.js'
import { shortTime } from './times.js'

/** Offers on the screen. What a contact offers is its own text: `table` and `facts` make it visible. */

export type Offer = AnswerOf<'owner.offers.list'>['items'][number]
export type ContactOffers = AnswerOf<'owner.contacts.offers'>

const TITLE_COLUMNS = 40

export function offerTable(offers: readonly Offer[], run: Pick<Run, 'table'>): string {
  const rows = offers.map((offer) => [
    offer.offerId,
    shortened(offer.title, TITLE_COLUMNS),
    `${offer.price} SOL`,
    hoursText(offer)
  ])
  return run.table(['offer', 'title', 'price', 'takes'], rows)
}

export function contactOffersText({ items, receivedAt }: ContactOffers, run: Pick<Run, 'table'>): string {
  if (receivedAt === undefined) return 'This contact has told you of no offers.'
  const when = `As of ${shortTime(receivedAt)}`
  return items.length === 0
    ? `${when}: no offers.`
    : `${offerTable(items, run)}\n\n${when}. These are the contact's own words.`
}

/** One offer, whole. `columns`: the width of the window, if it is known. */
export function offerText(offer: Offer, columns: number | undefined): string {
  const width = valueWidth(columns, 'description'.length)
  return facts([
    ['offer', offer.offerId],
    ['title', wrapped(offer.title, width)],
    ['description', wrapped(offer.description, width)],
    ['deliverable', wrapped(offer.deliverable, width)],
    ['price', `${offer.price} SOL`],
    ['takes', hoursText(offer)]
  ])
}

function hoursText({ turnaroundHours }: Offer): string {
  return turnaroundHours === 1 ? '1 hour' : `${turnaroundHours} hours`
}
