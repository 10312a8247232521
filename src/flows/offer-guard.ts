import type { JsonObject } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { isJob } from '../types/job-type.js'
import type { Offer } from '../wire/job-bodies.js'
import type { Pair } from './chain.js'
import type { OfferBook } from './offer-book.js'
import type { Tx } from './ports.js'
import type { TaskRecord } from './records/tasks.js'

/**
 * Which offer a plan of our agent may name: one that its provider has, or one that the task named before. Refuses with
 * `unknown_offer`. Source: protocols/jobs.md, "Offers", 7.
 */
export interface OfferGuard {
  /** The first plan of a task, to this contact. */
  mayInvite(tx: Pick<Tx, 'get'>, pair: Pair, type: TaskRecord['type'], proposal: JsonObject): Result<void>
  /** One more; `proposals` are those that the task has. */
  mayPropose(
    tx: Pick<Tx, 'get'>,
    task: TaskRecord,
    proposal: JsonObject,
    proposals: readonly { readonly proposal: JsonObject }[]
  ): Result<void>
}

export function createOfferGuard(components: { readonly offers: OfferBook }): OfferGuard {
  const { offers } = components

  const ofContact = (tx: Pick<Tx, 'get'>, pair: Pair): readonly Offer[] => offers.ofContact(tx, pair)?.offers ?? []

  return {
    mayInvite(tx, pair, type, { offerId }) {
      if (!isJob(type) || offerId === undefined) return ok()
      return isAmong(ofContact(tx, pair), offerId) ? ok() : fail(UNKNOWN)
    },
    mayPropose(tx, task, { offerId }, proposals) {
      if (!isJob(task.type) || offerId === undefined) return ok()
      if (proposals.some((one) => one.proposal['offerId'] === offerId)) return ok()
      const list = task.role === 'inviter' ? ofContact(tx, task) : offers.own(tx, task.agent)
      return isAmong(list, offerId) ? ok() : fail(UNKNOWN)
    }
  }
}

const UNKNOWN = badRequest(
  'unknown_offer',
  'The provider has no such offer, or took it back. Read its offers again, or leave offerId out.',
  'proposal.offerId'
)

function isAmong(offers: readonly Offer[], offerId: unknown): boolean {
  return offers.some((offer) => offer.offerId === offerId)
}
