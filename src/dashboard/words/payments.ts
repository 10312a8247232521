import type { AnswerOf } from '../../api/contract.js'
import { isOdd } from '../../api/words/payments.js'

/** The money of jobs: how far ours came, what came to us, and what is odd about it. */

export type Money = AnswerOf<'owner.payments.list'>['items'][number]
export type Received = Money['received'][number]

export function hasOdd({ received }: Pick<Money, 'received'>): boolean {
  return received.some(isOdd)
}
