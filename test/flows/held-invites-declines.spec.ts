import { expect } from 'chai'
import {
  PLAN,
  QUOTE_FILE,
  QUOTE_HASH,
  answer,
  changed,
  ending,
  install,
  invite,
  question,
  questions,
  read,
  stage
} from './held-invites-stage.js'
import { good, refusalOf } from './pair.js'

describe('an invite of a type', () => {
  it('that is another definition under the same name and version is refused at once', async () => {
    const at = await stage()
    await install(at, at.bob, changed({ title: 'Another quotation' }))
    expect(await ending(at, await invite(at))).to.equal('cancelled type_mismatch')
    good(await at.world.do(at.bob.flows.owner.retireType('quote.request')))
    const other = await install(at, at.alice, changed({ title: 'A third one' }))
    expect(await ending(at, await invite(at, { type: other }))).to.equal('cancelled type_mismatch')
    expect(await questions(at, at.bob)).to.deep.equal([])
  })

  it('that was retired is refused at once, while what runs goes on', async () => {
    const at = await stage()
    await install(at, at.bob, QUOTE_FILE)
    const running = await invite(at)
    good(await at.world.do(at.bob.flows.owner.retireType(QUOTE_HASH)))
    expect(await ending(at, await invite(at))).to.equal('cancelled type_retired')
    const proposalId = (await read(at, at.bob, running)).proposals[0]?.proposalId ?? ''
    good(await at.world.do(at.bob.flows.agent.respond(at.bob.agent, running, { proposalId, decision: 'accept' })))
    await at.world.rest()
    expect(await ending(at, running)).to.equal('agreed')
  })

  it('is held with its first proposal right by its own definition, and never asked about otherwise', async () => {
    const at = await stage()
    await invite(at, { type: await install(at, at.alice, changed({ version: 2 })) })
    expect((await question(at)).type.version).to.equal(2)
  })
})

describe('a no to a type', () => {
  it('is lifted when that peer uses the type itself', async () => {
    const at = await stage()
    await invite(at)
    await answer(at, 'deny')
    const { world, alice, bob } = at
    expect(good(await world.do(bob.flows.owner.declines({}))).items.map((one) => one.by)).to.deep.equal(['owner'])
    await install(at, bob, QUOTE_FILE)
    expect(good(await world.do(bob.flows.owner.declines({}))).items).to.deep.equal([])
    const command = { type: 'quote.request', participant: alice.agent, proposal: PLAN }
    good(await world.do(bob.flows.agent.createTask(bob.agent, command)))
    await world.rest()
    expect(await ending(at, await invite(at), bob)).to.equal('open')
  })

  it('is listed for the owner and lifted by the owner, on each side for itself', async () => {
    const at = await stage()
    const { world, alice, bob } = at
    await invite(at)
    await answer(at, 'deny')
    const listed = good(await world.do(alice.flows.owner.declines({})))
    expect(listed.items.map((one) => `${one.by} ${one.code} ${one.type.hash}`)).to.deep.equal([
      `peer type_not_installed ${QUOTE_HASH}`
    ])
    good(await world.do(alice.flows.owner.liftDecline({ contact: '@bob', type: QUOTE_HASH })))
    const gone = { contact: '@bob', type: QUOTE_HASH }
    expect(refusalOf(await world.do(alice.flows.owner.liftDecline(gone)))).to.equal('not_found type')
    // Bob's owner said no once and is not asked again.
    expect(await ending(at, await invite(at))).to.equal('cancelled type_not_installed')
    expect(await questions(at, bob)).to.deep.equal([])
    good(await world.do(alice.flows.owner.liftDecline(gone)))
    good(await world.do(bob.flows.owner.liftDecline({ contact: '@alice', type: QUOTE_HASH })))
    await invite(at)
    expect((await question(at)).held).to.equal(1)
  })

  for (const [what, options, expected] of [
    ['a contact that is none', { contact: '@eve', type: QUOTE_HASH }, 'bad_request unknown_participant'],
    ['a name instead of a hash', { contact: '@bob', type: 'quote.request' }, 'bad_request malformed_id type'],
    ['a type that nobody declined', { contact: '@bob', type: 'ab'.repeat(32) }, 'not_found type'],
    ['an agent that is not here', { agent: 'nobody', contact: '@bob', type: QUOTE_HASH }, 'not_found agent']
  ] as const) {
    it(`is not lifted for ${what}`, async () => {
      const at = await stage()
      const refused = refusalOf(await at.world.do(at.alice.flows.owner.liftDecline(options)))
      expect(refused.startsWith(expected)).to.equal(true, refused)
    })
  }
})

describe('what a peer may make an owner look at', () => {
  it('is bounded: eight tasks, of three definitions', async () => {
    const at = await stage()
    const results: string[] = []
    for (let version = 2; version < 6; version++) {
      const type = await install(at, at.alice, changed({ version }))
      results.push(await ending(at, await invite(at, { type })))
    }
    expect(results).to.deep.equal(['open', 'open', 'open', 'cancelled type_not_installed'])
    expect(await questions(at, at.bob)).to.have.length(3)
    const more: string[] = []
    for (let i = 0; i < 6; i++) more.push(await ending(at, await invite(at, { type: 'quote.request@2' })))
    expect(more).to.deep.equal([...Array<string>(5).fill('open'), 'cancelled type_not_installed'])
  })
})
