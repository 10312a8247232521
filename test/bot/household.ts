/**
 * The node that the bot attacks and the node of its contacts, in one process: production flows and store, LevelDB on
 * disk, the socket API on its sockets, and every frame between them in sight.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createServer } from '../../src/api/server.js'
import { toUtf8 } from '../../src/base/bytes.js'
import { sha256, sha256Hex } from '../../src/base/digest.js'
import type { AgentId, PeerId } from '../../src/base/ids.js'
import { type Flows, createFlows } from '../../src/flows/flows.js'
import type { Clock, Log } from '../../src/flows/ports.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import { createClock } from '../../src/node/clock.js'
import type { Disk } from '../../src/store/key-value.js'
import { openLevel } from '../../src/store/level.js'
import { migrate } from '../../src/store/migrate.js'
import { type DurableStore, createStore } from '../../src/store/store.js'
import { SECOND } from '../../src/base/time.js'
import type { InstalledType } from '../../src/types/catalog.js'
import { hashOf } from '../../src/types/definition.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'
import { agentIdOf, peerIdOf } from '../../src/wire/keys.js'
import { type Wires, createWires } from '../flows/wires.js'
import type { Prng } from '../sim/prng.js'
import { NO_PLACES } from '../support/places.js'
import { EVERY_KIND } from './types.js'

const OPTIONS = {
  approvalHours: 24,
  openApprovals: 30,
  backoff: { firstMs: 20, maxMs: 200 },
  sweepMs: 50,
  helloMs: 5_000,
  pendingContacts: 50,
  window: 256,
  queuePerContact: 400,
  quotas: { tasks: 100_000, tasksPerContact: 100_000, envelopes: 100_000 }
}

/** A run is over sooner than the limits of an owner would let it be. */
const WIDE = { callsPerSecond: 1_000_000, callsAtOnce: 1_000_000, waits: 64 }

interface House {
  readonly flows: Flows
  readonly disk: Disk
  readonly store: DurableStore
  readonly peerId: PeerId
  readonly agents: Readonly<Record<string, AgentId>>
}

export interface Household {
  /** The attacked node with the agents `alice`, which the bot drives, and `other`. */
  readonly home: House
  /** Their contacts `bob` and `carol`. */
  readonly away: House
  readonly types: readonly InstalledType[]
  readonly wires: Wires
  /** The socket for everything, and alice's own. */
  readonly sockets: readonly [string, string]
  readonly tokens: { readonly alice: string; readonly other: string; readonly owner: string }
  /** What the attacked node logged of itself being broken. */
  readonly broken: string[]
  /** Sets the clocks of both nodes forward. */
  pass(ms: number): void
  stop(): Promise<void>
}

export async function openHousehold(prng: Prng): Promise<Household> {
  const root = mkdtempSync(join(tmpdir(), 'al-bot-'))
  const real = createClock()
  let ahead = 0
  const clock: Clock = { ...real, now: () => real.now() + ahead }
  const wires = createWires(clock)
  const broken: string[] = []
  const types = [...builtinTypes(), installed()]
  const tokens = { alice: tokenOf('alice'), other: tokenOf('other'), owner: tokenOf('owner') }
  const log: Log = {
    info: () => undefined,
    warn: (event, fields) => {
      if (event.endsWith('failed') || event === 'store.state') broken.push(`${event} ${JSON.stringify(fields)}`)
    }
  }
  const parts = { root, clock, wires, log, types, prng }
  const home = await openHouse(parts, 'home', ['alice', 'other'])
  const away = await openHouse(parts, 'away', ['bob', 'carol'])
  const sockets = [join(root, 'api.sock'), join(root, 'alice.sock')] as const
  const server: ApiServer = createServer(
    {
      agent: home.flows.agent,
      owner: home.flows.owner,
      status: () => home.flows.status(),
      settings: () => ({ items: [], node: { version: '1.0.0', home: root } }),
      agentOfToken: (hash) => home.flows.agentOfToken(hash),
      callRefused: (call) => home.flows.callRefused(call),
      records: () => home.disk.snapshot(),
      isOwner: (hash) => hash === sha256Hex(toUtf8(tokens.owner)),
      clock: flying(clock),
      log
    },
    { socket: sockets[0], agents: [{ agent: home.agents['alice'] as AgentId, socket: sockets[1] }], limits: WIDE }
  )
  const opened = await server.start()
  if (!opened.ok) throw new Error(opened.refusal.message)
  return {
    home,
    away,
    types,
    wires,
    sockets,
    tokens,
    broken,
    pass: (ms) => void (ahead += ms),
    async stop() {
      await server.stop()
      for (const house of [home, away]) {
        await house.flows.stop()
        await house.store.close()
      }
      rmSync(root, { recursive: true, force: true })
    }
  }
}

interface Parts {
  readonly root: string
  readonly clock: Clock
  readonly wires: Wires
  readonly log: Log
  readonly types: readonly InstalledType[]
  readonly prng: Prng
}

async function openHouse(parts: Parts, name: string, names: readonly string[]): Promise<House> {
  const { clock, wires, log, types } = parts
  const prng = parts.prng.fork(name)
  const disk = await openLevel(join(parts.root, name))
  await migrate(disk)
  const node = keyOf(name)
  const peerId = peerIdOf(node.publicKey)
  const keys = new Map(names.map((one) => [agentIdOf(keyOf(one).publicKey), keyOf(one)]))
  const store: DurableStore = createStore(disk, { clock, moreAtHand: () => flows.busy() })
  const signer = (agent: AgentId): Signer => {
    const key = keys.get(agent)
    if (key === undefined) throw new Error(`no key of ${agent}`)
    return key
  }
  const random = { bytes: (length: number) => prng.bytes(length), fraction: () => prng.fraction() }
  const flows: Flows = createFlows(
    { store, link: wires.open(peerId), clock, random, keyring: { signer, node }, places: NO_PLACES, log, types },
    OPTIONS
  )
  const agents = Object.fromEntries(names.map((one) => [one, agentIdOf(keyOf(one).publicKey)]))
  for (const one of names) {
    const tokenHash = sha256Hex(toUtf8(tokenOf(one)))
    flows.hostAgent({ agent: agents[one] as AgentId, name: one, handle: `@${one}`, tokenHash })
  }
  await flows.start()
  return { flows, disk, store, peerId, agents }
}

/** Time flies at the API's door: whoever fails to get in is not held back, so that thousands of failures fit in a run. */
function flying(clock: Clock): Clock {
  let flown = 0
  return { ...clock, now: () => clock.now() + (flown += SECOND) }
}

function installed(): InstalledType {
  const { name, version } = EVERY_KIND
  return { name, version, hash: hashOf(EVERY_KIND), definition: EVERY_KIND, builtin: false, retired: false }
}

function keyOf(name: string): Signer {
  return signerOf(sha256(toUtf8(`key of ${name}`)))
}

function tokenOf(name: string): string {
  return sha256Hex(toUtf8(`token of ${name}`))
}
