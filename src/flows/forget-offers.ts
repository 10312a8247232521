import type { Pair } from './chain.js'
import { pairKey } from './keys.js'
import type { Tx } from './ports.js'

/** Offers go with the contact (protocols/jobs.md, "Offers"). These are apart from the rest because the contacts rest on them. */

/** Stages that a contact which is not active any more has no offers here, and that it was told none of ours. */
export function forgetOffers(tx: Tx, pair: Pair): void {
  tx.del('contactOffers', pairKey(pair.agent, pair.peer))
  forgetTold(tx, pair)
}

/** Stages that the contact may not have what it was told: it is told again. */
export function forgetTold(tx: Tx, { agent, peer }: Pair): void {
  tx.del('offersTold', pairKey(agent, peer))
}
