/** The API over the real journeys: a node in memory behind real sockets, and two more nodes that it talks to. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toUtf8 } from '../../src/base/bytes.js'
import { sha256Hex } from '../../src/base/digest.js'
import { type ApiServer, createServer } from '../../src/api/server.js'
import { type Node, type World, createWorld, good, idOf } from '../flows/pair.js'
import { WIDE, noRecords } from './test-api.js'
import { nodeSettings } from './views.js'
import { type RawAnswer, type RawRequest, send } from './raw.js'

export const OWNER_SECRET = 'owner-secret'
/** The second agent of alice's node. */
export const CAROL = idOf('carol')

/** The listeners of the node. */
export type Listener = 'api' | 'alice' | 'carol' | 'tcp'

export interface RealNode {
  readonly world: World
  /** Hosts alice (`default`) and carol; both are contacts of bob, alice alone of erin. */
  readonly node: Node
  readonly bob: Node
  readonly erin: Node
  readonly sockets: Readonly<Record<Exclude<Listener, 'tcp'>, string>>
  /** One request; the world turns until it is answered. */
  ask(listener: Listener, request: RawRequest): Promise<RawAnswer>
  stop(): Promise<void>
}

/** Lets the world turn until a promise that waits for real sockets is there. */
export async function turning<T>(world: World, promise: Promise<T>): Promise<T> {
  let over = false
  const done = promise.finally(() => (over = true))
  done.catch(() => undefined)
  while (!over) await world.clock.run(1)
  return done
}

/** Makes an agent of one node and one of another contacts. */
async function befriendAs(world: World, from: Node, agent: string, to: Node): Promise<void> {
  const { link } = good(await world.do(to.flows.owner.invite({ secret: true })))
  good(await world.do(from.flows.owner.addContact({ agent, link })))
  await world.rest()
}

export async function startRealNode(): Promise<RealNode> {
  const world = createWorld()
  const node = await world.node('alice', { agents: ['carol'] })
  const [bob, erin] = [await world.node('bob'), await world.node('erin')]
  await befriendAs(world, node, 'default', bob)
  await befriendAs(world, node, 'carol', bob)
  await befriendAs(world, node, 'default', erin)
  const home = mkdtempSync(join(tmpdir(), 'al-real-'))
  const sockets = {
    api: join(home, 'api.sock'),
    alice: join(home, 'agents', 'default', 'agent.sock'),
    carol: join(home, 'agents', 'carol', 'agent.sock')
  }
  const quiet = { info: () => undefined, warn: () => undefined }
  const server: ApiServer = createServer(
    {
      agent: node.flows.agent,
      owner: node.flows.owner,
      status: () => node.flows.status(),
      settings: nodeSettings,
      agentOfToken: (hash) => node.flows.agentOfToken(hash),
      isOwner: (hash) => hash === sha256Hex(toUtf8(OWNER_SECRET)),
      records: noRecords,
      callRefused: (call) => node.flows.callRefused(call),
      clock: world.clock,
      log: quiet
    },
    {
      socket: sockets.api,
      agents: [
        { agent: node.agent, socket: sockets.alice },
        { agent: CAROL, socket: sockets.carol }
      ],
      tcp: { host: '127.0.0.1', port: 0 },
      limits: WIDE
    }
  )
  const { url = '' } = good(await turning(world, server.start()))
  const port = Number(new URL(url).port)
  return {
    world,
    node,
    bob,
    erin,
    sockets,
    ask(listener, request) {
      const to: NetConnectOpts = listener === 'tcp' ? { host: '127.0.0.1', port } : { path: sockets[listener] }
      const headers = [`Host: 127.0.0.1:${port}`, ...(request.headers ?? [])]
      return turning(world, send(to, { ...request, headers }))
    },
    async stop() {
      await turning(world, server.stop())
      for (const each of [node, bob, erin]) await each.stop()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
