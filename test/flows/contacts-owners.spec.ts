import { expect } from 'chai'
import { befriend, chainsAt, createWorld, friends, good, stateAt, type Node } from './pair.js'
import { acquaint, kindsOn, say } from './puppet.js'
import { stage, act } from './contacts-stage.js'

describe('two owners', () => {
  it('who add each other at once are contacts without any further word', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    const links = await Promise.all(
      [alice, bob].map((node) => world.do(node.flows.owner.invite({ secret: false })).then((link) => good(link).link))
    )
    const adding = [alice, bob].map((node, at) => node.flows.owner.addContact({ link: links[1 - at] ?? '' }))
    for (const added of await Promise.all(adding.map((one) => world.do(one)))) good(added)
    await world.rest(5_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
    expect(chainsAt(alice, bob).split(' ')[0]).to.match(/^(\d)\/\1$/)
  })

  it('keep the chain through remove and re-add, with what was queued in its place', async () => {
    const { world, alice, bob } = await friends()
    world.wires.setReachable(bob.peerId, false)
    const command = {
      type: 'dinner.coordination',
      participant: '@bob',
      proposal: { date: '2026-11-14', time: '19:00', timezone: 'UTC' }
    }
    good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'block' })))
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'unblock' })))
    world.wires.setReachable(bob.peerId, true)
    await world.rest(120_000)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['2/1 1', '1/1 1'])
    await befriend(world, bob, alice)
    await world.rest(120_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['3/3 2', '2/2 3'])
    expect((await bob.all('tasks')).length).to.equal(1)
  })

  it('meet again after a silent block by a link of whom it was about, and are told so when they try it the other way', async () => {
    const { world, alice, bob } = await friends()
    for (const action of ['block', 'unblock'] as const) {
      good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action })))
    }
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
    const refused = await world.do(bob.flows.owner.addContact({ link }))
    expect(refused.ok ? '' : refused.refusal.message).to.include('make a link yourself')
    await befriend(world, bob, alice)
    await world.rest(5_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
  })

  it('count as undelivered nothing that lies with the other side until its owner answers', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    const { link } = good(await world.do(bob.flows.owner.invite({ secret: false })))
    good(await world.do(alice.flows.owner.addContact({ link })))
    await world.rest(5_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['requested', 'pending'])
    const [contact] = good(await world.do(alice.flows.owner.contacts({}))).items
    expect([contact?.undelivered, alice.flows.status().undelivered]).to.deep.equal([0, 0])
  })

  it('part with one word: it is acknowledged, and then nobody calls any more', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    await world.rest()
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['removed', 'removed'])
    expect([chainsAt(alice, bob), world.wires.streams()]).to.deep.equal(['2/2 1', 0])
    world.wires.forget()
    await world.rest(3_600_000)
    expect(world.wires.dials).to.deep.equal([])
    expect(world.wires.contacts.get(alice.peerId)?.size).to.equal(0)
  })

  it('of whom one ends it: the other is heard no more at once', async () => {
    const at = await stage()
    const visit = await acquaint(at.world, at.alice, at.zoe)
    good(await act(at, 'remove'))
    await at.world.rest()
    expect(visit.ended()).to.equal(true)
  })

  it('call nobody who ended it, whatever is queued, nor whom they blocked once', async () => {
    for (const end of ['peer', 'block'] as const) {
      const at = await stage()
      const { world, alice, zoe } = at
      const visit = await acquaint(world, alice, zoe)
      if (end === 'peer') visit.say(say(zoe.write(alice, { kind: 'contact.remove', body: {} })))
      else for (const action of ['block', 'unblock'] as const) good(await act(at, action))
      await world.rest()
      expect([stateAt(alice, zoe), chainsAt(alice, zoe).slice(0, 3)]).to.deep.equal(['removed', '1/0'])
      await alice.stop()
      world.wires.forget()
      await alice.start()
      await world.rest(600_000)
      expect(world.wires.dials).to.deep.equal([])
    }
  })

  it('let nobody in who was blocked while the door was opening', async () => {
    const at = await stage()
    await acquaint(at.world, at.alice, at.zoe)
    const visit = await at.zoe.connect(at.alice)
    const have = { mine: { seq: 0, id: '' }, yours: { seq: 0, id: '' } } as const
    visit.say({ type: 'hello', hello: { v: 1, card: at.zoe.card(), to: at.alice.agent, have } })
    // In the same turn of the loop as the hello, after it.
    at.world.clock.defer(() => void act(at, 'block'))
    await at.world.rest()
    expect([stateAt(at.alice, at.zoe), kindsOn(visit)]).to.deep.equal(['blocked', ['refuse not_contact']])
  })

  it('part even if the receipt is lost: who is not known any more stops calling', async () => {
    const { world, alice, bob } = await friends()
    world.wires.loseIf((said) => said.from === bob.peerId && said.type === 'receipt')
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    await world.rest(10_000)
    expect(stateAt(bob, alice)).to.equal('removed')
    world.wires.forget()
    await world.rest(3_600_000)
    expect(world.wires.dials).to.deep.equal([])
  })

  it('know why they parted, and forget it when they begin anew', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    await world.rest()
    const reasonAt = async (node: Node): Promise<unknown> =>
      good(await world.do(node.flows.owner.contacts({}))).items.map((contact) => contact.reason)
    expect([await reasonAt(alice), await reasonAt(bob)]).to.deep.equal([['removed_by_us'], ['removed_by_peer']])
    await befriend(world, bob, alice)
    await world.rest(5_000)
    expect([await reasonAt(alice), await reasonAt(bob)]).to.deep.equal([[undefined], [undefined]])
  })

  it('stop all bytes at once by a block, also those that are queued here', async () => {
    const { world, alice, bob } = await friends()
    const command = {
      type: 'dinner.coordination',
      participant: '@alice',
      proposal: { date: '2026-11-14', time: '19:00', timezone: 'UTC' }
    }
    const writing = bob.flows.agent.createTask(bob.agent, command)
    const blocking = alice.flows.owner.changeContact({ contact: '@bob', action: 'block' })
    good(await world.do(blocking))
    good(await world.do(writing))
    await world.rest(120_000)
    expect(await alice.all('tasks')).to.deep.equal([])
    expect(chainsAt(alice, bob)).to.equal('1/1 1')
    expect(bob.flows.status().undelivered).to.equal(1)
  })
})
