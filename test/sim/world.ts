/** One seed: nodes, network, faults and people; run until everything is quiet, or until something that must not be is. */
import { readFileSync } from 'node:fs'
import type { KvOp } from '../../src/store/key-value.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { InstalledType } from '../../src/types/catalog.js'
import { readDefinition } from '../../src/types/definition.js'
import { duel, moveAgent, observe } from './agents.js'
import { createAuditWatch } from './audit.js'
import { type Actor, type Cast, createActor } from './cast.js'
import { delegationFaults } from './delegated.js'
import { createDisk } from './disk.js'
import { isOfMoney, runMoney } from './money.js'
import { createNemesis } from './nemesis.js'
import { type Network, createNetwork } from './network.js'
import { type SimNode, createNode } from './node.js'
import { type Temper, acceptPending, connectContacts, moveOwner, openUp } from './owners.js'
import { Plans } from './plans.js'
import { type Prng, createPrng } from './prng.js'
import { recordFaults } from './deeds.js'
import { chainsOf, differences, isDelivered, talking } from './quiet.js'
import { createScheduler, settle as settleMicrotasks } from './scheduler.js'
import { createTrace } from './trace.js'
import { heldFaults, moveTypes, startWithTypes } from './types.js'
import { createTraffic } from './traffic.js'
import { createWork } from './work.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Everything that was written must be settled this long after the last fault. */
const QUIET_MS = 10 * MINUTE
/** Time to make contacts before anything goes wrong. */
const CALM_MS = 30 * SECOND
/** Frames under way on one connection, connections between two nodes, and events waiting: more is a leak. */
const MOST = { frames: 1_500, connections: 12, events: 20_000 } as const

export interface Outcome {
  readonly seed: number
  /** What went wrong first; undefined when all held. */
  readonly failure?: string
  /** SHA-256 of all that happened. */
  readonly hash: string
  readonly tail: readonly string[]
  readonly events: number
  /** Pairs that talked to the end, and answers and messages by kind: what a seed exercised. */
  readonly talked: number
  readonly counts: ReadonlyMap<string, number>
}

export interface WorldOptions {
  readonly seed: number
  /** Number of nodes; drawn by the seed when not given. */
  readonly nodes?: number
  readonly print?: (line: string) => void
  /** No fault ever strikes: for stories. */
  readonly calm?: true
}

const DINNER = dinner()

/** The type that all nodes of a world have. */
export function dinnerType(): InstalledType {
  return DINNER
}

/** Runs one seed from beginning to end. */
export async function runSeed(options: WorldOptions): Promise<Outcome> {
  if (isOfMoney(options.seed) && options.nodes === undefined) return runMoney(options)
  const world = createWorld(options)
  await world.run()
  return world.outcome()
}

/** The parts of a world, for scripts that play their own story in it. */
export interface World {
  readonly cast: Cast
  readonly nodes: readonly SimNode[]
  readonly network: Network
  /** The whole of a seed. */
  run(): Promise<void>
  /** Boots all nodes and makes them contacts of each other. */
  meet(): Promise<void>
  /** Lets `ms` milliseconds of the world pass. Rejects when something happened that must not. */
  pass(ms: number): Promise<void>
  /** Ends all faults, waits until everything is quiet, and judges. */
  settle(): Promise<void>
  outcome(): Outcome
}

export function createWorld(options: WorldOptions): World {
  const { seed } = options
  const prng = createPrng(seed)
  const trace = createTrace(options.print)
  const scheduler = createScheduler({ prng: prng.fork('order'), trace })
  const count = options.nodes ?? prng.pick([2, 2, 3, 3, 4])
  const span = prng.pick([3, 3, 10, 10, 30, 6 * 60]) * MINUTE
  const temper: Temper = { generous: prng.pick([0.5, 0.8, 0.95]), fickle: prng.chance(0.3) }
  // Drawn apart, so that the rest of a world is the same with and without.
  const apart = createPrng(~seed)
  const agents = options.calm !== true && apart.chance(0.6) ? 2 : 1
  let failure: string | undefined
  let events = 0

  const broken = (what: string): void => {
    failure ??= what
    trace.line(`BROKEN ${what}`)
  }
  const plans = new Plans()
  const traffic = createTraffic({ plans, broken })
  const audit = createAuditWatch({ broken })
  const network = createNetwork({
    scheduler,
    prng: prng.fork('network'),
    onFrame: (from, to, frame) => {
      trace.line(`n${from} to n${to}: ${frame[0]} of ${frame.length}`)
      traffic.onFrame(at(from).node, at(to).node, frame)
    }
  })
  const changed = new Map<Actor, Set<string>>()
  const actors = Array.from({ length: count }, (_, index) => makeActor(index))
  const nodes = actors.map((actor) => actor.node)
  const neighbours = nodes.flatMap((node) =>
    node.neighbour === undefined ? [] : [createActor(node.neighbour, apart.fork(node.neighbour.name))]
  )
  /** Every agent, with its node as it has it. */
  const seats = [...nodes, ...neighbours.map((actor) => actor.node)]
  const cast: Cast = { actors, neighbours, plans, traffic, audit, trace, broken, outcomes: new Map() }
  const work = createWork(cast, apart)
  const nemesis = createNemesis(
    { nodes, network, scheduler, prng: prng.fork('nemesis'), trace, broken, onCrash, onJump },
    { spanMs: span, ...(options.calm === true ? { faults: [] } : {}) }
  )

  function makeActor(index: number): Actor {
    const own = prng.fork(`node ${index}`)
    const disk = createDisk(
      { scheduler, prng: own.fork('disk'), onSynced: (ops) => onSynced(index, ops) },
      { name: `n${index}` }
    )
    const options = {
      approvalHours: 24,
      openApprovals: 100,
      backoff: { firstMs: 500, maxMs: 60 * SECOND },
      sweepMs: Math.min(60, Math.max(5, span / MINUTE / 3)) * SECOND,
      helloMs: 15 * SECOND,
      pendingContacts: 50,
      window: own.pick([1, 4, 256]),
      queuePerContact: 1_000,
      quotas: { tasks: 1000, tasksPerContact: 200, envelopes: 1000 }
    }
    const components = {
      scheduler,
      network,
      prng: own.fork('node'),
      trace,
      disk,
      types: [DINNER],
      agents,
      broken,
      options
    } as const
    return createActor(createNode(components, index), own.fork('actor'))
  }

  function at(index: number): Actor {
    const actor = actors[index]
    if (actor === undefined) throw new Error(`no node ${index}`)
    return actor
  }

  function onSynced(index: number, ops: readonly KvOp[]): void {
    const actor = at(index)
    audit.onSynced(actor.node, ops)
    for (const uid of traffic.onSynced(actor.node, ops)) {
      // An agent with a long poll hears of a task at once, another when it reads its inbox.
      if (actor.prng.chance(0.6)) actor.tasks.add(uid)
      if (actor.tasks.has(uid)) changed.set(actor, (changed.get(actor) ?? new Set()).add(uid))
    }
    work.onSynced(actor, ops)
  }

  function onCrash(node: SimNode): void {
    audit.onBoot(node)
    const actor = at(node.index)
    actor.calls = 0
    actor.unsure = true
    work.onCrash(node)
  }

  /** A node that jumped a year ahead has forgotten the keys of last month: repeating them is a new request. */
  function onJump(node: SimNode): void {
    const actor = at(node.index)
    actor.repeats.length = 0
    work.onJump(node)
    for (const uid of actor.tasks) observe(cast, actor, uid)
  }

  /** Runs events until `until`; whatever changed is looked at through the agents' doors at once. */
  async function runUntil(until: number): Promise<void> {
    while (failure === undefined && (await scheduler.step(until))) {
      events++
      lookAtChanged()
      checkBounds()
    }
  }

  function lookAtChanged(): void {
    for (const [actor, uids] of changed) {
      changed.delete(actor)
      for (const uid of uids) observe(cast, actor, uid)
    }
    work.lookAtChanged()
  }

  function checkBounds(): void {
    if (scheduler.pending > MOST.events) broken(`${scheduler.pending} events wait`)
    if (events % 64 !== 0) return
    for (const a of nodes) for (const b of nodes) if (a.index < b.index) checkWires(a, b)
  }

  function checkWires(a: SimNode, b: SimNode): void {
    const open = network.connections(a.index, b.index)
    if (open.length > MOST.connections) broken(`${open.length} connections between ${a.name} and ${b.name}`)
    if (open.some((one) => one.inFlight > MOST.frames)) broken(`frames pile up between ${a.name} and ${b.name}`)
  }

  async function meet(): Promise<void> {
    for (const actor of actors) await boot(actor)
    for (const actor of actors) if (actor.prng.chance(temper.generous / 2)) openUp(cast, actor)
    // A story says itself who has which type.
    if (options.calm !== true) for (const actor of actors) startWithTypes(cast, actor)
    for (const inviter of actors) {
      const guests = actors.filter((guest) => guest.node.index > inviter.node.index)
      for (const guest of guests) connectContacts(cast, inviter, guest)
    }
    work.meet()
    await runUntil(scheduler.now() + CALM_MS / 2)
    for (const actor of actors) acceptPending(cast, actor)
    await runUntil(scheduler.now() + CALM_MS / 2)
  }

  async function boot(actor: Actor): Promise<void> {
    let up = false
    actor.node.start().then(
      () => (up = true),
      (error: unknown) => broken(`${actor.node.name} does not start: ${String(error)}`)
    )
    while (!up && failure === undefined) await runUntil(scheduler.now() + 10)
  }

  /** Spreads moves of people and strikes of the nemesis over the span. */
  function schedule(): void {
    const draw = prng.fork('schedule')
    const begin = (share: number, label: string, move: () => void): void => {
      for (let left = Math.round(share); left > 0; left--) scheduler.after(draw.whole(0, span), label, move)
    }
    for (const actor of actors) {
      begin(draw.whole(8, 24), `${actor.node.name} agent`, () => burst(draw, () => moveAgent(cast, actor)))
      begin(draw.whole(0, 8), `${actor.node.name} duel`, () => duel(cast, actor))
      begin(draw.whole(4, 20), `${actor.node.name} types`, () => moveTypes(cast, actor))
      begin(draw.whole(5, 12), `${actor.node.name} owner`, () => moveOwner(cast, actor, temper))
    }
    work.schedule(begin)
    begin(draw.whole(0, 15), 'nemesis', () => nemesis.strike())
  }

  function burst(draw: Prng, move: () => void): void {
    const times = draw.chance(0.2) ? draw.whole(2, 5) : 1
    for (let left = times; left > 0; left--) move()
  }

  async function settle(): Promise<void> {
    nemesis.heal()
    const end = scheduler.now() + QUIET_MS
    await runUntil(scheduler.now() + 30 * SECOND)
    for (const actor of actors) acceptPending(cast, actor)
    const quiet = (): boolean => nodes.every((node) => node.flows !== undefined) && talking(seats).every(isDelivered)
    do await runUntil(Math.min(end, scheduler.now() + 10 * SECOND))
    while (failure === undefined && scheduler.now() < end && !quiet())
    // A little longer: what was delivered last may still be answered.
    await runUntil(scheduler.now() + 5 * SECOND)
    if (failure === undefined) judge()
  }

  function judge(): void {
    for (const actor of actors) for (const uid of actor.tasks) observe(cast, actor, uid)
    work.judge()
    for (const both of talking(seats)) {
      if (!isDelivered(both)) broken(`not settled in time: ${chainsOf(both)}`)
      else for (const fault of [...differences(both), ...heldFaults(both), ...delegationFaults(both)]) broken(fault)
    }
    for (const node of nodes) {
      audit.onBoot(node)
      for (const fault of [...recordFaults(node), ...audit.faults(node)]) broken(fault)
    }
  }

  return {
    cast,
    nodes,
    network,
    meet,
    settle,
    async pass(ms) {
      // What the story just called must get as far as its first wait before time goes on.
      await settleMicrotasks()
      await runUntil(scheduler.now() + ms)
      if (failure !== undefined) throw new Error(failure)
    },
    async run() {
      await meet()
      schedule()
      await runUntil(scheduler.now() + span)
      if (failure === undefined) await settle()
      if (failure === undefined) await runUntil(scheduler.now() + SECOND)
      if (failure === undefined) compareViews(actors, broken)
    },
    outcome: () => ({
      seed,
      ...(failure === undefined ? {} : { failure }),
      hash: trace.hash(),
      tail: trace.tail(),
      events,
      talked: talking(nodes).length,
      counts: new Map([...cast.outcomes, ...traffic.kinds])
    })
  }
}

/** What the two agents of a task were told last must go together. */
function compareViews(actors: readonly Actor[], broken: (what: string) => void): void {
  for (const [a, b] of talking(actors.map((actor) => actor.node))) {
    const [one, two] = [actors[a.index], actors[b.index]]
    for (const uid of one?.tasks ?? []) {
      const [here, there] = [one?.observed.view(uid), two?.observed.view(uid)]
      if (here === undefined || there === undefined || here.participant !== b.agent) continue
      for (const fault of disagreements(here, there)) broken(`task ${uid}: ${fault}`)
    }
  }
}

function disagreements(here: TaskView, there: TaskView): string[] {
  const faults: string[] = []
  // That an owner is asked about an action is known on one side only.
  const ends = [here.status, there.status]
    .map((one) => (one === 'awaiting_approval' ? 'agreed' : one))
    .sort()
    .join()
  if (here.agreedProposalId !== there.agreedProposalId) faults.push('two agreements')
  // Only time may still divide them: each node expires a task by its own clock.
  if (new Set(ends.split(',')).size > 1 && !ends.includes('expired')) faults.push(ends)
  if (/agreed|confirmed/.test(ends) && ends.includes('expired')) faults.push(ends)
  if (here.delivery.pending > 0 || there.delivery.pending > 0) faults.push('not delivered')
  return faults
}

function dinner(): InstalledType {
  const path = new URL('../../protocols/types/dinner.coordination@1.json', import.meta.url)
  const read = readDefinition(new Uint8Array(readFileSync(path)))
  if (!read.ok) throw new Error(`the dinner type can't be read: ${read.refusal.message}`)
  const { definition, hash } = read.value
  const { name, version } = definition
  return { name, version, hash, definition, builtin: true, retired: false }
}
