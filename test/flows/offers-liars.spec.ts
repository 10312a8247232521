import { expect } from 'chai'
import { parseMessageId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { LOGO, changes, titlesAt } from './offers-stage.js'
import { type Node, type World, createWorld, good } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet, say } from './puppet.js'

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
