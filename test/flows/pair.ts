/** Production nodes over a disk, a network and a clock in memory, and the short words in which the tests speak of them. */
import type { AgentId, PeerId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { toUtf8 } from '../../src/base/bytes.js'
import { sha256Hex } from '../../src/base/digest.js'
import { type Result, ok } from '../../src/base/result.js'
import { NO_PLACES } from '../support/places.js'
import { type Flows, type FlowsOptions, type Payments, createFlows } from '../../src/flows/flows.js'
import type { AgentPlaces, Clock } from '../../src/flows/ports.js'
import type { TableName, Tables } from '../../src/flows/records/tables.js'
import { type DurableStore, createStore } from '../../src/store/store.js'
import type { InstalledType } from '../../src/types/catalog.js'
import { hashOf } from '../../src/types/definition.js'
import type { Definition } from '../../src/types/definition.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'
import { agentIdOf, peerIdOf } from '../../src/wire/keys.js'
import { MemoryDisk, type MemoryDiskOptions } from '../support/memoryKeyValue.js'
import { DINNER } from '../tasks/dinner.js'
import { type ManualClock, manualClock } from './clock.js'
import { type Wires, createWires } from './wires.js'

const OPTIONS: FlowsOptions = {
  approvalHours: 24,
  openApprovals: 5,
  backoff: { firstMs: 1_000, maxMs: 60_000 },
  sweepMs: 1_000,
  helloMs: 5_000,
  pendingContacts: 50,
  window: 256,
  queuePerContact: 100,
  quotas: { tasks: 1000, tasksPerContact: 200, envelopes: 1000 }
}

/** Long enough for everything at hand, shorter than any pause between attempts. */
const MOMENT_MS = 100

export interface World {
  readonly clock: ManualClock
  readonly wires: Wires
  /** Lets everything at hand come to rest. */
  rest(ms?: number): Promise<void>
  /** What a promise of a node gives, the world turning until it does. */
  do<T>(promise: Promise<T>): Promise<T>
  node(name: string, more?: Partial<NodeOptions>): Promise<Node>
}

export interface NodeOptions {
  readonly types: readonly InstalledType[]
  readonly flows: Partial<FlowsOptions>
  /** Names of more agents of the same node. */
  readonly agents: readonly string[]
  /** Where it pays and is paid. */
  readonly payments?: Payments
  /** Of its disk; only at the first start. */
  readonly disk?: MemoryDiskOptions
}

/** The id of an agent by its name. */
export function idOf(name: string): AgentId {
  return agentIdOf(keysFor(name).agent.publicKey)
}

export interface Node {
  readonly name: string
  readonly agent: AgentId
  readonly peerId: PeerId
  readonly keys: Keys
  readonly disk: MemoryDisk
  /** `event` and fields of each line of the log. */
  readonly log: string[]
  flows: Flows
  store: DurableStore
  start(more?: Partial<NodeOptions>): Promise<void>
  stop(): Promise<void>
  /** The process is gone, and what was not synced with it. */
  crash(): void
  /** What is on disk, to compare or to come back to. */
  backup(): ReadonlyArray<readonly [string, Uint8Array]>
  restore(backup: ReadonlyArray<readonly [string, Uint8Array]>): void
  /** All records of a table. */
  all<T extends TableName>(table: T): Promise<Array<Tables[T]>>
}

export interface Keys {
  readonly agent: Signer
  readonly node: Signer
}

/** The first token of an agent, by its name; that of the default one by the name of its node. */
export function tokenFor(name: string): string {
  return `${name}-token`
}

function hashOfToken(token: string): string {
  return sha256Hex(toUtf8(token))
}

/** Agents by name with the hash of their token, as a home keeps them. */
function placesOf(made: Map<string, string>): AgentPlaces {
  const tokenOf = (name: string): string => {
    const before = made.get(name)
    const tokenHash = hashOfToken(before === undefined ? tokenFor(name) : `${tokenFor(name)}-${before}`)
    made.set(name, tokenHash)
    return tokenHash
  }
  return {
    ...NO_PLACES,
    make: (name) => Promise.resolve(ok({ agent: idOf(name), tokenHash: made.get(name) ?? tokenOf(name) })),
    renewToken: (name) => Promise.resolve(tokenOf(name)),
    retire: (name) => Promise.resolve(void made.delete(name))
  }
}

/** Making a key takes longer than most of what a test does with it. */
const KEYS = new Map<string, Keys>()

/** Two keys that are always the same for a name. */
export function keysFor(name: string): Keys {
  const keys = KEYS.get(name) ?? makeKeys(name)
  KEYS.set(name, keys)
  return keys
}

function makeKeys(name: string): Keys {
  const seed = (kind: number): Uint8Array =>
    Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? kind : (name.charCodeAt((at - 1) % name.length) + at) % 256))
  return { agent: signerOf(seed(1)), node: signerOf(seed(2)) }
}

export function installed(definition: Definition, retired: 'retired' | 'active' = 'active'): InstalledType {
  const { name, version } = definition
  return { name, version, hash: hashOf(definition), definition, builtin: false, retired: retired === 'retired' }
}

export const DINNER_TYPE = installed(DINNER)

export function createWorld(): World {
  const clock = manualClock()
  const wires = createWires(clock)
  const world: World = {
    clock,
    wires,
    rest: (ms = MOMENT_MS) => clock.run(ms),
    async do(promise) {
      let over = false
      const done = promise.finally(() => (over = true))
      done.catch(() => undefined)
      for (let tries = 0; !over && tries < 20; tries++) await clock.run(MOMENT_MS)
      if (!over) throw new Error('the answer does not come')
      return done
    },
    async node(name, more) {
      const node = createNode(world, name, more?.disk)
      await node.start(more)
      return node
    }
  }
  return world
}

function createNode({ clock, wires, do: wait }: World, name: string, options?: MemoryDiskOptions): Node {
  const keys = keysFor(name)
  const agent = agentIdOf(keys.agent.publicKey)
  const peerId = peerIdOf(keys.node.publicKey)
  const disk = new MemoryDisk(options)
  let drawn = 0
  let incarnation = 0
  let last: NodeOptions = { types: [DINNER_TYPE], flows: {}, agents: [] }

  /** Byte `at` of a number that never comes again, as far as a test goes. */
  function draw(at: number): number {
    drawn += 7
    const round = Math.floor(drawn / (7 * 256))
    return (drawn * 31 + at * 17 + name.length + round * (2 * at + 1) + (at === 3 ? round >> 8 : 0)) % 256
  }

  /** Agents that were added while it ran. */
  const made = new Map<string, string>()

  function signerFor(asked: AgentId): Signer {
    const more = [...last.agents, ...made.keys()].find((each) => idOf(each) === asked)
    return more === undefined ? keys.agent : keysFor(more).agent
  }

  /** A process that is gone hears no timer. */
  function clockOf(own: number): Clock {
    const alive =
      (fn: () => void): (() => void) =>
      () =>
        own === incarnation && fn()
    return { now: clock.now, wake: (ms, fn) => clock.wake(ms, alive(fn)), defer: (fn) => clock.defer(alive(fn)) }
  }

  function build(): { flows: Flows; store: DurableStore } {
    const clock = clockOf(++incarnation)
    const store: DurableStore = createStore(disk.open(), {
      clock,
      records: 'frozen',
      moreAtHand: () => node.store === store && node.flows.busy()
    })
    const line = (event: string, fields: Readonly<Record<string, unknown>> = {}): void =>
      void node.log.push(`${event} ${JSON.stringify(fields)}`)
    const flows = createFlows(
      {
        store,
        link: wires.open(peerId),
        clock,
        random: {
          bytes: (length) => Uint8Array.from({ length }, (_, at) => draw(at)),
          fraction: () => 0.5
        },
        keyring: { signer: (asked) => signerFor(asked), node: keys.node },
        places: placesOf(made),
        log: { info: line, warn: line },
        types: last.types,
        ...(last.payments === undefined ? {} : { payments: last.payments })
      },
      { ...OPTIONS, ...last.flows }
    )
    flows.hostAgent({ agent, name: 'default', handle: `@${name}`, tokenHash: hashOfToken(tokenFor(name)) })
    for (const more of last.agents) {
      flows.hostAgent({ agent: idOf(more), name: more, handle: `@${more}`, tokenHash: hashOfToken(tokenFor(more)) })
    }
    return { flows, store }
  }

  const node = {
    name,
    agent,
    peerId,
    keys,
    disk,
    log: [] as string[],
    async start(more: Partial<NodeOptions> = {}) {
      last = { ...last, ...more }
      Object.assign(node, build())
      await wait(node.flows.start())
    },
    async stop() {
      await wait(node.flows.stop())
      await wait(node.store.close())
      wires.close(peerId)
    },
    crash() {
      incarnation++
      disk.crash()
      wires.close(peerId)
    },
    backup: () => disk.contents(),
    restore(backup: ReadonlyArray<readonly [string, Uint8Array]>) {
      for (const [key] of disk.contents()) disk.tamper(key, undefined)
      for (const [key, value] of backup) disk.tamper(key, value)
    },
    async all<T extends TableName>(table: T): Promise<Array<Tables[T]>> {
      return (await wait(node.store.range(table, { prefix: '' }))).map(([, value]) => value)
    }
  } as unknown as Node
  return node
}

/** The value of a Result that must be one. */
export function good<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(`refused: ${JSON.stringify(result.refusal)}`)
}

/** `code/details.code/field` of a Result that must be a refusal. */
export function refusalOf(result: Result<unknown>): string {
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.value)}`)
  const { code, details } = result.refusal
  return [code, details.code, details.field].filter((part) => part !== undefined).join(' ')
}

/** A dinner that needs nothing but `disclose.availability`. */
export function dinner(more: JsonObject = {}): JsonObject {
  return { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', partySize: 2, ...more }
}

/** Lets a node's agent disclose to everybody. */
export async function openUp(world: World, ...nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) {
    good(await world.do(node.flows.owner.setGrant({ contact: '*', capability: 'disclose.*', effect: 'allow' })))
  }
}

/** Makes two nodes active contacts of each other by a link with its secret. */
export async function befriend(world: World, a: Node, b: Node): Promise<void> {
  const { link } = good(await world.do(a.flows.owner.invite({ secret: true })))
  good(await world.do(b.flows.owner.addContact({ link })))
  await world.rest()
}

/** Two active contacts that disclose freely. */
export async function friends(more: Partial<NodeOptions> = {}): Promise<{ world: World; alice: Node; bob: Node }> {
  const world = createWorld()
  const alice = await world.node('alice', more)
  const bob = await world.node('bob', more)
  await befriend(world, alice, bob)
  await openUp(world, alice, bob)
  world.wires.forget()
  return { world, alice, bob }
}

/** Key-value pairs of a disk as text: equal texts are equal disks. */
export function diskText(node: Node): string {
  return node.disk
    .contents()
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join('\n')
}

/** The same, beside what the audit log keeps of an attempt that was denied: that alone is new after one. */
export function diskTextBesideDenials(node: Node): string {
  const lines = diskText(node).split('\n')
  return lines.filter((line) => !/^(au|dn|me:audit|du:\d+\/denials\/)/.test(line)).join('\n')
}

/** How a contact stands at a node: its state, and `frozen` if it is. */
export function stateAt(node: Node, other: { readonly agent: AgentId }): string {
  const record = node.store.get('contacts', `${node.agent}/${other.agent}`)
  if (record === undefined) return 'none'
  return record.frozen === undefined ? record.state : `${record.state} frozen`
}

/** Both chains of a pair as one node has them: `out/acked in`. */
export function chainsAt(node: Node, other: { readonly agent: AgentId }): string {
  const chain = node.store.get('chains', `${node.agent}/${other.agent}`)
  return chain === undefined ? '0/0 0' : `${chain.out.seq}/${chain.acked} ${chain.in.seq}`
}
