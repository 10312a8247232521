import { expect } from 'chai'
import { chainsAt, dinner, friends, good, stateAt } from './pair.js'

describe('two nodes', () => {
  it('become contacts by a link with its secret, and exchange a task', async () => {
    const { world, alice, bob } = await friends()
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    expect(answer.status).to.equal('sent')
    await world.rest()
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['2/2 1', '1/1 2'])
    expect(world.wires.said.map((said) => said.type)).to.deep.equal(['message', 'receipt'])
  })
})
