import { expect } from 'chai'
import { toBase64url } from '../../src/base/bytes.js'
import type { MessageId } from '../../src/base/ids.js'
import { isoOf } from '../../src/base/time.js'
import { sealCard } from '../../src/wire/card.js'
import { agentIdOf } from '../../src/wire/keys.js'
import type { DeliveryView, TaskView } from '../../src/flows/views/tasks.js'
import { encodeFrame } from '../../src/wire/frames.js'
import type { Node, World } from './pair.js'
import { befriend, chainsAt, createWorld, dinner, friends, good, keysFor, openUp, refusalOf, stateAt } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet, kindsOn, messagesOn, say } from './puppet.js'

interface Pair {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

async function create({ world, alice }: Omit<Pair, 'bob'>, participant = '@bob'): Promise<TaskView> {
  const command = { type: 'dinner.coordination', participant, proposal: dinner() }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task
}

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

interface Alone {
  readonly world: World
  readonly alice: Node
  readonly zoe: Puppet
}

/** Alice and a puppet that is her contact. Her request waits for it. */
async function alone(flows: object = {}): Promise<Alone> {
  const world = createWorld()
  const alice = await world.node('alice', { flows })
  const zoe = await createPuppet(world, 'zoe')
  await acquaint(world, alice, zoe)
  await openUp(world, alice)
  return { world, alice, zoe }
}

/** The stream that alice has opened to the puppet. */
async function called({ world, zoe }: Alone): Promise<Thread> {
  for (let tries = 0; tries < 60; tries++) {
    const lane = zoe.visitors.filter((one) => !one.ended()).at(-1)
    if (lane !== undefined) return lane
    await world.rest(1_000)
  }
  throw new Error('alice does not call')
}

type Held = { readonly seq: number; readonly id: MessageId | '' }

function greetBack({ alice, zoe }: Alone, lane: Thread, yours: Held = { seq: 0, id: '' }, card = zoe.card()): void {
  const mine = zoe.heads.get(alice.agent) ?? { seq: 0, id: '' as const }
  lane.say({ type: 'hello', hello: { v: 1, card, to: alice.agent, have: { mine, yours } } })
}

describe('a node that was called', () => {
  it('gets nothing but the hello before it has said hello', async () => {
    const at = await alone()
    const lane = await called(at)
    await create(at, '@zoe')
    await at.world.rest()
    expect(kindsOn(lane)).to.deep.equal(['hello'])
    greetBack(at, lane)
    await at.world.rest()
    expect(kindsOn(lane)).to.deep.equal(['hello', 'message', 'message'])
  })

  it('gets nothing that it says it has', async () => {
    const at = await alone()
    const lane = await called(at)
    greetBack(at, lane)
    await at.world.rest()
    const [request] = messagesOn(lane, at.alice, at.zoe)
    lane.channel.abort('again')
    await at.world.rest()
    const next = await called(at)
    greetBack(at, next, { seq: 1, id: request?.id ?? '' })
    await create(at, '@zoe')
    await at.world.rest()
    expect(messagesOn(next, at.alice, at.zoe).map(({ header }) => header.seq)).to.deep.equal([2])
  })

  it('is left when it says nothing', async () => {
    const at = await alone()
    const lane = await called(at)
    await at.world.rest(6_000)
    expect(lane.ended()).to.equal(true)
  })

  type Talk = (at: Alone, lane: Thread) => Promise<void> | void
  const BAD: ReadonlyArray<readonly [string, Talk]> = [
    [
      'says a receipt before its hello',
      ({ alice, zoe }, lane) => lane.say(zoe.receipt(alice, { seq: 1, id: anyId() }))
    ],
    ['says a want before its hello', (_, lane) => lane.say({ type: 'want', chain: 'yours', from: 1 })],
    ['sends junk', (_, lane) => lane.raw(Uint8Array.of(9, 9, 9))],
    ['sends an empty frame', (_, lane) => lane.raw(new Uint8Array())],
    [
      'says a second hello',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        greetBack(at, lane)
      }
    ],
    [
      'shows the card of another agent',
      async (at, lane) => greetBack(at, lane, undefined, (await createPuppet(at.world, 'eve')).card())
    ],
    [
      'speaks for another agent of its node',
      (at, lane) => {
        const eve = keysFor('eve').agent
        const card = { agent: agentIdOf(eve.publicKey), handle: '@eve', peerId: at.zoe.peerId, addrs: [], seq: 1 }
        const sealed = sealCard({ ...card, at: isoOf(at.world.clock.now()) }, eve, at.zoe.keys.node)
        greetBack(at, lane, undefined, toBase64url(sealed))
      }
    ],
    [
      'shows a card of another node',
      (at, lane) => {
        const keys = { ...at.zoe.keys, node: keysFor('elsewhere').node }
        greetBack(at, lane, undefined, at.zoe.card({ seq: 2, keys }))
      }
    ],
    [
      'gives a receipt for a message that we did not write',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        lane.say(at.zoe.receipt(at.alice, { seq: 1, id: anyId() }))
      }
    ],
    [
      'gives a receipt for more than we wrote',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        lane.say(at.zoe.receipt(at.alice, { seq: 7, id: anyId() }))
      }
    ],
    [
      'gives a receipt of somebody else',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        const eve = await createPuppet(at.world, 'eve')
        const [first] = messagesOn(lane, at.alice, at.zoe)
        lane.say(eve.receipt(at.alice, { seq: 1, id: first?.id ?? '' }))
      }
    ],
    [
      'asks for what it acknowledged',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        const [first] = messagesOn(lane, at.alice, at.zoe)
        lane.say(at.zoe.receipt(at.alice, { seq: 1, id: first?.id ?? '' }))
        lane.say({ type: 'want', chain: 'yours', from: 1 })
      }
    ],
    [
      'asks for what was not sent',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        lane.say({ type: 'want', chain: 'yours', from: 9 })
      }
    ],
    [
      'asks for its own messages on our stream',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        lane.say({ type: 'want', chain: 'mine', from: 1 })
      }
    ],
    [
      'sends a message of its own on our stream',
      async (at, lane) => {
        greetBack(at, lane)
        await at.world.rest()
        lane.say(say(at.zoe.write(at.alice, { kind: 'contact.remove', body: {} })))
      }
    ]
  ]
  for (const [what, talk] of BAD) {
    it(`${what} is left, and nothing counts`, async () => {
      const at = await alone()
      const lane = await called(at)
      const contact = stateAt(at.alice, at.zoe)
      await talk(at, lane)
      await at.world.rest(200)
      expect(lane.ended()).to.equal(true)
      expect([stateAt(at.alice, at.zoe), at.alice.flows.status().contacts.active]).to.deep.equal([contact, 1])
      expect(chainsAt(at.alice, at.zoe)).to.match(/^1\/[01] 1$/)
    })
  }

  it('asks for a message again, and gets it and all that follows', async () => {
    const at = await alone()
    const lane = await called(at)
    await create(at, '@zoe')
    greetBack(at, lane)
    await at.world.rest()
    lane.say({ type: 'want', chain: 'yours', from: 1 })
    await at.world.rest()
    expect(messagesOn(lane, at.alice, at.zoe).map(({ header }) => header.seq)).to.deep.equal([1, 2, 1, 2])
  })

  it('that has no room is tried again when it said, not before', async () => {
    const at = await alone()
    const lane = await called(at)
    lane.say({ type: 'refuse', code: 'retry', afterMs: 90_000 })
    await at.world.rest(200)
    expect(lane.ended()).to.equal(true)
    at.world.wires.forget()
    await at.world.rest(89_000)
    expect(at.world.wires.dials).to.deep.equal([])
    await at.world.rest(2_000)
    expect(at.world.wires.dials.length).to.equal(1)
  })

  it('greets and stores nothing, again and again, is called ever more seldom', async () => {
    const at = await alone()
    let calls = 0
    for (let second = 0; second < 600; second++) {
      for (const lane of at.zoe.visitors.splice(0).filter((one) => !one.ended())) {
        calls++
        greetBack(at, lane)
        await at.world.rest(100)
        lane.say({ type: 'refuse', code: 'retry' })
      }
      await at.world.rest(900)
    }
    expect(calls).to.be.within(8, 25)
    await create(at, '@zoe')
    const [task] = good(await at.world.do(at.alice.flows.agent.listTasks(at.alice.agent, { limit: 1 }))).items
    expect(task?.delivery).to.deep.equal({ state: 'queued', pending: 1, reason: 'busy' })
  })

  it('holds another message under a number of ours: the contact is frozen', async () => {
    const at = await alone()
    const lane = await called(at)
    greetBack(at, lane, { seq: 1, id: anyId() })
    await at.world.rest(200)
    expect([stateAt(at.alice, at.zoe), lane.ended()]).to.deep.equal(['active frozen', true])
  })

  it('asks for messages that it lost itself, and is shown them once', async () => {
    const at = await alone()
    for (let left = 2; left > 0; left--) {
      const visit = await at.zoe.visit(at.alice)
      visit.say({ type: 'want', chain: 'mine', from: 1 })
      await at.world.rest()
      expect(kindsOn(visit)).to.deep.equal(['hello', 'receipt', 'message'])
      visit.say({ type: 'want', chain: 'mine', from: 1 })
      await at.world.rest()
      expect(visit.ended()).to.equal(true)
    }
  })

  for (const [what, frame] of [
    ['a receipt', { type: 'receipt', bytes: Uint8Array.of(1) }],
    ['a want for our own chain', { type: 'want', chain: 'yours', from: 1 }],
    ['a refusal', { type: 'refuse', code: 'retry' }]
  ] as const) {
    it(`says ${what} on its own stream, and is cut off`, async () => {
      const at = await alone()
      const visit = await at.zoe.visit(at.alice)
      visit.raw(encodeFrame(frame))
      await at.world.rest()
      expect(visit.ended()).to.equal(true)
    })
  }
})

describe('a node that claims to hold more of our chain than we do', () => {
  it('is asked for it, and until it shows it nothing new is written to it', async () => {
    const at = await alone()
    const lane = await called(at)
    greetBack(at, lane, { seq: 9, id: anyId() })
    await at.world.rest()
    expect(lane.heard.at(-1)).to.deep.equal({ type: 'want', chain: 'mine', from: 2 })
    const command = { type: 'dinner.coordination', participant: '@zoe', proposal: dinner() }
    expect(refusalOf(await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, command)))).to.equal(
      'unavailable'
    )
    const ask = { contact: '*', capability: 'disclose.*', effect: 'ask' } as const
    good(await at.world.do(at.alice.flows.owner.setGrant(ask)))
    expect(refusalOf(await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, command)))).to.equal(
      'unavailable'
    )
    const removed = at.alice.flows.owner.changeContact({ contact: '@zoe', action: 'remove' })
    expect(refusalOf(await at.world.do(removed))).to.equal('unavailable')
    const visit = await at.zoe.visit(at.alice, {
      have: { mine: at.zoe.heads.get(at.alice.agent) as never, yours: { seq: 9, id: anyId() } }
    })
    visit.say(say(at.zoe.write(at.alice, { kind: 'contact.accept', body: { card: at.zoe.card() } })))
    await at.world.rest()
    expect(kindsOn(visit)).to.deep.equal(['hello', 'receipt', 'refuse retry'])
    expect(chainsAt(at.alice, at.zoe)).to.equal('1/0 1')
  })

  it('hurts only itself: it may be blocked, and with others all goes on', async () => {
    const at = await alone()
    const bob = await at.world.node('bob')
    await befriend(at.world, at.alice, bob)
    greetBack(at, await called(at), { seq: 9, id: anyId() })
    await at.world.rest()
    expect((await create(at, '@bob')).status).to.equal('open')
    good(await at.world.do(at.alice.flows.owner.changeContact({ contact: '@zoe', action: 'block' })))
  })

  it('and says so no more the next time is written to again', async () => {
    const at = await alone()
    const lane = await called(at)
    greetBack(at, lane, { seq: 9, id: anyId() })
    await at.world.rest()
    lane.channel.abort('again')
    await at.world.rest()
    greetBack(at, await called(at))
    await at.world.rest()
    expect((await create(at, '@zoe')).status).to.equal('open')
  })
})

function anyId(): MessageId {
  return 'ef'.repeat(32) as MessageId
}
