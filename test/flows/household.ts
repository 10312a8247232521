/** A hirer and a provider on Solana's runtime, the hirer under fire; and what the chain's own ledger says of them in the end. */
import { MINUTE, SECOND } from '../../src/base/time.js'
import type { Payments } from '../../src/flows/flows.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import type { Fault } from '../../src/solana/localnet/faults.js'
import type { Signer } from '../../src/wire/ed25519.js'
import { type Hired, HIRER, PROVIDER, addressOf, agreed, pay, taskAt } from './jobs.js'
import { Killer, MOMENTS } from './killer.js'
import { type Node, befriend, createWorld, openUp } from './pair.js'
import { type Runtime, type Seen, type Way, openRuntime } from './runtime.js'

const LAMPORTS = 1_000_000n
const PRICE = '0.001'
const FEE = 5000n
const RICHES = 1_000_000_000n
const POLL_MS = 15 * SECOND
/** Lives of the hirer's node per job; in the last ones there is peace. */
const LIVES = 14
/** Looks at the chain that one life lasts at most. */
const LOOKS = 24
/** Faults change this often: a node that forgets for ever is one that lies, and is met elsewhere. */
const WEATHER = 4
const FAULTS: readonly Fault[] = [
  'dropped',
  'late',
  'forgotten',
  'lying',
  'behind',
  'mainnet',
  '429',
  'truncated',
  'hang'
]

interface Party {
  readonly faults: Set<Fault>
  readonly payments: () => Payments
}

export interface Household {
  readonly hired: Hired
  readonly runtime: Runtime
  readonly killer: Killer
  /** Jobs that were begun. */
  readonly uids: readonly string[]
  /** One job from agreement to payment, with up to so many kills; throws when it is not paid in the end. */
  payUnderFire(kills: number): Promise<void>
  /** What the ledger holds against them: empty when every job was paid once, and no lamport is missing. */
  faultsOnLedger(): Promise<readonly string[]>
}

export async function household(options: {
  readonly seed: number
  readonly jobs: number
  readonly way: Way
}): Promise<Household> {
  const random = numbers(options.seed)
  // A node that hangs costs real time over HTTP.
  const faults = options.way === 'http' ? FAULTS.filter((one) => one !== 'hang') : FAULTS
  const world = createWorld()
  const runtime = await openRuntime(world.clock, options.way)
  const killer = new Killer()
  // Not a lamport more than all jobs cost: what was proved dead must have come back.
  const spend = { perJob: LAMPORTS, perDay: LAMPORTS * BigInt(options.jobs) }
  const hirer = party(runtime, HIRER, spend, (moment) => killer.strikes(moment))
  const provider = party(runtime, PROVIDER, spend, () => false)
  for (const wallet of [HIRER, PROVIDER]) await runtime.give(addressOf(wallet), RICHES)
  const flows = { sweepMs: 10 * MINUTE, queuePerContact: 100_000, openApprovals: 10_000 }
  const types = builtinTypes()
  const alice = await world.node('alice', { types, flows, payments: hirer.payments(), disk: killer.disk })
  const bob = await world.node('bob', { types, flows, payments: provider.payments() })
  await befriend(world, alice, bob)
  await openUp(world, alice, bob)
  killer.victim = alice
  const hired = { world, alice, bob }
  const uids: string[] = []

  async function payUnderFire(kills: number): Promise<void> {
    const uid = await agreed(hired, { price: PRICE })
    uids.push(uid)
    for (let life = 0; life < LIVES && (await statusOf(uid)) !== 'paid'; life++) {
      const fire = life < LIVES - 3 && killer.kills < kills
      if (fire) aim(await isSigned(uid))
      await live(uid, fire)
      if (fire && !killer.aims) await restart(alice)
      killer.spare()
    }
    const ends = [await statusOf(uid), (await taskAt(hired, bob, uid)).status]
    if (ends.join() !== 'paid,paid') throw new Error(`in the end it is ${ends.join(' and ')}`)
  }

  function aim(signed: boolean): void {
    const moments = MOMENTS[signed || random(2) === 0 ? 'signed' : 'unsigned']
    killer.aim(moments[random(moments.length)] ?? '', random(3) === 0 ? 2 : 1)
  }

  async function isSigned(uid: string): Promise<boolean> {
    const { job } = await taskAt(hired, alice, uid)
    return job?.attempts.at(-1)?.signature !== undefined
  }

  async function statusOf(uid: string): Promise<string> {
    return (await taskAt(hired, alice, uid)).status
  }

  /** One life of the hirer's node, until the shot, the end of the job, or the end of patience. */
  async function live(uid: string, fire: boolean): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      if (look % WEATHER === 0) {
        const status = await statusOf(uid)
        if (status === 'paid') break
        if (status !== 'paying' && !(await promised(uid))) return
        weather(fire)
      }
      await world.rest(POLL_MS)
      if (fire && !killer.aims) break
    }
    weather(false)
  }

  /** False when the node died of it. */
  async function promised(uid: string): Promise<boolean> {
    const aimed = killer.aims
    try {
      await pay(hired, uid)
    } catch (error) {
      if (!aimed || killer.aims) throw error
      return false
    }
    return true
  }

  function weather(fire: boolean): void {
    const before = hirer.faults.has('forgotten')
    for (const one of [hirer, provider]) {
      one.faults.clear()
      for (const fault of faults) if (fire && random(8) === 0) one.faults.add(fault)
    }
    if (before) hirer.faults.delete('forgotten')
  }

  async function restart(node: Node): Promise<void> {
    await node.start({ payments: hirer.payments() })
  }

  async function faultsOnLedger(): Promise<readonly string[]> {
    const [payer, recipient] = [addressOf(HIRER), addressOf(PROVIDER)]
    const all = (await runtime.history(payer)).filter(({ from }) => from === payer)
    const landed = all.filter(({ failed }) => !failed)
    const times = uids.map((uid) => landed.filter((one) => isFor(one, uid)).length)
    const paid = BigInt(uids.length) * LAMPORTS
    const fees = BigInt(all.length) * FEE
    return [
      ...times.flatMap((count, at) => (count === 1 ? [] : [`job ${at + 1} was paid ${count} times`])),
      ...(landed.length === uids.length ? [] : [`${landed.length} payments for ${uids.length} jobs`]),
      ...((await runtime.balance(recipient)) === RICHES + paid ? [] : ['the provider has not the price of all jobs']),
      ...((await runtime.balance(payer)) === RICHES - paid - fees ? [] : ['the hirer has not what is left'])
    ]
  }

  return { hired, runtime, killer, uids, payUnderFire, faultsOnLedger }
}

function isFor({ memo, lamports, to }: Seen, uid: string): boolean {
  return memo.startsWith(`agentlink:1:${uid}:`) && lamports === LAMPORTS && to === addressOf(PROVIDER)
}

/** Each life has a port of its own, which knows nothing of the one before; a life that is over asks nothing more. */
function party(
  runtime: Runtime,
  wallet: Signer,
  spend: Payments['spend'],
  strikes: (moment: string) => boolean
): Party {
  const faults = new Set<Fault>()
  let lives = 0
  return {
    faults,
    payments() {
      const life = ++lives
      let dead = false
      const dies = (moment: string): boolean => (dead ||= life !== lives || strikes(moment))
      return { chain: runtime.chainOf({ wallet, faults, dies }), spend, pollMs: POLL_MS }
    }
  }
}

/** Repeatable whole numbers below a bound. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
