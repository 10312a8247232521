import { expect } from 'chai'
import { StoreFailure } from '../../src/store/failure.js'
import type { Node } from './pair.js'
import { befriend, chainsAt, diskText, dinner, friends, good } from './pair.js'

/** It can be opened and read, and takes no write. */
const full = (what: 'write' | 'reopen'): StoreFailure | undefined =>
  what === 'write' ? new StoreFailure('disk_full', 'no space left on device') : undefined

/** The code of the failure that a promise must reject with. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof StoreFailure ? error.code : String(error))
  )
}

function create(node: Node, participant: string) {
  const command = { type: 'dinner.coordination', participant, proposal: dinner() }
  return node.flows.agent.createTask(node.agent, command)
}

describe('a node whose disk is full', () => {
  it('refuses a write with disk_full, sends nothing, and does it when there is room', async () => {
    const { world, alice, bob } = await friends()
    alice.disk.failWith(full)
    const before = diskText(alice)
    expect(await failureOf(world.do(create(alice, '@bob')))).to.equal('disk_full')
    expect(await failureOf(world.do(create(alice, '@bob')))).to.equal('disk_full')
    await world.rest(5_000)
    expect(diskText(alice)).to.equal(before)
    expect(world.wires.said.filter(({ type }) => type === 'message')).to.deep.equal([])
    alice.disk.failWith(undefined)
    await world.rest(30_000)
    expect(good(await world.do(create(alice, '@bob'))).answer.status).to.equal('sent')
    await world.rest(5_000)
    expect(chainsAt(alice, bob)).to.equal('2/2 1')
  })

  it('still answers what needs no write', async () => {
    const { world, alice, bob } = await friends()
    const made = good(await world.do(create(alice, '@bob'))).answer
    const uid = made.status === 'sent' ? made.task.taskUid : ''
    await world.rest()
    alice.disk.failWith(full)
    await failureOf(world.do(create(alice, '@bob')))
    const { agent, owner } = alice.flows
    expect(good(await world.do(agent.getTask(alice.agent, uid))).status).to.equal('open')
    expect(good(await world.do(agent.listTasks(alice.agent, { limit: 5 }))).items.length).to.equal(1)
    expect((await world.do(agent.counters(alice.agent))).undelivered).to.equal(0)
    expect(good(await world.do(agent.inbox(alice.agent, { waitSeconds: 0, limit: 5 }))).items.length).to.equal(1)
    expect((await world.do(agent.contacts(alice.agent))).items.length).to.equal(1)
    expect(good(await world.do(agent.capabilities(alice.agent, '@bob'))).items.length).to.be.above(3)
    expect(good(await world.do(owner.grants({}))).items.length).to.equal(1)
    expect(good(await world.do(owner.contacts({}))).items.length).to.equal(1)
    expect(good(await world.do(owner.approvals({ limit: 5 }))).items).to.deep.equal([])
    expect((await world.do(owner.agents())).items.length).to.equal(1)
    expect(alice.flows.status().contacts.active).to.equal(1)
    expect(bob.flows.status().contacts.active).to.equal(1)
  })

  it('tells of no expiry that it can not remember', async () => {
    const { world, alice } = await friends()
    const made = good(await world.do(create(alice, '@bob'))).answer
    const uid = made.status === 'sent' ? made.task.taskUid : ''
    await world.rest()
    alice.disk.failWith(full)
    await failureOf(world.do(create(alice, '@bob')))
    world.clock.jump(73 * 3_600_000)
    expect(await failureOf(world.do(alice.flows.agent.getTask(alice.agent, uid)))).to.equal('disk_full')
    alice.disk.failWith(undefined)
    await world.rest(30_000)
    expect(good(await world.do(alice.flows.agent.getTask(alice.agent, uid))).status).to.equal('expired')
  })

  it('acknowledges nothing of what its contacts send, tells them to come again, and has it all in the end', async () => {
    const { world, alice, bob } = await friends()
    bob.disk.failWith(full)
    good(await world.do(create(alice, '@bob')))
    await world.rest(2_000)
    expect(chainsAt(alice, bob)).to.equal('2/1 1')
    const [task] = good(await world.do(alice.flows.agent.listTasks(alice.agent, { limit: 1 }))).items
    expect(task?.delivery.state).to.equal('queued')
    expect(world.wires.said.filter(({ from, type }) => from === bob.peerId && type === 'receipt')).to.deep.equal([])
    bob.disk.failWith(undefined)
    await world.rest(120_000)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['2/2 1', '1/1 2'])
    expect(good(await world.do(bob.flows.agent.listTasks(bob.agent, { limit: 5 }))).items.length).to.equal(1)
  })

  it('loses no receipt: what it could not store is said again', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(create(alice, '@bob')))
    let writes = 0
    alice.disk.failWith((what) => (writes++ < 3 ? full(what) : undefined))
    await world.rest(60_000)
    expect(chainsAt(alice, bob)).to.equal('2/2 1')
  })

  it('lets in nobody whom it could not remember', async () => {
    const { world, alice } = await friends()
    const carol = await world.node('carol')
    alice.disk.failWith(full)
    const invite = alice.flows.owner.invite({ secret: true })
    expect(await failureOf(world.do(invite))).to.equal('disk_full')
    alice.disk.failWith(undefined)
    await world.rest(30_000)
    await befriend(world, alice, carol)
    expect(carol.flows.status().contacts.active).to.equal(1)
  })

  it('stops in order all the same', async () => {
    const { world, alice } = await friends()
    alice.disk.failWith(full)
    await failureOf(world.do(create(alice, '@bob')))
    await world.do(alice.flows.stop())
    world.wires.forget()
    await world.rest(600_000)
    expect(world.wires.said.filter(({ from }) => from === alice.peerId)).to.deep.equal([])
  })
})

describe('a node that was stopped', () => {
  it('does nothing more: it sends no frame, dials nobody, and leaves no timer of its own', async () => {
    const { world, alice, bob } = await friends()
    await bob.stop()
    good(await world.do(create(alice, '@bob')))
    await world.rest(3_000)
    await alice.stop()
    world.wires.forget()
    expect(world.clock.timers()).to.deep.equal([])
    await world.rest(600_000)
    expect([world.wires.said, world.wires.dials]).to.deep.equal([[], []])
  })

  it('goes on where it was when it starts again', async () => {
    const { world, alice, bob } = await friends()
    await bob.stop()
    good(await world.do(create(alice, '@bob')))
    await alice.stop()
    await alice.start()
    await bob.start()
    await world.rest(10_000)
    expect(chainsAt(alice, bob)).to.equal('2/2 1')
  })
})
