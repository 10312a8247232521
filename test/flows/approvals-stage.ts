import type { JsonObject } from '../../src/base/json.js'
import type { AgentDoor } from '../../src/flows/doors.js'
import type { ApprovalView } from '../../src/flows/views/approvals.js'
import type { WriteAnswer } from '../../src/flows/views/tasks.js'
import { type Node, type World, befriend, createWorld, dinner, good, openUp } from './pair.js'

/** Alice, whose owner is asked, and Bob. */

export interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

/** Alice's owner has said nothing of what she may disclose; bob's has opened up. */
export async function stage(more: Parameters<World['node']>[1] = {}): Promise<Stage> {
  const world = createWorld()
  const alice = await world.node('alice', more)
  const bob = await world.node('bob', more)
  await befriend(world, alice, bob)
  await openUp(world, bob)
  world.wires.forget()
  return { world, alice, bob }
}

type Asked = Extract<WriteAnswer, { status: 'pending_approval' }>

export async function ask(
  { world, alice }: Stage,
  more: Partial<Parameters<AgentDoor['createTask']>[1]> = {}
): Promise<Asked> {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner(), ...more }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
  return answer
}

export function answer(
  { world, alice }: Stage,
  id: string,
  decision: 'approve' | 'deny',
  scope: 'once' | 'contact' | 'always' = 'once'
) {
  return world.do(alice.flows.owner.answerApproval(id, { decision, scope }))
}

export function seen({ world, alice }: Stage, id: string): Promise<ApprovalView> {
  return world.do(alice.flows.agent.approval(alice.agent, id)).then(good)
}

/** Bob invites alice; the task and the id of his proposal. */
export async function invited({ world, bob }: Stage): Promise<{ uid: string; base: string }> {
  const command = { type: 'dinner.coordination', participant: '@alice', proposal: dinner() }
  const made = good(await world.do(bob.flows.agent.createTask(bob.agent, command))).answer
  if (made.status !== 'sent') throw new Error('not sent')
  await world.rest()
  return { uid: made.task.taskUid, base: made.task.proposals[0]?.proposalId ?? '' }
}

export function propose({ world, alice }: Stage, uid: string, proposal: JsonObject) {
  return world.do(alice.flows.agent.propose(alice.agent, uid, { proposal })).then((done) => good(done).answer)
}
