/** Whole nodes over real hosts: production flows and store, libp2p on 127.0.0.1, a disk in memory, and a clock that a test may set forward. */
import { toHex } from '../../src/base/bytes.js'
import { sha256 } from '../../src/base/digest.js'
import type { AgentId } from '../../src/base/ids.js'
import type { Result } from '../../src/base/result.js'
import { type Flows, createFlows } from '../../src/flows/flows.js'
import type { Clock } from '../../src/flows/ports.js'
import { createHost, type Host } from '../../src/net/host.js'
import { createClock, createRandom } from '../../src/node/clock.js'
import { type DurableStore, createStore } from '../../src/store/store.js'
import type { InstalledType } from '../../src/types/catalog.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { agentIdOf } from '../../src/wire/keys.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'
import { NO_PLACES } from '../support/places.js'
import { OWNER } from './hosts.js'

const OPTIONS = {
  approvalHours: 24,
  openApprovals: 20,
  backoff: { firstMs: 20, maxMs: 200 },
  sweepMs: 20,
  helloMs: 5_000,
  pendingContacts: 50,
  window: 256,
  queuePerContact: 100,
  quotas: { tasks: 1000, tasksPerContact: 200, envelopes: 1000 }
}
const QUIET = { info: () => undefined, warn: () => undefined }

export interface Household {
  readonly agent: AgentId
  readonly flows: Flows
  start(): Promise<void>
  stop(): Promise<void>
}

export interface Street {
  house(name: string, types: readonly InstalledType[]): Promise<Household>
  /** Sets the time of everybody forward. */
  pass(ms: number): void
  clean(): Promise<void>
}

export function street(): Street {
  const houses: Household[] = []
  const real = createClock()
  let ahead = 0
  const clock: Clock = { ...real, now: () => real.now() + ahead }

  async function house(name: string, types: readonly InstalledType[]): Promise<Household> {
    const seed = (kind: string): Uint8Array => sha256(new TextEncoder().encode(`${name} ${kind}`))
    const [agentKey, nodeKey] = [signerOf(seed('agent')), signerOf(seed('node'))]
    const agent = agentIdOf(agentKey.publicKey)
    const disk = new MemoryDisk()
    let listen = '/ip4/127.0.0.1/tcp/0'
    let parts: { host: Host; store: DurableStore; flows: Flows } | undefined

    const made: Household = {
      agent,
      get flows() {
        if (parts === undefined) throw new Error(`${name} is off`)
        return parts.flows
      },
      async start() {
        const host = createHost({ seed: seed('node'), listen: [listen], limits: OWNER }, { log: QUIET })
        await host.start()
        listen = (host.addrs()[0] ?? '').replace(/\/p2p\/.*$/, '')
        const store = createStore(disk.open(), { clock })
        const flows = createFlows(
          {
            store,
            link: host,
            clock,
            random: createRandom(),
            keyring: { signer: () => agentKey, node: nodeKey },
            places: NO_PLACES,
            log: QUIET,
            types
          },
          OPTIONS
        )
        flows.hostAgent({ agent, name: 'default', handle: `@${name}`, tokenHash: toHex(seed('token')) })
        parts = { host, store, flows }
        await flows.start()
      },
      async stop() {
        const running = parts
        parts = undefined
        await running?.flows.stop()
        await running?.store.close()
        await running?.host.stop()
      }
    }
    await made.start()
    houses.push(made)
    return made
  }

  return {
    house,
    pass: (ms) => void (ahead += ms),
    clean: async () => void (await Promise.all(houses.splice(0).map((one) => one.stop())))
  }
}

/** The value of a Result that must be one. */
export function good<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(`refused: ${JSON.stringify(result.refusal)}`)
}

/** Waits until `look` answers something; the runner's own timeout ends a wait in vain. */
export async function soon<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
