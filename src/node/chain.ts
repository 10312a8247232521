import { readFileSync } from 'node:fs'
import type { HomePaths } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { Chain } from '../flows/ports.js'
import type { Cluster } from '../payments/terms.js'
import type { Rpc } from '../solana/rpc.js'
import type { Signer } from '../wire/ed25519.js'
import { hasPrivateFile } from './home.js'
import type { Config } from './settings.js'

/** The configured chain, with the wallet of the home. What speaks to a chain is loaded only by a node that has one. */

const USUAL_RPC: Readonly<Record<Cluster, string>> = {
  'solana:devnet': 'https://api.devnet.solana.com',
  'solana:localnet': 'http://127.0.0.1:8899'
}

export interface ChainParts {
  readonly chain: Chain
  readonly rpc: Rpc
}

/** The cluster that the configuration names; undefined when this node has none. */
export function clusterOf(config: Config): Cluster | undefined {
  return config.chain.cluster === 'off' ? undefined : `solana:${config.chain.cluster}`
}

/** Where the chain is asked. It may hold an access key: what is shown of it is the host alone. */
export function rpcUrlOf(config: Config, cluster: Cluster): string {
  return config.chain.rpc_url === '' ? USUAL_RPC[cluster] : config.chain.rpc_url
}

/**
 * Undefined when no chain is configured. Nothing is asked yet, and there need not be a wallet.
 * @throws CommandFailure when there is a wallet file that can't be used
 */
export async function openChain(config: Config, paths: HomePaths): Promise<ChainParts | undefined> {
  const cluster = clusterOf(config)
  if (cluster === undefined) return undefined
  const { createRpc } = await import('../solana/rpc.js')
  const { createRpcChain } = await import('../solana/rpc-chain.js')
  const rpc = createRpc({ url: rpcUrlOf(config, cluster), deadlineMs: config.chain.deadline_ms })
  return { rpc, chain: createRpcChain({ rpc, cluster, wallet: await openWallet(paths) }) }
}

/** The wallet's key; undefined when there is no file. Throws CommandFailure as `openChain` does. */
export async function openWallet(paths: HomePaths): Promise<Signer | undefined> {
  const file = paths.wallet
  if (!hasPrivateFile(paths, file)) return undefined
  const { readWallet } = await import('../solana/wallet.js')
  const read = readWallet(readFileSync(file, 'utf8'))
  if (!read.ok) throw new CommandFailure(EXIT.home, `${file}: ${read.refusal.message}`)
  return read.value
}
