import { expect } from 'chai'
import { chainsAt, dinner, friends, good } from './pair.js'

const DINNER = { type: 'dinner.coordination', proposal: dinner() }

describe('a node restored from an old backup', () => {
  it('gets its own messages back from its contact, and the task with them', async () => {
    const { world, alice, bob } = await friends()
    const backup = bob.backup()
    const create = { ...DINNER, participant: '@alice' }
    const { answer } = good(await world.do(bob.flows.agent.createTask(bob.agent, create)))
    const uid = answer.status === 'sent' ? answer.task.taskUid : ''
    await world.rest()
    good(await world.do(alice.flows.agent.propose(alice.agent, uid, { proposal: dinner({ time: '20:00' }) })))
    await world.rest()
    const seen = good(await world.do(bob.flows.agent.getTask(bob.agent, uid)))
    const proposalId = seen.proposals.at(-1)?.proposalId ?? ''
    good(await world.do(bob.flows.agent.respond(bob.agent, uid, { proposalId, decision: 'accept' })))
    await world.rest()
    bob.crash()
    bob.restore(backup)
    await bob.start()
    world.wires.forget()
    good(await world.do(alice.flows.agent.createTask(alice.agent, { ...DINNER, participant: '@bob' })))
    await world.rest(10_000)
    console.log(
      world.wires.said.map((s) => `${s.from === bob.peerId ? 'bob' : 'alice'} ${s.type}`),
      alice.log,
      bob.log
    )
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['3/3 3', '3/3 3'])
    expect(good(await world.do(bob.flows.agent.getTask(bob.agent, uid))).status).to.equal('agreed')
  })
})
