import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type HomePaths, homePaths } from '../api/home.js'
import type { Result } from '../base/result.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { BalanceReport, LimitsReport, WalletDesk, WalletReport } from '../clients/cli/launch.js'
import { parseAddress } from '../payments/address.js'
import { parsePrice, showLamports } from '../payments/price.js'
import { readWallet, walletText } from '../solana/wallet.js'
import { toBase58 } from '../wire/base58.js'
import type { Signer } from '../wire/ed25519.js'
import { requestAirdrop } from '../solana/faucet.js'
import { type ChainParts, clusterOf, openChain, openWallet } from './chain.js'
import { loadConfig } from './config.js'
import { agentNames, checkHome, writePrivateOnce } from './home.js'
import type { Config } from './settings.js'

/** `agentlink wallet …`: works on the home's files and asks the chain itself, whether the node runs or not. */

const SEED_BYTES = 32
const POLL_MS = 500
const LANDING_MS = 60_000

export function openWalletDesk(home: string): WalletDesk {
  const paths = homePaths(home)
  checkHome(paths, agentNames(paths))
  const config = loadConfig(paths.config, process.env)
  return {
    create: () => stored(paths, walletText(randomBytes(SEED_BYTES))),
    import: (text) => stored(paths, rewritten(text)),
    address: async () => ({ address: addressOf(await needed(paths)), file: paths.wallet }),
    balance: (address) => balanceOf(config, paths, address),
    airdrop: (sol) => airdrop(config, paths, sol),
    limits: () => limitsOf(config)
  }
}

async function stored(paths: HomePaths, text: string): Promise<WalletReport> {
  const file = paths.wallet
  if (!writePrivateOnce(file, text)) {
    throw new CommandFailure(EXIT.refused, `there is a wallet already: ${file}; move it away first if you mean it`)
  }
  return { address: addressOf(await needed(paths)), file }
}

/** What was read is written anew, so that nothing but the key gets into the file. */
function rewritten(text: string): string {
  const read = readWallet(text)
  if (!read.ok) throw new CommandFailure(EXIT.refused, read.refusal.message, { error: read.refusal })
  return `${JSON.stringify(JSON.parse(text))}\n`
}

function addressOf(wallet: Signer): string {
  return toBase58(wallet.publicKey)
}

async function needed(paths: HomePaths): Promise<Signer> {
  const wallet = await openWallet(paths)
  if (wallet !== undefined) return wallet
  throw new CommandFailure(EXIT.refused, 'this node has no wallet; make one with: `agentlink wallet create`')
}

async function neededChain(config: Config, paths: HomePaths): Promise<ChainParts> {
  const parts = await openChain(config, paths)
  if (parts !== undefined) return parts
  throw new CommandFailure(
    EXIT.usage,
    `no chain is configured; set chain.cluster to "devnet" or "localnet" in ${paths.config}`
  )
}

async function balanceOf(config: Config, paths: HomePaths, given: string | undefined): Promise<BalanceReport> {
  const { chain } = await neededChain(config, paths)
  if (given !== undefined) taken(parseAddress(given))
  const address = given ?? addressOf(await needed(paths))
  const lamports = taken(await chain.balance(address))
  return { address, cluster: chain.cluster, lamports: lamports.toString(), sol: showLamports(lamports) }
}

async function airdrop(config: Config, paths: HomePaths, sol: string): Promise<BalanceReport> {
  const lamports = Number(taken(parsePrice({ amount: sol, currency: 'SOL' }, 'amount')))
  const { chain, rpc } = await neededChain(config, paths)
  taken(await chain.check())
  const before = await balanceOf(config, paths, undefined)
  taken(await requestAirdrop(rpc, before.address, lamports))
  const end = performance.now() + LANDING_MS
  for (;;) {
    const now = await balanceOf(config, paths, undefined)
    if (BigInt(now.lamports) > BigInt(before.lamports)) return now
    if (performance.now() > end) {
      throw new CommandFailure(
        EXIT.refused,
        'the airdrop has not landed yet; look later with: `agentlink wallet balance`'
      )
    }
    await pause(POLL_MS)
  }
}

function limitsOf(config: Config): LimitsReport {
  return {
    cluster: clusterOf(config) ?? 'off',
    perJobSol: config.spend.per_job_sol,
    perDaySol: config.spend.per_day_sol
  }
}

function taken<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const { refusal } = result
  throw new CommandFailure(EXIT.refused, refusal.message, { error: refusal })
}
