import type { TaskUid } from '../../src/base/ids.js'
import { type Node, type NodeOptions, type World, createWorld, good } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet, firstPlace, invite, receiptsOn } from './puppet.js'

/** Alice, and Zoe, her contact, whose node is a puppet: it can say anything. */

export interface Stage {
  readonly world: World
  readonly alice: Node
  readonly zoe: Puppet
  readonly visit: Thread
}

export async function stage(more: Partial<NodeOptions> = {}): Promise<Stage> {
  const world = createWorld()
  const alice = await world.node('alice', more)
  const zoe = await createPuppet(world, 'zoe')
  const visit = await acquaint(world, alice, zoe)
  visit.heard.length = 0
  return { world, alice, zoe, visit }
}

/** `upTo head opaque…` of each receipt on the stream. */
export function receipts({ visit, alice, zoe }: Stage): string[] {
  return receiptsOn(visit, alice, zoe).map(({ upTo, head, results }) =>
    [upTo.seq, head, ...results.map((result) => `${result.code} ${result.seq}`)].join(' ')
  )
}

export async function deliver({ world, visit }: Stage, bytes: Uint8Array): Promise<void> {
  visit.say({ type: 'message', bytes })
  await world.rest()
}

export async function invites(at: Stage, uid: TaskUid, more: Parameters<typeof invite>[1] = {}) {
  const message = at.zoe.write(at.alice, invite(at.world, more), firstPlace(uid))
  await deliver(at, message.bytes)
  return message
}

export function taskAt({ world, alice }: Stage, uid: string) {
  return world.do(alice.flows.agent.getTask(alice.agent, uid))
}

export async function inboxKinds({ world, alice }: Stage): Promise<string[]> {
  const { items } = good(await world.do(alice.flows.agent.inbox(alice.agent, { after: 0, waitSeconds: 0, limit: 50 })))
  return items.map((item) => item.kind)
}
