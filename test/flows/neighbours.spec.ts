import { expect } from 'chai'
import { createLocalLink } from '../../src/flows/local-link.js'
import type { Channel, Link } from '../../src/flows/ports.js'
import type { PeerId } from '../../src/base/ids.js'
import { type Node, type World, createWorld, dinner, good, idOf, refusalOf } from './pair.js'
import { manualClock } from './clock.js'

const CAROL = idOf('carol')

/** One node with two agents, alice and carol, that are contacts of each other. */
async function neighbours(): Promise<{ world: World; node: Node }> {
  const world = createWorld()
  const node = await world.node('alice', { agents: ['carol'] })
  const { link } = good(await world.do(node.flows.owner.invite({ agent: 'carol', secret: true })))
  good(await world.do(node.flows.owner.addContact({ agent: 'default', link })))
  await world.rest()
  for (const agent of ['default', 'carol']) {
    const rule = { agent, contact: '*', capability: 'disclose.*', effect: 'allow' } as const
    good(await world.do(node.flows.owner.setGrant(rule)))
  }
  return { world, node }
}

async function invited({ world, node }: { world: World; node: Node }): Promise<string> {
  const command = { type: 'dinner.coordination', participant: '@carol', proposal: dinner() }
  const { answer } = good(await world.do(node.flows.agent.createTask(node.agent, command)))
  if (answer.status !== 'sent') throw new Error('asked')
  await world.rest()
  return answer.task.taskUid
}

describe('two agents of one node', () => {
  it('become contacts by the link that their owner passes on, without a dial', async () => {
    const { world, node } = await neighbours()
    for (const agent of ['default', 'carol']) {
      const contacts = good(await world.do(node.flows.owner.contacts({ agent })))
      expect(contacts.items.map(({ handle, status }) => `${handle} ${status}`)).to.deep.equal([
        agent === 'default' ? '@carol active' : '@alice active'
      ])
    }
    expect([world.wires.dials, world.wires.said]).to.deep.equal([[], []])
    expect([...(world.wires.contacts.get(node.peerId) ?? [])]).to.deep.equal([])
  })

  it('agree on a dinner by the same signed messages and receipts as two nodes', async () => {
    const stage = await neighbours()
    const { world, node } = stage
    const uid = await invited(stage)
    const seen = good(await world.do(node.flows.agent.getTask(CAROL, uid)))
    expect(seen).to.include({ role: 'invitee', participant: node.agent })
    const proposalId = seen.proposals[0]?.proposalId ?? ''
    good(await world.do(node.flows.agent.respond(CAROL, uid, { proposalId, decision: 'accept' })))
    await world.rest()
    for (const agent of [node.agent, CAROL]) {
      const task = good(await world.do(node.flows.agent.getTask(agent, uid)))
      expect([task.status, task.delivery.state]).to.deep.equal(['agreed', 'delivered'])
    }
    expect(world.wires.said).to.deep.equal([])
  })

  it('have inboxes, tasks, contacts and grants of their own', async () => {
    const stage = await neighbours()
    const { world, node } = stage
    const uid = await invited(stage)
    const kinds = async (agent: typeof CAROL): Promise<string[]> =>
      good(await world.do(node.flows.agent.inbox(agent, { waitSeconds: 0, limit: 50 }))).items.map(({ kind }) => kind)
    expect(await kinds(CAROL)).to.deep.equal(['contact.active', 'task.invite'])
    expect(await kinds(node.agent)).to.deep.equal(['contact.active'])
    const deny = { agent: 'carol', contact: '*', capability: 'disclose.*', effect: 'deny' } as const
    good(await world.do(node.flows.owner.setGrant(deny)))
    const plan = { proposal: dinner({ partySize: 5 }) }
    expect(refusalOf(await world.do(node.flows.agent.propose(CAROL, uid, plan)))).to.equal('policy_denied')
    good(await world.do(node.flows.agent.propose(node.agent, uid, plan)))
  })

  it('go on after a restart with what was under way', async () => {
    const stage = await neighbours()
    const { world, node } = stage
    const command = { type: 'dinner.coordination', participant: '@carol', proposal: dinner() }
    const { answer } = good(await node.flows.agent.createTask(node.agent, command))
    node.crash()
    await node.start()
    await world.rest(5_000)
    const uid = answer.status === 'sent' ? answer.task.taskUid : ''
    expect(good(await world.do(node.flows.agent.getTask(CAROL, uid))).status).to.equal('open')
    expect(good(await world.do(node.flows.agent.getTask(node.agent, uid))).delivery.state).to.equal('delivered')
  })

  it('can be kept apart: a block holds here as between nodes', async () => {
    const { world, node } = await neighbours()
    good(await world.do(node.flows.owner.changeContact({ agent: 'carol', contact: '@alice', action: 'block' })))
    const command = { type: 'dinner.coordination', participant: '@carol', proposal: dinner() }
    const { answer } = good(await world.do(node.flows.agent.createTask(node.agent, command)))
    await world.rest(5_000)
    const uid = answer.status === 'sent' ? answer.task.taskUid : ''
    expect(refusalOf(await world.do(node.flows.agent.getTask(CAROL, uid)))).to.equal('not_found taskUid')
  })

  it('are two: no agent is a contact of itself', async () => {
    const { world, node } = await neighbours()
    const { link } = good(await world.do(node.flows.owner.invite({ agent: 'carol', secret: true })))
    const added = await world.do(node.flows.owner.addContact({ agent: 'carol', link }))
    expect(refusalOf(added)).to.equal('bad_request malformed_link link')
  })
})

describe('the channel between two agents of one node', () => {
  const OWN = 'own' as PeerId
  const clock = manualClock()
  const nowhere: Link = {
    peerId: OWN,
    addrs: () => [],
    onChannel: () => undefined,
    setContacts: () => undefined,
    connect: () => Promise.reject(new Error('the network was dialled'))
  }

  async function pipe(): Promise<{ near: Channel; far: Channel }> {
    const link = createLocalLink({ link: nowhere, clock })
    const accepted: Channel[] = []
    link.onChannel((channel) => accepted.push(channel))
    const near = await link.connect({ peerId: OWN, addrs: [], allowPrivate: true })
    return { near, far: accepted[0] as Channel }
  }
  const frame = (n: number): Uint8Array => Uint8Array.of(n)

  it('dials the network for every other node', async () => {
    const link = createLocalLink({ link: nowhere, clock })
    const other = { peerId: 'other' as PeerId, addrs: [], allowPrivate: true }
    expect(await link.connect(other).catch((error: Error) => error.message)).to.equal('the network was dialled')
  })

  it('brings frames in order, one at a time, and never before send has returned', async () => {
    const { near, far } = await pipe()
    const heard: string[] = []
    far.read(async ([n]) => {
      heard.push(`from ${n}`)
      await Promise.resolve()
      heard.push(`to ${n}`)
    })
    void near.send(frame(1))
    void near.send(frame(2))
    expect(heard).to.deep.equal([])
    await clock.run(1)
    expect(heard).to.deep.equal(['from 1', 'to 1', 'from 2', 'to 2'])
  })

  it('asks a sender to wait while the other end does not read, and lets it go on', async () => {
    const { near, far } = await pipe()
    let waits: Promise<void> | undefined
    let sent = 0
    while (waits === undefined && sent < 1000) waits = near.send(frame(sent++ % 256))
    expect(sent).to.be.lessThan(1000)
    far.read(() => undefined)
    await clock.run(1)
    await waits
  })

  it('ends both ends after what was sent has arrived, when one closes', async () => {
    const { near, far } = await pipe()
    const heard: number[] = []
    far.read(([n]) => void heard.push(n ?? 0))
    near.read(() => undefined)
    void near.send(frame(1))
    near.close()
    void near.send(frame(2))
    await clock.run(1)
    await Promise.all([near.closed, far.closed])
    expect(heard).to.deep.equal([1])
  })

  it('ends at once on an abort, at either end, and on a reader that throws', async () => {
    for (const end of ['near', 'far', 'reader'] as const) {
      const { near, far } = await pipe()
      const heard: number[] = []
      far.read(([n]) => {
        heard.push(n ?? 0)
        if (end === 'reader') throw new Error('broken')
      })
      void near.send(frame(1))
      void near.send(frame(2))
      if (end === 'near') near.abort('gone')
      if (end === 'far') far.abort('gone')
      await clock.run(1)
      await Promise.all([near.closed, far.closed])
      expect(heard).to.deep.equal(end === 'reader' ? [1] : [])
      expect(near.send(frame(3))).to.equal(undefined)
    }
  })
})
