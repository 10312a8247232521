import { expect } from 'chai'
import { toBase64url } from '../../src/base/bytes.js'
import type { MessageId } from '../../src/base/ids.js'
import { isoOf } from '../../src/base/time.js'
import { sealCard } from '../../src/wire/card.js'
import { agentIdOf } from '../../src/wire/keys.js'
import { encodeFrame } from '../../src/wire/frames.js'
import { befriend, chainsAt, dinner, good, keysFor, refusalOf, stateAt } from './pair.js'
import { type Thread, createPuppet, kindsOn, messagesOn, say } from './puppet.js'
import { create, type Alone, alone, called, greetBack } from './deliver-stage.js'

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
