import { expect } from 'chai'
import type { AgentId } from '../../src/base/ids.js'
import { readLink } from '../../src/wire/link.js'
import { isoOf } from '../../src/base/time.js'
import {
  befriend,
  chainsAt,
  createWorld,
  friends,
  good,
  keysFor,
  refusalOf,
  stateAt,
  type Node,
  type World
} from './pair.js'
import { type Puppet, acquaint, createPuppet, kindsOn, receiptsOn, say } from './puppet.js'
import { stage, act } from './contacts-stage.js'

describe('names', () => {
  const nameOf = (node: Node, name: string): AgentId | undefined => node.store.get('names', `${node.agent}/${name}`)

  async function trio(): Promise<{ world: World; alice: Node; bob: Node; eve: Puppet }> {
    const { world, alice, bob } = await friends()
    return { world, alice, bob, eve: await createPuppet(world, 'eve') }
  }

  async function knockAs(at: { world: World; alice: Node; eve: Puppet }, handle: string): Promise<void> {
    const visit = await at.eve.connect(at.alice)
    const card = at.eve.card({ handle })
    const have = { mine: { seq: 0, id: '' }, yours: { seq: 0, id: '' } } as const
    visit.say({ type: 'hello', hello: { v: 1, card, to: at.alice.agent, have } })
    await at.world.rest()
    visit.say(say(at.eve.write(at.alice, { kind: 'contact.request', body: { card } })))
    await at.world.rest()
  }

  it('belong to who came first', async () => {
    const at = await trio()
    await knockAs(at, '@bob')
    expect(stateAt(at.alice, at.eve)).to.equal('pending')
    expect(nameOf(at.alice, '@bob')).to.equal(at.bob.agent)
    good(await at.world.do(at.alice.flows.owner.changeContact({ contact: at.eve.agent, action: 'accept' })))
    expect(nameOf(at.alice, '@bob')).to.equal(at.bob.agent)
  })

  it('are not kept by a stranger from whom the owner adds', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    const eve = await createPuppet(world, 'eve')
    await knockAs({ world, alice, eve }, '@bob')
    expect(nameOf(alice, '@bob')).to.equal(eve.agent)
    await befriend(world, bob, alice)
    expect(nameOf(alice, '@bob')).to.equal(bob.agent)
  })

  it('are not kept by a stranger from the alias that the owner gives', async () => {
    const at = await trio()
    await knockAs(at, '@mum')
    good(await at.world.do(at.alice.flows.owner.renameContact({ contact: at.bob.agent, alias: '@mum' })))
    expect(nameOf(at.alice, '@mum')).to.equal(at.bob.agent)
  })

  it('follow the alias, which wins over the handle', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(alice.flows.owner.renameContact({ contact: '@bob', alias: '@robert' })))
    expect([nameOf(alice, '@bob'), nameOf(alice, '@robert')]).to.deep.equal([undefined, bob.agent])
    const contacts = good(await world.do(alice.flows.owner.contacts({}))).items
    expect(contacts.map(({ handle, alias }) => [handle, alias])).to.deep.equal([['@bob', '@robert']])
  })

  it('are refused as an alias when another contact has them', async () => {
    const { world, alice, bob } = await friends()
    const carol = await world.node('carol')
    await befriend(world, alice, carol)
    const renamed = await world.do(alice.flows.owner.renameContact({ contact: '@carol', alias: '@bob' }))
    expect(refusalOf(renamed)).to.equal('conflict alias_taken alias')
    const dave = await createPuppet(world, 'dave')
    const added = await world.do(alice.flows.owner.addContact({ link: dave.linkText(), alias: '@carol' }))
    expect(refusalOf(added)).to.equal('conflict alias_taken alias')
    expect([stateAt(alice, dave), nameOf(alice, '@bob')]).to.deep.equal(['none', bob.agent])
  })

  for (const alias of ['bob', '@', '@Bob', '@bob smith', `@${'x'.repeat(32)}`, '@bob/al1']) {
    it(`can't be ${alias}`, async () => {
      const { world, alice } = await friends()
      const renamed = await world.do(alice.flows.owner.renameContact({ contact: '@bob', alias }))
      expect(refusalOf(renamed)).to.equal('bad_request invalid_field handle')
    })
  }
})

describe('cards', () => {
  it('of a node that moved reach its contacts, which call it there', async () => {
    const { world, alice, bob } = await friends()
    await bob.stop()
    const old = bob.flows
    await bob.start()
    expect(bob.flows).to.not.equal(old)
    await world.rest()
    const seqAt = (): number | undefined => alice.store.get('contacts', `${alice.agent}/${bob.agent}`)?.cardSeq
    expect(seqAt()).to.equal(1)
    await bob.stop()
    world.wires.move(bob.peerId, '/ip4/127.0.0.1/tcp/4651')
    await bob.start()
    await world.rest()
    expect(seqAt()).to.equal(2)
    expect(chainsAt(bob, alice)).to.equal('2/2 1')
    expect(alice.store.get('contacts', `${alice.agent}/${bob.agent}`)?.addrs).to.deep.equal([
      `/ip4/127.0.0.1/tcp/4651/p2p/${bob.peerId}`
    ])
  })

  for (const [what, more, taken] of [
    ['a higher number', { seq: 7 }, 7],
    ['the same number', { seq: 1, handle: '@other' }, 1],
    ['a number that jumps too far', { seq: 1_000_002 }, 1]
  ] as const) {
    it(`with ${what} ${taken === 1 ? 'change nothing' : 'replace'}`, async () => {
      const at = await stage()
      const visit = await acquaint(at.world, at.alice, at.zoe)
      visit.say(say(at.zoe.write(at.alice, { kind: 'card.update', body: { card: at.zoe.card(more) } })))
      await at.world.rest()
      const record = at.alice.store.get('contacts', `${at.alice.agent}/${at.zoe.agent}`)
      expect([record?.cardSeq, record?.handle]).to.deep.equal([taken, '@zoe'])
      expect(receiptsOn(visit, at.alice, at.zoe).at(-1)?.upTo.seq).to.equal(2)
    })
  }

  it('of somebody else change nothing', async () => {
    const at = await stage()
    const visit = await acquaint(at.world, at.alice, at.zoe)
    const eve = await createPuppet(at.world, 'eve')
    visit.say(say(at.zoe.write(at.alice, { kind: 'card.update', body: { card: eve.card({ seq: 9 }) } })))
    await at.world.rest()
    expect(at.alice.store.get('contacts', `${at.alice.agent}/${at.zoe.agent}`)?.cardSeq).to.equal(1)
  })

  it('in an old link do not replace a newer one', async () => {
    const at = await stage()
    const visit = await acquaint(at.world, at.alice, at.zoe)
    visit.say(say(at.zoe.write(at.alice, { kind: 'card.update', body: { card: at.zoe.card({ seq: 5 }) } })))
    await at.world.rest()
    good(await act(at, 'remove'))
    good(await at.world.do(at.alice.flows.owner.addContact({ link: at.zoe.linkText(1) })))
    expect(at.alice.store.get('contacts', `${at.alice.agent}/${at.zoe.agent}`)?.cardSeq).to.equal(5)
  })

  it('in a new link of an active contact say where it is now, and another link with the same card changes nothing', async () => {
    const at = await stage()
    await acquaint(at.world, at.alice, at.zoe)
    const moved = good(await at.world.do(at.alice.flows.owner.addContact({ link: at.zoe.linkText(5) })))
    expect(moved.status).to.equal('active')
    expect(at.alice.store.get('contacts', `${at.alice.agent}/${at.zoe.agent}`)?.cardSeq).to.equal(5)
    const again = await at.world.do(at.alice.flows.owner.addContact({ link: at.zoe.linkText(5) }))
    expect(refusalOf(again)).to.include('contact_exists')
  })

  it('that name a node which the agent has left let nobody in', async () => {
    const at = await stage()
    const visit = await acquaint(at.world, at.alice, at.zoe)
    const moved = at.zoe.card({ seq: 5, keys: { ...at.zoe.keys, node: keysFor('elsewhere').node } })
    visit.say(say(at.zoe.write(at.alice, { kind: 'card.update', body: { card: moved } })))
    await at.world.rest()
    const again = await at.zoe.visit(at.alice)
    expect(kindsOn(again)).to.deep.equal(['refuse not_contact'])
  })

  it('of another node than the one at the end of the stream let nobody in', async () => {
    const at = await stage()
    await acquaint(at.world, at.alice, at.zoe)
    const elsewhere = at.zoe.card({ seq: 2, keys: { ...at.zoe.keys, node: keysFor('elsewhere').node } })
    const visit = await at.zoe.visit(at.alice, { card: elsewhere })
    expect([kindsOn(visit), visit.ended()]).to.deep.equal([['refuse not_contact'], true])
  })
})

describe('a link', () => {
  it('of this node itself is refused', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
    expect(refusalOf(await world.do(alice.flows.owner.addContact({ link })))).to.equal(
      'bad_request malformed_link link'
    )
  })

  it('says when its secret ends; one without a secret never does', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const timed = good(await world.do(alice.flows.owner.invite({ secret: true })))
    const plain = good(await world.do(alice.flows.owner.invite({ secret: false })))
    expect([timed.expiresAt, plain.expiresAt]).to.deep.equal([
      isoOf(world.clock.now() - 200 + 7 * 86_400_000),
      undefined
    ])
    expect(good(readLink(plain.link)).invite).to.equal(undefined)
  })
})
