import type { HomePaths } from '../../api/home.js'
import type { Finding } from '../../clients/cli/launch.js'
import { clusterOf, openChain, rpcUrlOf } from '../chain.js'
import type { Cluster } from '../../payments/terms.js'
import type { Config } from '../settings.js'
import { failed } from './finding.js'

/** The chain on which jobs are paid, asked as the node asks it; and whether there is a wallet to pay from. */
export async function lookAtChain(config: Config, paths: HomePaths): Promise<Finding[]> {
  const cluster = clusterOf(config)
  if (cluster === undefined) return [{ check: 'chain', state: 'ok', found: 'none is configured: no paid jobs' }]
  try {
    const { host } = new URL(rpcUrlOf(config, cluster))
    const parts = await openChain(config, paths)
    const checked = await parts?.chain.check()
    if (checked?.ok === false) return [unusable(cluster, `${cluster} at ${host}: ${checked.refusal.message}`)]
    return [{ check: 'chain', state: 'ok', found: `${cluster} answers at ${host}` }, walletOf(parts?.chain.address())]
  } catch (error) {
    return [failed('chain', error)]
  }
}

function unusable(cluster: Cluster, found: string): Finding {
  const start =
    cluster === 'solana:localnet' ? 'start the local chain in another shell with: `agentlink localnet`; ' : ''
  const advice = `${start}until it answers nothing is paid and no payment is seen; see chain.cluster and chain.rpc_url in config.toml`
  return { check: 'chain', state: 'fail', found, advice }
}

function walletOf(address: string | undefined): Finding {
  if (address !== undefined) return { check: 'wallet', state: 'ok', found: address }
  return { check: 'wallet', state: 'warn', found: 'there is none', advice: 'make one with: `agentlink wallet create`' }
}
