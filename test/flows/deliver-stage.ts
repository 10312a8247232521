import type { MessageId } from '../../src/base/ids.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { type Node, type World, createWorld, dinner, good, openUp } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet } from './puppet.js'

/** Nodes that have something to send. */

export interface Pair {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

export async function create({ world, alice }: Omit<Pair, 'bob'>, participant = '@bob'): Promise<TaskView> {
  const command = { type: 'dinner.coordination', participant, proposal: dinner() }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task
}

export interface Alone {
  readonly world: World
  readonly alice: Node
  readonly zoe: Puppet
}

/** Alice and a puppet that is her contact. Her request waits for it. */
export async function alone(flows: object = {}): Promise<Alone> {
  const world = createWorld()
  const alice = await world.node('alice', { flows })
  const zoe = await createPuppet(world, 'zoe')
  await acquaint(world, alice, zoe)
  await openUp(world, alice)
  return { world, alice, zoe }
}

/** The stream that alice has opened to the puppet. */
export async function called({ world, zoe }: Alone): Promise<Thread> {
  for (let tries = 0; tries < 60; tries++) {
    const lane = zoe.visitors.filter((one) => !one.ended()).at(-1)
    if (lane !== undefined) return lane
    await world.rest(1_000)
  }
  throw new Error('alice does not call')
}

type Held = { readonly seq: number; readonly id: MessageId | '' }

export function greetBack(
  { alice, zoe }: Alone,
  lane: Thread,
  yours: Held = { seq: 0, id: '' },
  card = zoe.card()
): void {
  const mine = zoe.heads.get(alice.agent) ?? { seq: 0, id: '' as const }
  lane.say({ type: 'hello', hello: { v: 1, card, to: alice.agent, have: { mine, yours } } })
}
