import { expect } from 'chai'
import type { AgentId } from '../../src/base/ids.js'
import { readEntry } from '../../src/policy/audit.js'
import { type Node, type World, befriend, createWorld, dinner, good, idOf, openUp, refusalOf, stateAt } from './pair.js'

interface Stage {
  readonly world: World
  readonly node: Node
  readonly bob: Node
}

/** A node with a second agent, eve, which is a contact of bob on another node. */
async function stage(): Promise<Stage> {
  const world = createWorld()
  const node = await world.node('alice')
  const bob = await world.node('bob')
  await befriend(world, node, bob)
  await openUp(world, bob)
  good(await world.do(node.flows.owner.addAgent({ name: 'eve', handle: '@eve' })))
  const { link } = good(await world.do(bob.flows.owner.invite({ secret: true })))
  good(await world.do(node.flows.owner.addContact({ agent: 'eve', link })))
  await world.rest()
  return { world, node, bob }
}

const EVE = idOf('eve')

function tokenHash({ node }: Stage): string {
  return node.store.get('agents', EVE)?.tokenHash ?? ''
}

async function codes(node: Node): Promise<string[]> {
  return (await node.all('audit')).flatMap((bytes) => readEntry(bytes)?.what ?? [])
}

function invite({ world, node }: Stage, agent: AgentId) {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
  return world.do(node.flows.agent.createTask(agent, command))
}

describe('an agent that is added to a running node', () => {
  it('has a token, a card, and contacts of its own', async () => {
    const on = await stage()
    expect(on.node.flows.agentOfToken(tokenHash(on))).to.equal(EVE)
    expect(stateAt(on.bob, { agent: EVE })).to.equal('active')
    const contacts = good(await on.world.do(on.node.flows.owner.contacts({ agent: 'eve' })))
    expect(contacts.items.map(({ handle }) => handle)).to.deep.equal(['@bob'])
  })

  it('is there after a restart, under the handle that it was given', async () => {
    const { world, node } = await stage()
    node.crash()
    await node.start({ agents: ['eve'] })
    const { items } = await world.do(node.flows.owner.agents())
    expect(items).to.deep.include({ agent: EVE, name: 'eve', handle: '@eve' })
    expect((await codes(node)).filter((code) => code === 'agent.added')).to.have.length(2)
  })

  it('is the same one when it is added again, and another handle is refused', async () => {
    const { world, node } = await stage()
    for (const handle of [{}, { handle: '@eve' }]) {
      const again = good(await world.do(node.flows.owner.addAgent({ name: 'eve', ...handle })))
      expect([again.agent.agent, again.created]).to.deep.equal([EVE, false])
    }
    const other = await world.do(node.flows.owner.addAgent({ name: 'eve', handle: '@mallory' }))
    expect(refusalOf(other)).to.equal('conflict agent_exists name')
  })

  it('is made once, when two calls ask for it at one time', async () => {
    const { world, node } = await stage()
    const both = [1, 2].map(() => node.flows.owner.addAgent({ name: 'dan' }))
    const made = (await world.do(Promise.all(both))).map(good)
    expect(made.map(({ created }) => created)).to.deep.equal([true, false])
    expect(made[0]?.agent.handle).to.match(/^@agent-[a-z0-9]{4}$/)
  })

  for (const name of ['', 'Eve', '../eve', 'a/b', '.eve', 'e'.repeat(32), 'é', 'eve.key']) {
    it(`is not called ${JSON.stringify(name)}`, async () => {
      const world = createWorld()
      const node = await world.node('alice')
      const before = node.backup()
      expect(refusalOf(await world.do(node.flows.owner.addAgent({ name })))).to.equal('bad_request invalid_field name')
      expect(node.backup()).to.deep.equal(before)
    })
  }
})

describe('an agent that is revoked', () => {
  it('has no token from that moment on, before anything is on disk', async () => {
    const on = await stage()
    const hash = tokenHash(on)
    const done = on.node.flows.owner.revokeAgent('eve')
    await Promise.resolve().then(() => Promise.resolve())
    await on.world.rest()
    good(await on.world.do(done))
    expect(on.node.flows.agentOfToken(hash)).to.equal(undefined)
    expect((await codes(on.node)).at(-1)).to.equal('agent.revoked')
  })

  it('is nobody for its contacts, and the other agent goes on', async () => {
    const on = await stage()
    const { world, node, bob } = on
    good(await world.do(node.flows.owner.revokeAgent('eve')))
    const command = { type: 'dinner.coordination', participant: EVE, proposal: dinner() }
    const { answer } = good(await world.do(bob.flows.agent.createTask(bob.agent, command)))
    await world.rest(5_000)
    const uid = answer.status === 'sent' ? answer.task.taskUid : ''
    expect(good(await world.do(bob.flows.agent.getTask(bob.agent, uid))).delivery).to.include({ state: 'queued' })
    expect(node.store.get('chains', `${EVE}/${bob.agent}`)?.in.seq).to.equal(1)
    await openUp(world, node)
    good(await invite(on, node.agent))
  })

  it('asks its owner nothing any more: what waited is stale, and a yes to it sends nothing', async () => {
    const on = await stage()
    const { world, node, bob } = on
    const { answer } = good(await invite(on, EVE))
    if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
    good(await world.do(node.flows.owner.revokeAgent('@eve')))
    const id = answer.approvalId
    expect(good(await world.do(node.flows.owner.approval(id))).status).to.equal('stale')
    await world.do(node.flows.owner.answerApproval(id, { decision: 'approve', scope: 'once' }))
    await world.rest()
    expect(node.store.get('chains', `${EVE}/${bob.agent}`)?.out.seq).to.equal(1)
  })

  it('is not the default one, nor one that is not there', async () => {
    const { world, node } = await stage()
    const revoke = (agent: string) => world.do(node.flows.owner.revokeAgent(agent))
    expect(refusalOf(await revoke('default'))).to.equal('conflict agent_needed agent')
    expect(refusalOf(await revoke('@alice'))).to.equal('conflict agent_needed agent')
    expect(refusalOf(await revoke('nobody'))).to.equal('not_found agent')
    good(await revoke('eve'))
    expect(refusalOf(await revoke('eve'))).to.equal('not_found agent')
  })
})

describe('a token that is rotated', () => {
  it('is another at once, and told once', async () => {
    const on = await stage()
    const { world, node } = on
    const old = tokenHash(on)
    good(await world.do(node.flows.owner.rotateToken('eve')))
    expect([node.flows.agentOfToken(old), node.flows.agentOfToken(tokenHash(on))]).to.deep.equal([undefined, EVE])
    expect(tokenHash(on)).not.to.equal(old)
    expect((await codes(node)).filter((code) => code === 'token.rotated')).to.have.length(1)
  })
})
