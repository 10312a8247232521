/**
 * Many short lives of questions to one owner, side by side: in each the agent asks, the contact moves, and the owner says
 * yes, no, twice, too late, or changes the rules, all at once; after every step all that took effect is judged.
 */
import type { AgentId } from '../../src/base/ids.js'
import { HOUR } from '../../src/base/time.js'
import { type Prng, createPrng } from '../sim/prng.js'
import { Rules, createJudge } from './executed-judge.js'
import { AGENT_MOVES, type Lane, OWNER_MOVES, PEER_MOVES } from './executed-moves.js'
import { type World, createWorld, good, idOf } from './pair.js'

/** Contacts of the agent: each has a life of its own at a time. */
const CONTACTS = ['bob', 'bea', 'ben', 'bix', 'boz', 'bud', 'bly', 'bay']
/** Steps of one life, and lives of a contact before the world is made anew: what was stored slows nothing down then. */
const STEPS = 6
const LIVES = 16

export interface Lives {
  readonly runs: number
  readonly fault?: string
  readonly seed: number
  readonly counts: ReadonlyMap<string, number>
}

/** Plays at least `runs` lives, from a seed on; stops at the first fault. */
export async function playLives(runs: number, firstSeed: number): Promise<Lives> {
  const counts = new Map<string, number>()
  let done = 0
  for (let seed = firstSeed; ; seed++) {
    const lanes = await playWorld(seed)
    done += LIVES * lanes.lanes.length
    for (const { judge } of lanes.lanes) {
      for (const [kind, times] of judge.counts) counts.set(kind, (counts.get(kind) ?? 0) + times)
    }
    if (lanes.fault !== undefined || done >= runs) {
      return { runs: done, seed, counts, ...(lanes.fault === undefined ? {} : { fault: lanes.fault }) }
    }
  }
}

async function playWorld(seed: number): Promise<{ readonly lanes: readonly Lane[]; readonly fault?: string }> {
  const prng = createPrng(seed)
  const world = createWorld()
  const lanes = await meet(world, prng)
  for (let step = 0; step < LIVES * STEPS; step++) {
    if (step % STEPS === 0) for (const lane of lanes) begin(lane)
    const moves = lanes.flatMap((lane) => movesOf(lane))
    await world.do(Promise.all(moves.map((move) => move())))
    // Whatever waits is too late now, all at once, and the tasks of an hour are over.
    if (prng.chance(0.04)) world.clock.jump(prng.pick([HOUR, 2 * HOUR]))
    const faults = await world.do(Promise.all(lanes.map((lane) => lane.judge.look())))
    const fault = faults.find((one) => one !== undefined)
    if (fault !== undefined) return { lanes, fault }
  }
  return { lanes }
}

function begin(lane: Lane): void {
  lane.tasks.length = 0
  lane.envelopes.length = 0
  lane.again = undefined
}

/** The moves of one step of one life, in random order: none waits for another. */
function movesOf(lane: Lane): Array<() => Promise<unknown>> {
  const { prng } = lane
  const agent = prng.pick(AGENT_MOVES)
  const owner = prng.chance(0.7) ? [prng.pick(OWNER_MOVES)] : []
  const peer = prng.chance(0.5) ? [prng.pick(PEER_MOVES)] : []
  const all = [agent, ...owner, ...peer]
  if (prng.chance(0.5)) all.reverse()
  return all.map((move) => () => move(lane))
}

async function meet(world: World, prng: Prng): Promise<Lane[]> {
  const flows = { approvalHours: 1, openApprovals: 1_000, queuePerContact: 10_000, pendingContacts: 50 }
  const alice = await world.node('alice', { flows })
  const [first = '', ...others] = CONTACTS
  const bob = await world.node(first, { agents: others, flows })
  const lanes: Lane[] = []
  for (const name of CONTACTS) {
    const peer: AgentId = idOf(name)
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
    good(await world.do(bob.flows.owner.addContact({ agent: peer, link })))
    for (const capability of ['disclose.*', 'delegate.submit', 'delegate.report']) {
      good(await world.do(bob.flows.owner.setGrant({ agent: peer, contact: '*', capability, effect: 'allow' })))
    }
    const rules = new Rules()
    const judge = createJudge(alice, peer, rules)
    lanes.push({ alice, bob, peer, rules, judge, prng: prng.fork(name), tasks: [], envelopes: [], again: undefined })
  }
  await world.rest()
  for (const { judge } of lanes) await judge.look()
  return lanes
}
