import { expect } from 'chai'
import { parseMessageId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { OfferText } from '../../src/flows/doors.js'
import { META } from '../../src/flows/keys.js'
import type { OfferView } from '../../src/flows/views/offers.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import { readEntry } from '../../src/policy/audit.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import { LIMITS } from '../../src/wire/limits.js'
import { brief } from './jobs.js'
import { type Node, type World, befriend, chainsAt, createWorld, friends, good, openUp, refusalOf } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet, say } from './puppet.js'

const LOGO: OfferText = {
  title: 'A logo',
  description: 'Drawn by hand',
  deliverable: 'One SVG file',
  price: '0.25',
  turnaroundHours: 72
}

/** Longer than any pause between attempts. */
const LONG = 120_000

async function offered(world: World, node: Node, more: Partial<OfferText> = {}): Promise<OfferView> {
  const made = good(await world.do(node.flows.owner.createOffer({ offer: { ...LOGO, ...more } })))
  await world.rest()
  return made
}

/** What an agent of `node` finds at `contact`: titles. */
async function titlesAt(world: World, node: Node, contact: { readonly name: string }): Promise<string[]> {
  const { items } = good(await world.do(node.flows.agent.contactOffers(node.agent, `@${contact.name}`)))
  return items.map((offer) => offer.title)
}

async function ownTitles(world: World, node: Node): Promise<string[]> {
  return good(await world.do(node.flows.owner.offers({}))).items.map((offer) => offer.title)
}

async function inboxKinds(world: World, node: Node): Promise<string[]> {
  const { items } = good(await world.do(node.flows.agent.inbox(node.agent, { after: 0, waitSeconds: 0, limit: 200 })))
  return items.map((item) => item.kind)
}

const changes = async (world: World, node: Node): Promise<number> =>
  (await inboxKinds(world, node)).filter((kind) => kind === 'offers.changed').length

async function change(
  world: World,
  node: Node,
  contact: string,
  action: 'accept' | 'remove' | 'block' | 'unblock' | 'unfreeze'
): Promise<void> {
  good(await world.do(node.flows.owner.changeContact({ contact, action })))
  await world.rest()
}

/** As `agentlink restore` leaves it. */
async function comeBack(node: Node, backup: ReturnType<Node['backup']>): Promise<void> {
  node.crash()
  node.restore([...backup, [placeOf('meta', META.restored), TABLES.meta.encode(true)]])
  await node.start()
}

describe('offers', () => {
  it('reach every active contact, whole, and again whenever they change', async () => {
    const { world, alice, bob } = await friends()
    const logo = await offered(world, bob)
    await offered(world, bob, { title: 'A poster' })
    expect(logo.offerId).to.match(/^[0-9a-f]{32}$/)
    expect(good(await world.do(alice.flows.agent.contactOffers(alice.agent, '@bob'))).items[0]).to.deep.equal(logo)
    expect(await titlesAt(world, alice, bob)).to.deep.equal(['A logo', 'A poster'])

    good(await world.do(bob.flows.owner.changeOffer({ offerId: logo.offerId, offer: { title: 'A crest' } })))
    await world.rest()
    expect(await titlesAt(world, alice, bob)).to.deep.equal(['A crest', 'A poster'])
    good(await world.do(bob.flows.owner.withdrawOffer({ offerId: logo.offerId })))
    await world.rest()
    expect(await titlesAt(world, alice, bob)).to.deep.equal(['A poster'])
    const { items } = await world.do(bob.flows.agent.offers(bob.agent))
    expect(items.map((one) => one.title)).to.deep.equal(['A poster'])
  })

  it('reach one that becomes a contact later, and a node that never offered anything sends nothing', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const bob = await world.node('bob')
    await offered(world, bob)
    await befriend(world, alice, bob)
    await world.rest(LONG)
    expect(await titlesAt(world, alice, bob)).to.deep.equal(['A logo'])
    expect(good(await world.do(bob.flows.owner.contactOffers({ contact: '@alice' })))).to.deep.equal({
      contact: alice.agent,
      items: []
    })
    expect((await bob.all('contactOffers')).length).to.equal(0)
  })

  it('reach a contact to which everything is denied: the owner publishes them, no agent discloses them', async () => {
    const { world, alice, bob } = await friends()
    for (const capability of ['disclose.job', 'pay.receive']) {
      good(await world.do(bob.flows.owner.setGrant({ contact: '@alice', capability, effect: 'deny' })))
    }
    await offered(world, bob)
    expect(await titlesAt(world, alice, bob)).to.deep.equal(['A logo'])
  })

  it('are told once, however often they are edited while a contact is away, and then as they are', async () => {
    const { world, alice, bob } = await friends()
    const { offerId } = await offered(world, bob)
    await world.rest(LONG)
    const before = Number(chainsAt(bob, alice).split('/')[0])
    await alice.stop()
    for (let hours = 1; hours <= 300; hours++) {
      void bob.flows.owner.changeOffer({ offerId, offer: { turnaroundHours: hours } })
    }
    await world.rest()
    expect(Number(chainsAt(bob, alice).split('/')[0]) - before).to.equal(1)
    await bob.stop()
    await bob.start()
    await alice.start()
    await world.rest(LONG)
    const { items } = good(await world.do(alice.flows.agent.contactOffers(alice.agent, '@bob')))
    expect(items.map((one) => one.turnaroundHours)).to.deep.equal([300])
    expect(Number(chainsAt(bob, alice).split('/')[0]) - before).to.equal(2)
  })

  it('are announced in the inbox once, until the agent has looked at them', async () => {
    const { world, alice, bob } = await friends()
    await offered(world, bob, { title: '1' })
    await offered(world, bob, { title: '2' })
    expect(await changes(world, alice)).to.equal(1)
    await titlesAt(world, alice, bob)
    await offered(world, bob, { title: '3' })
    expect(await changes(world, alice)).to.equal(2)
    // What the owner looks at the agent has not seen.
    good(await world.do(alice.flows.owner.contactOffers({ contact: '@bob' })))
    await offered(world, bob, { title: '4' })
    expect(await changes(world, alice)).to.equal(2)
  })

  it('stand in the audit log of their owner, by reference', async () => {
    const { world, bob } = await friends()
    const { offerId } = await offered(world, bob)
    good(await world.do(bob.flows.owner.changeOffer({ offerId, offer: { price: '0.5' } })))
    good(await world.do(bob.flows.owner.withdrawOffer({ offerId })))
    const told = (await bob.all('audit')).map(readEntry).filter((entry) => entry?.what === 'job.offered')
    expect(told.map((entry) => [entry?.who.kind, entry?.about])).to.deep.equal(
      ['created', 'changed', 'withdrawn'].map((code) => ['owner', { agent: bob.agent, recordId: offerId, code }])
    )
  })

  describe('go with the contact', () => {
    for (const action of ['remove', 'block'] as const) {
      it(`when it is ${action === 'remove' ? 'removed' : 'blocked'}, and come back with it`, async () => {
        const { world, alice, bob } = await friends()
        await offered(world, bob)
        await offered(world, alice, { title: 'A song' })
        await change(world, alice, '@bob', action)
        expect(refusalOf(await world.do(alice.flows.agent.contactOffers(alice.agent, '@bob')))).to.equal(
          'conflict not_contact'
        )
        expect(refusalOf(await world.do(alice.flows.owner.contactOffers({ contact: '@bob' })))).to.equal(
          'conflict not_contact'
        )
        expect(await alice.all('contactOffers')).to.deep.equal([])
        // What changes meanwhile reaches nobody.
        await offered(world, alice, { title: 'A dance' })
        await offered(world, bob, { title: 'A poster' })
        expect(await alice.all('contactOffers')).to.deep.equal([])
        if (action === 'block') await change(world, alice, '@bob', 'unblock')
        await befriend(world, bob, alice)
        await world.rest(LONG)
        expect(await titlesAt(world, alice, bob)).to.deep.equal(['A logo', 'A poster'])
        expect(await titlesAt(world, bob, alice)).to.deep.equal(['A song', 'A dance'])
      })
    }

    it('and a contact that forgot us is told that there are none any more', async () => {
      const { world, alice, bob } = await friends()
      const { offerId } = await offered(world, bob)
      await change(world, bob, '@alice', 'block')
      good(await world.do(bob.flows.owner.withdrawOffer({ offerId })))
      expect(await titlesAt(world, alice, bob)).to.deep.equal(['A logo'])
      await change(world, bob, '@alice', 'unblock')
      await befriend(world, alice, bob)
      await world.rest(LONG)
      expect(await titlesAt(world, alice, bob)).to.deep.equal([])
    })
  })

  describe('after a restore', () => {
    it('are those of the newest telling, for everybody', async () => {
      const { world, alice, bob } = await friends()
      const carol = await world.node('carol')
      await befriend(world, carol, bob)
      const { offerId } = await offered(world, bob)
      await world.rest(LONG)
      const backup = bob.backup()
      await world.rest(1000)
      await carol.stop()
      good(await world.do(bob.flows.owner.withdrawOffer({ offerId })))
      await offered(world, bob, { title: 'A poster' })
      await world.rest(LONG)
      await comeBack(bob, backup)
      await carol.start()
      await world.rest(10 * LONG)
      expect(await ownTitles(world, bob)).to.deep.equal(['A poster'])
      expect(await titlesAt(world, alice, bob)).to.deep.equal(['A poster'])
      expect(await titlesAt(world, carol, bob)).to.deep.equal(['A poster'])
    })

    it('are those of the owner, who made them anew before what was lost came back', async () => {
      const { world, alice, bob } = await friends()
      await world.rest(LONG)
      const backup = bob.backup()
      await offered(world, bob, { title: 'Lost' })
      await world.rest(LONG)
      await alice.stop()
      await comeBack(bob, backup)
      await offered(world, bob, { title: 'Anew' })
      await alice.start()
      await world.rest(10 * LONG)
      expect(await ownTitles(world, bob)).to.deep.equal(['Anew'])
      expect(await titlesAt(world, alice, bob)).to.deep.equal(['Anew'])
    })

    it('of the contact that has them, come again', async () => {
      const { world, alice, bob } = await friends()
      await world.rest(LONG)
      const backup = alice.backup()
      await offered(world, bob)
      await world.rest(LONG)
      await comeBack(alice, backup)
      await world.rest(10 * LONG)
      expect(await titlesAt(world, alice, bob)).to.deep.equal(['A logo'])
    })
  })

  describe('of an owner that do not hold', () => {
    const cases: Array<[string, Partial<OfferText>, string]> = [
      ['no title', { title: '' }, 'title'],
      ['a title of 81 characters', { title: 'a'.repeat(81) }, 'title'],
      ['a description of 601', { description: 'a'.repeat(601) }, 'description'],
      ['a control character', { deliverable: 'a\u0007' }, 'deliverable'],
      ['half a surrogate pair', { title: 'a\ud800' }, 'title'],
      ['a price of nothing', { price: '0.0' }, 'price'],
      ['a negative price', { price: '-1' }, 'price'],
      ['a price with its currency', { price: '0.25 SOL' }, 'price'],
      ['ten places after the point', { price: '0.0000000001' }, 'price'],
      ['an exponent', { price: '1e3' }, 'price'],
      ['no hours', { turnaroundHours: 0 }, 'turnaroundHours'],
      ['721 hours', { turnaroundHours: 721 }, 'turnaroundHours'],
      ['half an hour', { turnaroundHours: 0.5 }, 'turnaroundHours']
    ]
    it('are refused by the member at fault, new or edited, and nothing is sent', async () => {
      const { world, alice, bob } = await friends()
      const { offerId } = await offered(world, bob)
      const before = chainsAt(bob, alice)
      for (const [name, more, field] of cases) {
        const made = await world.do(bob.flows.owner.createOffer({ offer: { ...LOGO, ...more } }))
        expect(refusalOf(made), name).to.equal(`bad_request invalid_field ${field}`)
        const changed = await world.do(bob.flows.owner.changeOffer({ offerId, offer: more }))
        expect(refusalOf(changed), name).to.equal(`bad_request invalid_field ${field}`)
      }
      expect([chainsAt(bob, alice), await ownTitles(world, bob)]).to.deep.equal([before, ['A logo']])
    })

    it('are refused for their id, for saying nothing, and for being one too many', async () => {
      const { world, bob } = await friends()
      const { owner } = bob.flows
      for (const offerId of ['0'.repeat(32), 'x', '../..']) {
        expect(refusalOf(await world.do(owner.withdrawOffer({ offerId })))).to.equal('not_found offerId')
        expect(refusalOf(await world.do(owner.changeOffer({ offerId, offer: LOGO })))).to.equal('not_found offerId')
      }
      const { offerId } = await offered(world, bob)
      expect(refusalOf(await world.do(owner.changeOffer({ offerId, offer: {} })))).to.equal('bad_request missing_field')
      for (let n = 1; n < LIMITS.offers; n++) await offered(world, bob)
      expect(refusalOf(await world.do(owner.createOffer({ offer: LOGO })))).to.equal('conflict too_many_offers')
    })
  })

  it('fit their message however much room their characters take', async () => {
    const { world, alice, bob } = await friends()
    const face = '\u{1f600}'
    const text = face.repeat(LIMITS.offerText)
    const largest = { title: face.repeat(LIMITS.offerTitle), description: text, deliverable: text }
    const price = '999999999.999999999'
    for (let n = 0; n < LIMITS.offers; n++) {
      await offered(world, bob, { ...largest, price, turnaroundHours: 720 })
    }
    await world.rest(LONG)
    expect(await titlesAt(world, alice, bob)).to.have.length(LIMITS.offers)
  })

  describe('that a plan names', () => {
    async function market(): Promise<{ world: World; alice: Node; bob: Node }> {
      const world = createWorld()
      const types = builtinTypes()
      const alice = await world.node('alice', { types })
      const bob = await world.node('bob', { types })
      await befriend(world, alice, bob)
      await openUp(world, alice, bob)
      return { world, alice, bob }
    }
    const hire = (world: World, alice: Node, more: JsonObject) =>
      world.do(
        alice.flows.agent.createTask(alice.agent, { type: 'job.request', participant: '@bob', proposal: brief(more) })
      )

    it('are those of the provider: an unknown one is refused here, by its field', async () => {
      const { world, alice, bob } = await market()
      const mine = await offered(world, alice)
      for (const offerId of ['', 'x', '0'.repeat(32), mine.offerId]) {
        expect(refusalOf(await hire(world, alice, { offerId }))).to.equal('bad_request unknown_offer proposal.offerId')
      }
      expect(await bob.all('tasks')).to.deep.equal([])
      const { offerId } = await offered(world, bob)
      good(await hire(world, alice, { offerId }))
      good(await hire(world, alice, {}))
    })

    it('stay named in a task when they are taken back, and can be named in no new one', async () => {
      const { world, alice, bob } = await market()
      const { offerId } = await offered(world, bob)
      const { answer } = good(await hire(world, alice, { offerId }))
      if (answer.status !== 'sent') throw new Error('not sent')
      good(await world.do(bob.flows.owner.withdrawOffer({ offerId })))
      await world.rest()
      const more = { proposal: brief({ offerId, price: '0.5' }) }
      good(await world.do(alice.flows.agent.propose(alice.agent, answer.task.taskUid, more)))
      expect(refusalOf(await hire(world, alice, { offerId }))).to.equal('bad_request unknown_offer proposal.offerId')
    })
  })
})

describe('offers of a contact that is not honest', () => {
  async function seller(): Promise<{ world: World; alice: Node; eve: Puppet; stream: Thread }> {
    const world = createWorld()
    const alice = await world.node('alice')
    const eve = await createPuppet(world, 'eve')
    return { world, alice, eve, stream: await acquaint(world, alice, eve) }
  }
  const offer = (more: JsonObject = {}): JsonObject => ({ offerId: '1'.repeat(32), ...LOGO, ...more })
  const raw = (eve: Puppet, alice: Node, body: JsonObject): Uint8Array =>
    eve.forge(alice, { kind: 'offers.update', body })

  it('have no effect when a list does not hold, and the next message is taken all the same', async () => {
    const { world, alice, eve, stream } = await seller()
    const many = Array.from({ length: 13 }, (_, at) => offer({ offerId: at.toString(16).repeat(32) }))
    const bad: JsonObject[] = [
      { offers: many },
      { offers: [offer(), offer({ title: 'Twin' })] },
      { offers: [offer({ price: '0' })] },
      { offers: [offer({ price: 'free' })] },
      { offers: [offer({ turnaroundHours: 0 })] },
      { offers: [offer({ offerId: 'x' })] },
      { offers: [offer({ more: 1 })] },
      { offers: 'all' },
      { offers: [], more: 1 },
      {}
    ]
    stream.say(say(eve.write(alice, { kind: 'offers.update', body: { offers: [offer() as never] } })))
    await world.rest()
    for (const body of bad) stream.say({ type: 'message', bytes: raw(eve, alice, body) })
    await world.rest()
    expect(await titlesAt(world, alice, eve)).to.deep.equal(['A logo'])
    stream.say({ type: 'message', bytes: raw(eve, alice, { offers: [offer({ title: 'Last' })] }) })
    await world.rest()
    expect(await titlesAt(world, alice, eve)).to.deep.equal(['Last'])
    expect(stream.ended()).to.equal(false)
  })

  it('can be told hundreds of times: one list is kept, and one item waits in the inbox', async () => {
    const { world, alice, eve, stream } = await seller()
    for (let n = 1; n <= 300; n++) {
      stream.say({ type: 'message', bytes: raw(eve, alice, { offers: [offer({ title: `${n}` })] }) })
      if (n % 100 === 0) await world.rest()
    }
    expect(await titlesAt(world, alice, eve)).to.deep.equal(['300'])
    expect(await alice.all('contactOffers')).to.have.length(1)
    expect(await changes(world, alice)).to.equal(1)
  })

  it('can not go back: an old update that is sent again changes nothing', async () => {
    const { world, alice, eve, stream } = await seller()
    const old = raw(eve, alice, { offers: [offer({ title: 'Old' })] })
    stream.say({ type: 'message', bytes: old })
    stream.say({ type: 'message', bytes: raw(eve, alice, { offers: [offer({ title: 'New' })] }) })
    stream.say({ type: 'message', bytes: old })
    await world.rest()
    expect(await titlesAt(world, alice, eve)).to.deep.equal(['New'])
  })

  it('that come before the contact is active are for nobody', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const eve = await createPuppet(world, 'eve')
    good(await world.do(alice.flows.owner.addContact({ link: eve.linkText() })))
    const stream = await eve.visit(alice)
    stream.say({ type: 'message', bytes: raw(eve, alice, { offers: [offer()] }) })
    await world.rest()
    expect(await alice.all('contactOffers')).to.deep.equal([])
    expect(parseMessageId(eve.heads.get(alice.agent)?.id ?? '').ok).to.equal(true)
  })
})
