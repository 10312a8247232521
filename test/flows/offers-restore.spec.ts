import { expect } from 'chai'
import { LONG, comeBack, offered, ownTitles, titlesAt } from './offers-stage.js'
import { befriend, friends, good } from './pair.js'

describe('offers after a restore', () => {
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
