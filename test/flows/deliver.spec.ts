import { expect } from 'chai'
import type { DeliveryView } from '../../src/flows/views/tasks.js'
import { chainsAt, dinner, friends, good } from './pair.js'
import { messagesOn } from './puppet.js'
import { type Pair, create, alone, called, greetBack } from './deliver-stage.js'

async function delivery({ world, alice }: Omit<Pair, 'bob'>, uid: string): Promise<DeliveryView> {
  return good(await world.do(alice.flows.agent.getTask(alice.agent, uid))).delivery
}

describe('what waits for a contact', () => {
  it('is queued until its node has it, and says why', async () => {
    const pair = await friends()
    const { world, bob } = pair
    world.wires.setReachable(bob.peerId, false)
    const { taskUid } = await create(pair)
    await world.rest(1_000)
    expect(await delivery(pair, taskUid)).to.deep.equal({ state: 'queued', pending: 1, reason: 'unreachable' })
    world.wires.setReachable(bob.peerId, true)
    await world.rest(60_000)
    expect(await delivery(pair, taskUid)).to.deep.equal({ state: 'delivered', pending: 0 })
  })

  it('is queued as not_contact when the other owner has ended it', async () => {
    const pair = await friends()
    const { world, bob } = pair
    good(await world.do(bob.flows.owner.changeContact({ contact: '@alice', action: 'block' })))
    const { taskUid } = await create(pair)
    await world.rest(1_000)
    expect(await delivery(pair, taskUid)).to.deep.equal({ state: 'queued', pending: 1, reason: 'not_contact' })
  })

  it('goes out in order when the node comes back, each message once', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    await bob.stop()
    for (let left = 5; left > 0; left--) await create(pair)
    await bob.start()
    world.wires.forget()
    await world.rest(60_000)
    expect(world.wires.said.filter(({ from, type }) => from === alice.peerId && type === 'message').length).to.equal(5)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['6/6 1', '1/1 6'])
  })

  it('goes out as soon as the contact is heard, without waiting for the pause to end', async () => {
    const pair = await friends()
    const { world, bob } = pair
    await bob.stop()
    const { taskUid } = await create(pair)
    await world.rest(3_600_000)
    await bob.start()
    good(
      await world.do(
        bob.flows.agent.createTask(bob.agent, {
          type: 'dinner.coordination',
          participant: '@alice',
          proposal: dinner()
        })
      )
    )
    await world.rest(500)
    expect((await delivery(pair, taskUid)).state).to.equal('delivered')
  })

  it('goes out soon after the other node comes back, which calls its contacts once though it has nothing to say', async () => {
    const pair = await friends({ flows: { backoff: { firstMs: 1_000, maxMs: 3_600_000 } } })
    const { world, bob } = pair
    await bob.stop()
    const { taskUid } = await create(pair)
    await world.rest(4 * 3_600_000)
    await bob.start()
    await world.rest(5_000)
    expect((await delivery(pair, taskUid)).state).to.equal('delivered')
  })

  it('is asked for with growing pauses, never longer than the longest', async () => {
    const pair = await friends()
    const { world, bob } = pair
    world.wires.setReachable(bob.peerId, false)
    world.wires.forget()
    await create(pair)
    const attempts: number[] = []
    for (let second = 0; second < 300; second++) {
      const before = world.wires.dials.length
      await world.rest(1_000)
      if (world.wires.dials.length > before) attempts.push(second)
    }
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
    expect(pauses.slice(0, 4)).to.deep.equal([...pauses.slice(0, 4)].sort((a, b) => a - b))
    expect(Math.max(...pauses)).to.be.within(20, 61)
    expect(attempts.length).to.be.within(8, 16)
  })

  it('is asked for with short pauses again after something got through', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    world.wires.setReachable(bob.peerId, false)
    await create(pair)
    await world.rest(600_000)
    world.wires.setReachable(bob.peerId, true)
    await world.rest(60_000)
    expect(chainsAt(alice, bob)).to.equal('2/2 1')
    world.wires.setReachable(bob.peerId, false)
    await world.rest()
    world.wires.forget()
    await create(pair)
    await world.rest(5_000)
    expect(world.wires.dials.length).to.be.within(3, 5)
  })

  it('survives a kill at any moment, on either side', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    for (const victim of [alice, bob, alice, bob]) {
      const writing = alice.flows.agent.createTask(alice.agent, {
        type: 'dinner.coordination',
        participant: '@bob',
        proposal: dinner()
      })
      good(await world.do(writing))
      victim.crash()
      await victim.start()
      await world.rest(500)
    }
    await world.rest(120_000)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['5/5 1', '1/1 5'])
    expect((await bob.all('tasks')).length).to.equal(4)
  })
})

describe('a stream that was cut', () => {
  it('is followed by one that sends only what no receipt covers', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    await create(pair)
    await world.rest()
    world.wires.cut()
    await world.rest()
    world.wires.forget()
    await create(pair)
    await world.rest(2_000)
    expect(world.wires.said.filter(({ type }) => type === 'message').length).to.equal(1)
    expect(chainsAt(alice, bob)).to.equal('3/3 1')
  })

  it('before its receipts arrived is followed by the receipt alone', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    world.wires.loseIf(({ from, type }) => from === bob.peerId && type === 'receipt')
    await create(pair)
    await world.rest()
    world.wires.loseIf(undefined)
    world.wires.forget()
    expect(chainsAt(alice, bob)).to.equal('2/1 1')
    await world.rest(5_000)
    expect(chainsAt(alice, bob)).to.equal('2/2 1')
    expect(world.wires.said.filter(({ type }) => type === 'message')).to.deep.equal([])
  })
})

describe('the window', () => {
  for (const window of [1, 3]) {
    it(`of ${window} lets ${window} messages be on their way without a receipt`, async () => {
      const at = await alone({ window })
      const lane = await called(at)
      for (let left = 5; left > 0; left--) await create(at, '@zoe')
      greetBack(at, lane)
      await at.world.rest()
      expect(messagesOn(lane, at.alice, at.zoe).length).to.equal(window)
      const first = messagesOn(lane, at.alice, at.zoe)[0]
      lane.say(at.zoe.receipt(at.alice, { seq: first?.header.seq ?? 0, id: first?.id ?? '' }))
      await at.world.rest()
      expect(messagesOn(lane, at.alice, at.zoe).length).to.equal(window + 1)
    })
  }
})
