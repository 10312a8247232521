/** A dinner that two friends agreed on, and the short words for the actions that follow it. */
import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import type { ActionCommand } from '../../src/flows/doors.js'
import type { ActionAnswer, TaskView } from '../../src/flows/views/tasks.js'
import { type Node, type World, createWorld, befriend, openUp } from './pair.js'
import { DINNER_TYPE, dinner, good, installed } from './pair.js'

export interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
  readonly uid: string
}

/** A definition with an action of its own. */
const QUOTE = installed({
  format: 'ttd1',
  name: 'quote.request',
  version: 1,
  title: 'Quote',
  fields: [
    { name: 'item', kind: 'text', label: 'Item', maxLength: 40, required: true },
    { name: 'secret', kind: 'text', label: 'Secret', maxLength: 40, capability: 'disclose.x.secret' }
  ],
  actions: [
    {
      name: 'x.quote.request.order',
      label: 'Send the order',
      params: [
        { name: 'item', kind: 'text', label: 'Item', maxLength: 40, required: true },
        { name: 'note', kind: 'text', label: 'Note', maxLength: 200 }
      ]
    }
  ]
})

/** A dinner that alice proposed and bob accepted. */
export async function agreed(plan: JsonObject = dinner(), type = 'dinner.coordination'): Promise<Stage> {
  const world = createWorld()
  const more = { types: [DINNER_TYPE, QUOTE] }
  const alice = await world.node('alice', more)
  const bob = await world.node('bob', more)
  await befriend(world, alice, bob)
  await openUp(world, alice, bob)
  const made = await world.do(alice.flows.agent.createTask(alice.agent, { type, participant: '@bob', proposal: plan }))
  const { answer } = good(made)
  if (answer.status !== 'sent') throw new Error('not sent')
  const uid = answer.task.taskUid
  await world.rest()
  const proposalId = answer.task.proposals[0]?.proposalId ?? ''
  good(await world.do(bob.flows.agent.respond(bob.agent, uid, { proposalId, decision: 'accept' })))
  await world.rest()
  world.wires.forget()
  return { world, alice, bob, uid }
}

export type Call = Partial<ActionCommand>

export function act(at: Stage, call: Call = {}, who: Node = at.alice) {
  return at.world
    .do(who.flows.agent.runAction(who.agent, { taskUid: at.uid, action: 'reservation.book', ...call }))
    .then((done) => (done.ok ? { ok: true as const, value: done.value.answer } : done))
}

export async function asked(at: Stage, call: Call = {}): Promise<string> {
  const answer: ActionAnswer = good(await act(at, call))
  if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
  expect(answer.taskUid).to.equal(at.uid)
  return answer.approvalId
}

export function answer(
  { world, alice }: Stage,
  id: string,
  decision: 'approve' | 'deny',
  scope: 'once' | 'contact' = 'once'
) {
  return world.do(alice.flows.owner.answerApproval(id, { decision, scope }))
}

export function task(at: Stage, who: Node): Promise<TaskView> {
  return at.world.do(who.flows.agent.getTask(who.agent, at.uid)).then(good)
}

export function grant(at: Stage, effect: 'allow' | 'ask' | 'deny', capability = 'action.reservation.book') {
  return at.world.do(at.alice.flows.owner.setGrant({ contact: '@bob', capability, effect })).then(good)
}

export function statusOf({ world, alice }: Stage, id: string): Promise<string> {
  return world.do(alice.flows.agent.approval(alice.agent, id)).then((found) => good(found).status)
}

export function said({ world }: Stage): string {
  return world.wires.said.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join()
}
