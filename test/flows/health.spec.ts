import { expect } from 'chai'
import { createHealth } from '../../src/flows/health.js'
import { peerIdOf } from '../../src/wire/keys.js'
import { dinner, friends, good, keysFor } from './pair.js'

const NODE = peerIdOf(keysFor('alice').node.publicKey)

describe('how the node stands to the world', () => {
  it('counts who is connected, and has nothing to deliver while all is well', async () => {
    const { world, alice } = await friends()
    const health = await world.do(alice.flows.owner.health())
    expect(health).to.deep.include({ contacts: { active: 1, connected: 1 }, undelivered: 0 })
    expect((await world.do(alice.flows.owner.undelivered())).items).to.deep.equal([])
  })

  it('says what waits for whom, since when and why, and forgets it with the receipt', async () => {
    const { world, alice, bob } = await friends()
    await bob.stop()
    await world.rest()
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    if (answer.status !== 'sent') throw new Error('asked')
    await world.rest()
    const { items } = await world.do(alice.flows.owner.undelivered())
    expect(items).to.deep.equal([
      {
        agent: alice.agent,
        contact: bob.agent,
        participantHandle: '@bob',
        status: 'active',
        pending: 1,
        since: answer.task.createdAt,
        reason: 'unreachable',
        taskUids: [answer.task.taskUid]
      }
    ])
    expect((await world.do(alice.flows.owner.health())).contacts).to.deep.equal({ active: 1, connected: 0 })
    await bob.start()
    await world.rest(120_000)
    expect((await world.do(alice.flows.owner.undelivered())).items).to.deep.equal([])
  })

  const reaches: ReadonlyArray<[string, readonly string[], string]> = [
    ['a public address', ['/ip4/192.168.1.2/tcp/1', '/ip4/8.8.8.8/tcp/1'], 'direct'],
    ['a name', ['/dns4/example.org/tcp/1'], 'direct'],
    ['addresses of the house', ['/ip4/10.0.0.7/tcp/1', '/ip4/127.0.0.1/tcp/1'], 'lan_only'],
    ['addresses of the machine', ['/ip4/127.0.0.1/tcp/1', '/ip6/::1/tcp/1'], 'machine_only'],
    ['no address', [], 'offline']
  ]
  for (const [what, addrs, reach] of reaches) {
    it(`is ${reach} with ${what}`, async () => {
      const steps = { read: (look: (tx: never) => unknown) => Promise.resolve(look(undefined as never)) } as never
      const parts = {
        steps,
        link: { addrs: () => addrs.map((addr) => `${addr}/p2p/${NODE}`) },
        contacts: () => [],
        laneOf: () => undefined,
        startedAt: 0
      }
      expect((await createHealth(parts).health()).reach).to.equal(reach)
    })
  }
})
