import type { HomePaths } from '../api/home.js'
import type { Payments } from '../flows/flows.js'
import { parsePrice } from '../payments/price.js'
import { openChain } from './chain.js'
import type { Config } from './settings.js'

/**
 * The chain of the home with the owner's limits; undefined when none is configured: then the node makes and takes no
 * payments. A wallet that is made later is known after the next start.
 * @throws CommandFailure when there is a wallet file that can't be used
 */
export async function openPayments(config: Config, paths: HomePaths): Promise<Payments | undefined> {
  const parts = await openChain(config, paths)
  if (parts === undefined) return undefined
  const { per_job_sol, per_day_sol } = config.spend
  const spend = { perJob: lamportsOf(per_job_sol), perDay: lamportsOf(per_day_sol) }
  return { chain: parts.chain, spend, pollMs: config.chain.poll_ms }
}

/** The settings were checked; a limit of 0 is no price, and means nothing. */
function lamportsOf(sol: string): bigint {
  const lamports = parsePrice({ amount: sol, currency: 'SOL' })
  return lamports.ok ? BigInt(lamports.value) : 0n
}
