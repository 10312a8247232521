/** One simulated node: the production store and flows over simulated ports, through any number of crashes and restarts. */
import { NO_PLACES } from '../support/places.js'
import { type Flows, type FlowsOptions, type Payments, createFlows } from '../../src/flows/flows.js'
import type { AgentId, PeerId } from '../../src/base/ids.js'
import type { Clock, Log, Random } from '../../src/flows/ports.js'
import { type DurableStore, createStore } from '../../src/store/store.js'
import type { InstalledType } from '../../src/types/catalog.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'
import { agentIdOf, peerIdOf } from '../../src/wire/keys.js'
import type { Disk } from './disk.js'
import type { Host, Network } from './network.js'
import type { Prng } from './prng.js'
import type { Scheduler } from './scheduler.js'
import type { Trace } from './trace.js'

/** The world begins here: 2026-01-01T00:00:00Z. Far from 1970, so that clocks may be years behind. */
export const EPOCH = 1_767_225_600_000
/** Timers that one node may have running; more is a leak. */
const MOST_TIMERS = 400

export interface SimNode {
  readonly index: number
  readonly name: string
  readonly agent: AgentId
  readonly peerId: PeerId
  readonly handle: string
  /** Under what name the agent is hosted. */
  readonly hosted: string
  /** The node as its second agent has it, in worlds where nodes have one. */
  readonly neighbour?: SimNode
  readonly disk: Disk
  /** The running incarnation; undefined while the node is down. */
  readonly flows: Flows | undefined
  readonly store: DurableStore | undefined
  /** Counts starts: whoever waits for an answer compares it. */
  readonly incarnation: number
  /** This node's clock minus the world's, in milliseconds. */
  offset: number
  now(): number
  start(): Promise<void>
  /** The process is gone at once: nothing that was not synced survives, and nothing of it runs again. */
  crash(): void
  /** A clean stop. */
  stop(): Promise<void>
  /** Timers of the running incarnation. */
  timers(): number
}

/** The second agent of a node. */
const NEIGHBOUR = 'neighbour'

export interface NodeComponents {
  readonly scheduler: Scheduler
  readonly network: Network
  readonly prng: Prng
  readonly trace: Trace
  readonly disk: Disk
  readonly types: readonly InstalledType[]
  /** How many agents the node hosts. */
  readonly agents: 1 | 2
  /** Called with what must never happen. */
  readonly broken: (what: string) => void
  readonly options: FlowsOptions
  /** Where one life of the node pays and is paid; `alive` turns false when it crashes. */
  readonly payments?: (alive: () => boolean) => Payments
}

/** Keys are the same in every seed, so that checking a key, which is slow, is done once for all of them. */
const AGENT_KEYS = Array.from({ length: 8 }, (_, index) => signerOf(seedOf(1, index)))
const NEIGHBOUR_KEYS = Array.from({ length: 8 }, (_, index) => signerOf(seedOf(3, index)))
const NODE_KEYS = Array.from({ length: 8 }, (_, index) => signerOf(seedOf(2, index)))

/** The keys of the agent and of the node with an index, for stories in which somebody misuses them. */
export function keysOf(index: number): { readonly agent: Signer; readonly node: Signer } {
  return { agent: keyAt(AGENT_KEYS, index), node: keyAt(NODE_KEYS, index) }
}

/** Where the node with an index is reached. */
export function hostOf(index: number): Host {
  const peerId = peerIdOf(keyAt(NODE_KEYS, index).publicKey)
  return { index, peerId, addrs: [`/ip4/10.0.0.${index + 1}/tcp/4001/p2p/${peerId}`] }
}

export function createNode(components: NodeComponents, index: number): SimNode {
  const { scheduler, network, prng, trace, disk, types, agents, broken, options, payments } = components
  const name = `n${index}`
  const keys = keysOf(index)
  const agent = agentIdOf(keys.agent.publicKey)
  const handle = `@agent${index}`
  const host = hostOf(index)
  const second = keyAt(NEIGHBOUR_KEYS, index)
  const secondAgent = agentIdOf(second.publicKey)
  let running: { flows: Flows; store: DurableStore } | undefined
  let incarnation = 0
  let timers = 0

  function clockOf(own: number): Clock {
    const run = (ms: number, label: string, fn: () => void): (() => void) => {
      if (own !== incarnation) return () => undefined
      timers++
      if (timers > MOST_TIMERS) broken(`${name} has ${timers} timers`)
      let over = false
      const done = (): void => {
        if (own === incarnation && !over) timers--
        over = true
      }
      const callOff = scheduler.after(ms, `${name} ${label}`, () => {
        if (own !== incarnation) return
        done()
        fn()
      })
      return () => {
        done()
        callOff()
      }
    }
    return {
      now: () => node.now(),
      wake: (ms, fn) => {
        if (!(ms >= 0 && ms <= 2 ** 31 - 1)) broken(`${name} asks to wake in ${ms} ms`)
        return run(ms, 'wakes', fn)
      },
      defer: (fn) => void run(0, 'goes on', fn)
    }
  }

  async function start(): Promise<void> {
    const own = ++incarnation
    timers = 0
    const clock = clockOf(own)
    const log = logOf(own)
    const store: DurableStore = createStore(disk.open(), {
      clock,
      records: 'frozen',
      moreAtHand: () => running?.store === store && running.flows.busy()
    })
    const random: Random = { bytes: (length) => prng.bytes(length), fraction: () => prng.fraction() }
    const signer = (asked: AgentId): Signer => {
      if (asked === agent) return keys.agent
      if (asked === secondAgent && agents === 2) return second
      throw new Error(`no key of ${asked}`)
    }
    const flows = createFlows(
      {
        store,
        link: network.linkFor(host, () => own === incarnation),
        clock,
        random,
        keyring: { signer, node: keys.node },
        places: NO_PLACES,
        log,
        types,
        ...(payments === undefined ? {} : { payments: payments(() => own === incarnation) })
      },
      options
    )
    running = { flows, store }
    flows.hostAgent({ agent, name: 'default', handle, tokenHash: agent.slice(-64).padStart(64, '0') })
    if (agents === 2) {
      const tokenHash = secondAgent.slice(-64).padStart(64, '0')
      flows.hostAgent({ agent: secondAgent, name: NEIGHBOUR, handle: `${handle}b`, tokenHash })
    }
    await flows.start()
  }

  function logOf(own: number): Log {
    const line = (level: string, event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (own === incarnation) trace.line(`${name} ${level} ${event} ${JSON.stringify(fields)}`)
    }
    return {
      info: (event, fields) => line('info', event, fields),
      warn: (event, fields) => line('warn', event, fields)
    }
  }

  const node: SimNode = {
    index,
    name,
    agent,
    peerId: host.peerId,
    handle,
    hosted: 'default',
    disk,
    offset: 0,
    get flows() {
      return running?.flows
    },
    get store() {
      return running?.store
    },
    get incarnation() {
      return incarnation
    },
    now: () => EPOCH + scheduler.now() + node.offset,
    start,
    crash() {
      if (running === undefined) return
      trace.line(`${name} crashes`)
      incarnation++
      running = undefined
      disk.crash()
      network.down(index)
    },
    async stop() {
      const was = running
      if (was === undefined) return
      const own = incarnation
      await was.flows.stop()
      await was.store.close()
      if (own !== incarnation) return
      incarnation++
      running = undefined
      network.down(index)
    },
    timers: () => timers
  }
  return agents === 1 ? node : withNeighbour(node, secondAgent)
}

/** The same node, which goes on as one, as its second agent has it. */
function withNeighbour(node: SimNode, agent: AgentId): SimNode {
  const face = Object.create(node, {
    agent: { value: agent },
    name: { value: `${node.name}b` },
    handle: { value: `${node.handle}b` },
    hosted: { value: NEIGHBOUR }
  }) as SimNode
  return Object.defineProperty(node, 'neighbour', { value: face })
}

function keyAt(keys: readonly Signer[], index: number): Signer {
  const key = keys[index]
  if (key === undefined) throw new Error(`no key for node ${index}`)
  return key
}

function seedOf(kind: number, index: number): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? kind : at === 1 ? index + 1 : 7))
}
