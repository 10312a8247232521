/**
 * A world of money: nodes that hire and pay each other on one chain, under the same faults as any other world and those
 * of an RPC node. Some seeds are such worlds.
 */
import { builtinTypes } from '../../src/node/builtin-types.js'
import type { Payments } from '../../src/flows/flows.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { createDisk } from './disk.js'
import { type MoneyChain, createMoneyChain } from './money-chain.js'
import { moneyFaults, resolved, sendFault } from './money-judge.js'
import { createMoves } from './money-moves.js'
import { createNemesis } from './nemesis.js'
import { createNetwork } from './network.js'
import { EPOCH, type SimNode, createNode } from './node.js'
import { type Prng, createPrng } from './prng.js'
import { differences, heldTasks, isDelivered, talking } from './quiet.js'
import { createScheduler, settle } from './scheduler.js'
import { createTrace } from './trace.js'
import type { Outcome, WorldOptions } from './world.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const CALM_MS = 20 * SECOND
/** Everything is settled, and every payment has landed or is dead, this long after the last fault. */
const QUIET_MS = 40 * MINUTE
const POLL_MS = 15 * SECOND
const LIMITS = { perJob: 250_000_000n, perDay: 1_000_000_000_000n }
const WALLETS = [1, 2, 3].map((number) => signerOf(new Uint8Array(32).fill(60 + number)))
const TYPES = builtinTypes()

/** Whether a seed is a world of money. */
export function isOfMoney(seed: number): boolean {
  return seed % 20 === 9
}

export async function runMoney({ seed, print }: Pick<WorldOptions, 'seed' | 'print'>): Promise<Outcome> {
  const prng = createPrng(seed)
  const trace = createTrace(print)
  const scheduler = createScheduler({ prng: prng.fork('order'), trace })
  const count = prng.pick([2, 2, 3])
  const span = prng.pick([10, 30, 30, 90]) * MINUTE
  let failure: string | undefined
  let events = 0
  const broken = (what: string): void => {
    failure ??= what
    trace.line(`BROKEN ${what}`)
  }
  const network = createNetwork({ scheduler, prng: prng.fork('network'), onFrame: () => undefined })
  const now = (): number => EPOCH + scheduler.now()
  const chain = createMoneyChain({ scheduler, prng: prng.fork('chain'), now })
  const nodes: readonly SimNode[] = Array.from({ length: count }, (_, index) =>
    nodeAt(index, prng.fork(`node ${index}`))
  )
  const moves = createMoves({ nodes, prng: prng.fork('moves'), broken })
  const nemesis = createNemesis(
    {
      ...{ nodes, network, scheduler, prng: prng.fork('nemesis'), trace, broken },
      onCrash: () => undefined,
      onJump: () => undefined
    },
    { spanMs: span }
  )

  function nodeAt(index: number, own: Prng): SimNode {
    const disk = createDisk({ scheduler, prng: own.fork('disk'), onSynced: () => undefined }, { name: `n${index}` })
    const options = {
      ...{ approvalHours: 24, openApprovals: 100, sweepMs: 30 * SECOND, helloMs: 15 * SECOND, pendingContacts: 50 },
      ...{ backoff: { firstMs: 500, maxMs: MINUTE }, window: 256, queuePerContact: 1_000 },
      quotas: { tasks: 1000, tasksPerContact: 200, envelopes: 1000 }
    }
    const payments = (alive: () => boolean): Payments => ({
      chain: portOf(chain, index, alive),
      spend: LIMITS,
      pollMs: POLL_MS
    })
    const parts = { scheduler, network, prng: own.fork('node'), trace, disk, broken, options, payments }
    return createNode({ ...parts, types: TYPES, agents: 1 }, index)
  }

  function portOf({ portFor }: MoneyChain, index: number, alive: () => boolean): ReturnType<MoneyChain['portFor']> {
    const wallet = WALLETS[index]
    if (wallet === undefined) throw new Error(`no wallet ${index}`)
    const onSend = (bytes: Uint8Array): void => {
      const fault = sendFault(nodes, index, bytes)
      if (fault !== undefined) broken(`n${index} ${fault}`)
    }
    return portFor(wallet, { name: `n${index}`, alive, onSend })
  }

  async function runUntil(until: number): Promise<void> {
    while (failure === undefined && (await scheduler.step(until))) events++
  }

  async function meet(): Promise<void> {
    for (const node of nodes)
      node.start().catch((error: unknown) => broken(`${node.name} does not start: ${String(error)}`))
    await settle()
    await runUntil(scheduler.now() + SECOND)
    for (const node of nodes) for (const capability of ['disclose.*', 'pay.solana']) allow(node, capability)
    for (const a of nodes) for (const b of nodes) if (a.index < b.index) befriend(a, b)
    await runUntil(scheduler.now() + CALM_MS)
  }

  function allow(node: SimNode, capability: string): void {
    moves.call(node, 'setGrant', ({ owner }) => owner.setGrant({ contact: '*', capability, effect: 'allow' }))
  }

  function befriend(a: SimNode, b: SimNode): void {
    moves.call(
      a,
      'invite',
      ({ owner }) => owner.invite({ secret: true }),
      ({ link }) => moves.call(b, 'addContact', ({ owner }) => owner.addContact({ link }))
    )
  }

  function schedule(draw: Prng): void {
    const begin = (times: number, label: string, move: () => void): void => {
      for (let left = times; left > 0; left--) scheduler.after(draw.whole(0, span), label, move)
    }
    for (const node of nodes) begin(60, `${node.name} moves`, () => moves.move(node))
    begin(draw.whole(0, 12), 'nemesis', () => nemesis.strike())
    begin(draw.whole(0, 8), 'weather of the chain', () => chain.strike())
  }

  async function quieten(): Promise<void> {
    nemesis.heal()
    chain.heal()
    const end = scheduler.now() + QUIET_MS
    const isQuiet = (): boolean =>
      nodes.every(({ flows }) => flows !== undefined) &&
      talking(nodes).every(isDelivered) &&
      resolved(nodes, chain.ledger)
    do await runUntil(Math.min(end, scheduler.now() + MINUTE))
    while (failure === undefined && scheduler.now() < end && !isQuiet())
    for (const both of talking(nodes)) {
      if (!isDelivered(both)) broken('not settled in time')
      else for (const fault of differences(both)) broken(fault)
    }
    for (const fault of moneyFaults(nodes, chain.ledger)) broken(fault)
  }

  /** What a node says of a job is what its log makes of it. */
  async function look(): Promise<void> {
    for (const node of nodes) {
      const held = new Map(
        nodes
          .flatMap((other) => heldTasks(node, other))
          .map(({ record, reduced }) => [String(record.uid), reduced.status])
      )
      moves.call(
        node,
        'list',
        ({ agent }) => agent.listTasks(node.agent, { limit: 50 }),
        ({ items }) => {
          const odd = items.filter(({ taskUid, status }) => status !== 'expired' && status !== held.get(taskUid))
          for (const { taskUid, status } of odd) broken(`${node.name} calls ${taskUid} ${status}: ${held.get(taskUid)}`)
        }
      )
    }
    await settle()
    await runUntil(scheduler.now() + 5 * SECOND)
  }

  await meet()
  schedule(prng.fork('schedule'))
  await runUntil(scheduler.now() + span)
  if (failure === undefined) await quieten()
  if (failure === undefined) await look()
  const paid = chain.ledger.payments().length
  return {
    ...{ seed, hash: trace.hash(), tail: trace.tail(), events, talked: talking(nodes).length },
    ...(failure === undefined ? {} : { failure }),
    counts: new Map([...moves.counts, ['job payments', paid]])
  }
}
