import { expect } from 'chai'
import { META } from '../../src/flows/keys.js'
import { readEntry } from '../../src/policy/audit.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import type { Node, World } from './pair.js'
import { befriend, chainsAt, createWorld, dinner, friends, good, openUp, refusalOf } from './pair.js'

/** As `agentlink restore` leaves it: what was on disk then, and the mark that it was restored. */
async function comeBack(node: Node, backup: ReturnType<Node['backup']>): Promise<void> {
  node.crash()
  node.restore([...backup, [placeOf('meta', META.restored), TABLES.meta.encode(true)]])
  await node.start()
}

async function create(world: World, from: Node, participant: string) {
  const command = { type: 'dinner.coordination', participant, proposal: dinner(), expiresInHours: 72 }
  return world.do(from.flows.agent.createTask(from.agent, command))
}

describe('a node that was made of a backup', () => {
  it('writes nothing to a contact before that contact said how far it goes', async () => {
    const { world, alice, bob } = await friends()
    const backup = bob.backup()
    good(await create(world, bob, '@alice'))
    await world.rest()
    await alice.stop()
    await comeBack(bob, backup)
    // Without the mark it would write its first message anew, and alice would freeze it.
    expect(refusalOf(await create(world, bob, '@alice'))).to.match(/^unavailable/)
    await alice.start()
    await world.rest(400_000)
    good(await create(world, bob, '@alice'))
    await world.rest(20_000)
    expect([chainsAt(alice, bob).split(' ')[1], chainsAt(bob, alice).split('/')[0]]).to.deep.equal(['3', '3'])
    expect(good(await world.do(bob.flows.owner.contacts({}))).items.map((one) => one.frozen)).to.deep.equal([undefined])
  })

  it('gets again what it had taken, though its contact has nothing new to say', async () => {
    const { world, alice, bob } = await friends()
    const backup = bob.backup()
    good(await create(world, alice, '@bob'))
    await world.rest(20_000)
    await comeBack(bob, backup)
    await world.rest(20_000)
    expect(chainsAt(bob, alice).split(' ')[1]).to.equal(chainsAt(alice, bob).split('/')[0])
    expect(good(await world.do(bob.flows.agent.listTasks(bob.agent, { limit: 10 }))).items).to.have.length(1)
  })

  it('goes on at once with a contact that lost nothing', async () => {
    const { world, alice, bob } = await friends()
    await comeBack(bob, bob.backup())
    await world.rest(20_000)
    good(await create(world, bob, '@alice'))
    await world.rest(20_000)
    expect(chainsAt(alice, bob).split(' ')[1]).to.equal(chainsAt(bob, alice).split('/')[0])
  })

  it('ends what its agents had asked, answered or not: it may have been done already', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const bob = await world.node('bob')
    await befriend(world, alice, bob)
    await openUp(world, bob)
    const asked = good(await create(world, alice, '@bob')).answer
    if (asked.status !== 'pending_approval') throw new Error('nobody was asked')
    const backup = alice.backup()
    good(await world.do(alice.flows.owner.answerApproval(asked.approvalId, { decision: 'approve', scope: 'once' })))
    await world.rest()
    await comeBack(alice, backup)
    await world.rest(20_000)
    const yes = world.do(alice.flows.owner.answerApproval(asked.approvalId, { decision: 'approve', scope: 'once' }))
    expect(refusalOf(await yes)).to.match(/approval_expired/)
    expect(good(await world.do(alice.flows.agent.listTasks(alice.agent, { limit: 10 }))).items).to.have.length(1)
  })

  it('tells it in the audit log, once', async () => {
    const { world, bob } = await friends()
    await comeBack(bob, bob.backup())
    await world.rest()
    await bob.stop()
    await bob.start()
    const codes = (await bob.all('audit')).map((bytes) => readEntry(bytes)?.what)
    expect(codes.filter((what) => what === 'node.restored')).to.have.length(1)
  })

  it('closes the links that it had made: a stranger may hold what a friend has used', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
    await comeBack(alice, alice.backup())
    await world.rest()
    const mallory = await world.node('mallory')
    good(await world.do(mallory.flows.owner.addContact({ link })))
    await world.rest(5_000)
    const states = good(await world.do(alice.flows.owner.contacts({}))).items.map((one) => one.status)
    expect(states).to.deep.equal(['pending'])
  })

  it('forgets who waited for an answer, and hears them when they ask again', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const bob = await world.node('bob')
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: false })))
    good(await world.do(bob.flows.owner.addContact({ link })))
    await world.rest(5_000)
    await comeBack(alice, alice.backup())
    const states = async (): Promise<string[]> =>
      good(await world.do(alice.flows.owner.contacts({}))).items.map((one) => one.status)
    expect(await states()).to.deep.equal(['removed'])
    await world.rest(400_000)
    expect(await states()).to.deep.equal(['pending'])
  })
})
