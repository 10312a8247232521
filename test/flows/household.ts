/** A household on Solana's own runtime whose hirer is under fire while it pays. */
import { type Chained, POLL_MS, PRICE, chained } from './chained.js'
import { FAULTS, type Fault } from '../../src/solana/localnet/faults.js'
import { agreed, pay, taskAt } from './jobs.js'
import { Killer, MOMENTS } from './killer.js'
import type { Node } from './pair.js'
import type { Way } from './runtime.js'

/** Lives of the hirer's node per job; in the last ones there is peace. */
const LIVES = 14
/** Looks at the chain that one life lasts at most. */
const LOOKS = 24
/** So many looks for its moment, and a shot takes any: a life without one costs as much and shows nothing. */
const PATIENCE = 4
/** Faults change this often: a node that forgets for ever is one that lies, and is met elsewhere. */
const WEATHER = 4
const EVERY_FAULT = Object.keys(FAULTS) as Fault[]

type Fire = keyof typeof MOMENTS | 'peace'

export interface Household {
  readonly stop: () => Promise<void>
  readonly killer: Killer
  /** One job from agreement to payment, with up to so many kills; throws when it is not paid in the end. */
  payUnderFire(kills: number): Promise<void>
  faultsOnLedger(): Promise<readonly string[]>
}

export async function household(options: {
  readonly seed: number
  readonly jobs: number
  readonly way: Way
}): Promise<Household> {
  const random = numbers(options.seed)
  // A node that hangs costs real time over HTTP.
  const faults = options.way === 'http' ? EVERY_FAULT.filter((one) => one !== 'hang') : EVERY_FAULT
  const killer = new Killer()
  const at: Chained = await chained({
    jobs: options.jobs,
    way: options.way,
    disk: killer.disk,
    hirerAt: (moment) => killer.strikes(moment)
  })
  const { hired, hirer, provider } = at
  const { world, alice, bob } = hired
  killer.victim = alice
  const uids: string[] = []

  async function payUnderFire(kills: number): Promise<void> {
    const uid = await agreed(hired, { price: PRICE })
    uids.push(uid)
    for (let life = 0; life < LIVES && (await statusOf(uid)) !== 'paid'; life++) {
      const fire = life < LIVES - 3 && killer.kills < kills
      const under = fire ? aim(await isSigned(uid)) : 'peace'
      await live(uid, under)
      if (fire && !killer.aims) await restart(alice)
      killer.spare()
    }
    const ends = [await statusOf(uid), (await taskAt(hired, bob, uid)).status]
    if (ends.join() !== 'paid,paid') throw new Error(`in the end it is ${ends.join(' and ')}`)
  }

  function aim(signed: boolean): Fire {
    const drawn = random(2) === 0 ? 'signed' : random(3) === 0 ? 'missed' : 'unsigned'
    const under = signed ? 'signed' : drawn
    const moments = MOMENTS[under]
    killer.aim(moments[random(moments.length)] ?? '', random(3) === 0 ? 2 : 1)
    return under
  }

  async function isSigned(uid: string): Promise<boolean> {
    const { job } = await taskAt(hired, alice, uid)
    return job?.attempts.at(-1)?.signature !== undefined
  }

  async function statusOf(uid: string): Promise<string> {
    return (await taskAt(hired, alice, uid)).status
  }

  /** One life of the hirer's node, until the shot, the end of the job, or the end of patience. */
  async function live(uid: string, under: Fire): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      if (look % WEATHER === 0) {
        const status = await statusOf(uid)
        if (status === 'paid') break
        if (status !== 'paying' && !(await promised(uid))) return
        weather(under)
      }
      if (look === PATIENCE && under !== 'missed') killer.hurry()
      await world.rest(POLL_MS)
      if (under !== 'peace' && !killer.aims) break
    }
    weather('peace')
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

  function weather(under: Fire): void {
    const before = hirer.faults.has('forgotten')
    for (const one of [hirer, provider]) {
      one.faults.clear()
      for (const fault of faults) if (under !== 'peace' && under !== 'missed' && random(8) === 0) one.faults.add(fault)
    }
    // Only what never lands is missed.
    if (under === 'missed') hirer.faults.add('dropped')
    if (before) hirer.faults.delete('forgotten')
  }

  async function restart(node: Node): Promise<void> {
    await node.start({ payments: hirer.payments() })
  }

  return {
    killer,
    stop: () => at.runtime.stop(),
    payUnderFire,
    faultsOnLedger: () => at.faultsOnLedger(uids)
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
