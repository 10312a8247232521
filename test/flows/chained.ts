/** A hirer and a provider on Solana's own runtime, and what the chain's own ledger says of them. */
import { MINUTE, SECOND } from '../../src/base/time.js'
import type { Payments } from '../../src/flows/flows.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import type { Fault } from '../../src/solana/localnet/faults.js'
import type { Signer } from '../../src/wire/ed25519.js'
import type { MemoryDiskOptions } from '../support/memoryKeyValue.js'
import { type Hired, HIRER, PROVIDER, addressOf } from './jobs.js'
import { befriend, createWorld, openUp } from './pair.js'
import { type Runtime, type Seen, type Told, type Way, openRuntime } from './runtime.js'

/** What every job costs. */
const LAMPORTS = 1_000_000n
export const PRICE = '0.001'
const FEE = 5000n
const RICHES = 1_000_000_000n
export const POLL_MS = 15 * SECOND

/** One side, with its RPC node. */
export interface Party {
  readonly faults: Set<Fault>
  /** What its RPC node makes of an answer, if it lies. */
  lie: Told | undefined
  /** The port of a new life, which knows nothing of the one before; a life that is over asks nothing more. */
  payments(): Payments
}

export interface Chained {
  readonly hired: Hired
  readonly runtime: Runtime
  readonly hirer: Party
  readonly provider: Party
  /** Payments of a job that the ledger holds. */
  timesPaid(uid: string): Promise<number>
  /** What the ledger holds against them: empty when every one of these jobs was paid once, and no lamport is missing. */
  faultsOnLedger(uids: readonly string[]): Promise<readonly string[]>
}

interface ChainedOptions {
  /** The limits of the owner allow this many, and not a lamport more: what is proved dead must come back. */
  readonly jobs: number
  readonly way?: Way
  readonly disk?: MemoryDiskOptions
  /** Hears of each moment around a call of a side to the chain; true: the caller dies of it. */
  readonly hirerAt?: (moment: string) => boolean
  readonly providerAt?: (moment: string) => boolean
}

const LIVE = (): boolean => false

export async function chained(options: ChainedOptions): Promise<Chained> {
  const world = createWorld()
  const runtime = await openRuntime(world.clock, options.way)
  const spend = { perJob: LAMPORTS, perDay: LAMPORTS * BigInt(options.jobs) }
  const hirer = party(runtime, HIRER, spend, options.hirerAt ?? LIVE)
  const provider = party(runtime, PROVIDER, spend, options.providerAt ?? LIVE)
  for (const wallet of [HIRER, PROVIDER]) await runtime.give(addressOf(wallet), RICHES)
  const flows = { sweepMs: 10 * MINUTE, queuePerContact: 100_000, openApprovals: 10_000 }
  const types = builtinTypes()
  const { disk } = options
  const own = { types, flows, payments: hirer.payments(), ...(disk === undefined ? {} : { disk }) }
  const alice = await world.node('alice', own)
  const bob = await world.node('bob', { types, flows, payments: provider.payments() })
  await befriend(world, alice, bob)
  await openUp(world, alice, bob)

  async function sent(): Promise<readonly Seen[]> {
    const payer = addressOf(HIRER)
    return (await runtime.history(payer)).filter(({ from }) => from === payer)
  }

  return {
    hired: { world, alice, bob },
    runtime,
    hirer,
    provider,
    timesPaid: async (uid) => (await sent()).filter((one) => isFor(one, uid)).length,
    async faultsOnLedger(uids) {
      const all = await sent()
      const landed = all.filter(({ failed }) => !failed)
      const times = uids.map((uid) => landed.filter((one) => isFor(one, uid)).length)
      const paid = BigInt(uids.length) * LAMPORTS
      const fees = BigInt(all.length) * FEE
      return [
        ...times.flatMap((count, at) => (count === 1 ? [] : [`job ${at + 1} was paid ${count} times`])),
        ...(landed.length === uids.length ? [] : [`${landed.length} payments for ${uids.length} jobs`]),
        ...((await runtime.balance(addressOf(PROVIDER))) === RICHES + paid ? [] : ['the provider has not all prices']),
        ...((await runtime.balance(addressOf(HIRER))) === RICHES - paid - fees
          ? []
          : ['the hirer has not what is left'])
      ]
    }
  }
}

function isFor({ memo, lamports, to, failed }: Seen, uid: string): boolean {
  return !failed && memo.startsWith(`agentlink:1:${uid}:`) && lamports === LAMPORTS && to === addressOf(PROVIDER)
}

function party(
  runtime: Runtime,
  wallet: Signer,
  spend: Payments['spend'],
  strikes: (moment: string) => boolean
): Party {
  let lives = 0
  const one: Party = {
    faults: new Set(),
    lie: undefined,
    payments() {
      const life = ++lives
      let dead = false
      const dies = (moment: string): boolean => (dead ||= life !== lives || strikes(moment))
      const lie: Told = (method, answer) => (one.lie === undefined ? answer : one.lie(method, answer))
      return { chain: runtime.chainOf({ wallet, faults: one.faults, dies, lie }), spend, pollMs: POLL_MS }
    }
  }
  return one
}
