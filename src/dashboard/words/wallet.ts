import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { solOf } from '../../api/words/money.js'

/** The wallet of the node and the limits on it, in the words of an owner. */

export type Wallet = AnswerOf<'owner.wallet.read'>['wallet']
export type Limits = NonNullable<Wallet['limits']>
type Left = Pick<Limits, 'perJob' | 'perDay' | 'left'>

/** Steps of a meter that is full. */
export const METER_STEPS = 1000

/** Where the money is: no real one, and that is said. */
export function clusterWords(cluster: string): string {
  if (cluster === 'solana:devnet') return 'Play money on Solana devnet'
  return cluster === 'solana:localnet' ? 'Play money on a local chain' : `Play money on ${visible(cluster)}`
}

/** How much of the day is taken, in steps of the meter. More than all of a lowered limit is a full meter. */
export function meterOf({ counted, perDay }: Pick<Limits, 'counted' | 'perDay'>): number {
  const [taken, all] = [lamportsOf(counted), lamportsOf(perDay)]
  if (taken === undefined || all === undefined || taken >= all) return METER_STEPS
  return Number((taken * BigInt(METER_STEPS)) / all)
}

/** The same as a sentence. */
export function dayWords({ counted, perDay, left }: Pick<Limits, 'counted' | 'perDay' | 'left'>): string {
  return `${solOf(counted)} of ${solOf(perDay)} promised or spent, ${solOf(left)} left to spend`
}

export interface LeftWords {
  /** `above`: a yes would pay nothing. */
  readonly state: 'within' | 'above'
  readonly text: string
}

/** What a payment of so many lamports leaves of the limits. */
export function leftWords(limits: Left, lamports: string): LeftWords {
  const { perJob, perDay, left } = limits
  const [wanted, most, day] = [lamportsOf(lamports), lamportsOf(perJob), lamportsOf(left)]
  const rest = `${solOf(left)} of the ${solOf(perDay)} for 24 hours are left`
  if (wanted === undefined || most === undefined || day === undefined) return { state: 'within', text: `${rest}.` }
  if (wanted > most) {
    return { state: 'above', text: `It is more than the ${solOf(perJob)} that one job may cost: a yes pays nothing.` }
  }
  if (wanted > day) return { state: 'above', text: `It is more than what is left: ${rest}. A yes pays nothing.` }
  return { state: 'within', text: `${rest}, and ${solOf((day - wanted).toString())} after this payment.` }
}

function lamportsOf(text: string): bigint | undefined {
  return /^(0|[1-9][0-9]{0,19})$/.test(text) ? BigInt(text) : undefined
}
