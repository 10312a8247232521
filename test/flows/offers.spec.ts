import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import type { OfferText } from '../../src/flows/doors.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import { readEntry } from '../../src/policy/audit.js'
import { LIMITS } from '../../src/wire/limits.js'
import { brief } from './jobs.js'
import { LOGO, LONG, change, changes, offered, ownTitles, titlesAt } from './offers-stage.js'
import { type Node, type World, befriend, chainsAt, createWorld, friends, good, openUp, refusalOf } from './pair.js'

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
