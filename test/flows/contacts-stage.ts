import { inviteId, inviteProof, readLink } from '../../src/wire/link.js'
import { createWorld, good, type Node, type World } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet, say } from './puppet.js'

/** Alice and Zoe, whose node is a puppet, and every way in which they can come to be contacts. */

export type State = 'none' | 'requested' | 'pending' | 'active' | 'removed' | 'blocked'

export interface Stage {
  readonly world: World
  readonly alice: Node
  readonly zoe: Puppet
}

export async function stage(): Promise<Stage> {
  const world = createWorld()
  return { world, alice: await world.node('alice'), zoe: await createPuppet(world, 'zoe') }
}

export async function act(
  { world, alice, zoe }: Stage,
  action: Parameters<Node['flows']['owner']['changeContact']>[0]['action']
) {
  return world.do(alice.flows.owner.changeContact({ contact: zoe.agent, action }))
}

/** How a contact comes to be in a state. */
export const WAYS: Readonly<Record<State, (at: Stage) => Promise<unknown>>> = {
  none: () => Promise.resolve(),
  requested: async ({ world, alice, zoe }) =>
    good(await world.do(alice.flows.owner.addContact({ link: zoe.linkText() }))),
  pending: async (at) => knock(at),
  active: async ({ world, alice, zoe }) => acquaint(world, alice, zoe),
  removed: async (at) => {
    await WAYS.active(at)
    good(await act(at, 'remove'))
    await at.world.rest()
  },
  blocked: async (at) => {
    await WAYS.active(at)
    good(await act(at, 'block'))
    await at.world.rest()
  }
}

export async function knock(at: Stage, secret?: Uint8Array): Promise<Thread> {
  const { world, alice, zoe } = at
  const visit = await zoe.visit(alice)
  const ids = { from: zoe.agent, to: alice.agent }
  const proof = secret === undefined ? {} : { proof: { invite: inviteId(secret), mac: inviteProof(secret, ids) } }
  visit.say(say(zoe.write(alice, { kind: 'contact.request', body: { card: zoe.card(), ...proof } })))
  await world.rest()
  return visit
}

export async function secretOf({ world, alice }: Stage): Promise<Uint8Array> {
  const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
  return good(readLink(link)).invite ?? new Uint8Array()
}
