import { expect } from 'chai'
import { inviteId, inviteProof, readLink } from '../../src/wire/link.js'
import { createWorld, good, stateAt } from './pair.js'
import { type Puppet, createPuppet, kindsOn, say } from './puppet.js'
import { type Stage, stage, act, WAYS, knock, secretOf } from './contacts-stage.js'

describe('a stranger', () => {
  const HIDDEN: ReadonlyArray<readonly [string, (at: Stage) => Promise<unknown>]> = [
    ['unknown', WAYS.none],
    ['pending', WAYS.pending],
    ['removed', WAYS.removed],
    ['blocked', WAYS.blocked],
    [
      'frozen',
      async (at) => {
        await WAYS.active(at)
        await branchOff(at)
      }
    ]
  ]
  for (const [state, way] of HIDDEN) {
    it(`that is ${state} hears "not_contact", may say one thing, and is left`, async () => {
      const at = await stage()
      await way(at)
      const visit = await knock(at)
      await at.world.rest()
      expect(kindsOn(visit)).to.deep.equal(['refuse not_contact'])
      expect(visit.ended()).to.equal(true)
    })
  }

  it('of an agent that is not here hears the same', async () => {
    const at = await stage()
    const visit = await at.zoe.visit(at.alice, { to: at.zoe.agent })
    visit.say(say(at.zoe.write(at.alice, { kind: 'contact.request', body: { card: at.zoe.card() } })))
    await at.world.rest()
    expect(kindsOn(visit)).to.deep.equal(['refuse not_contact'])
    expect(visit.ended()).to.equal(true)
    expect(await at.alice.all('contacts')).to.deep.equal([])
  })

  it('is heard once on a stream, whatever it says then', async () => {
    const at = await stage()
    const visit = await at.zoe.visit(at.alice)
    const request = { kind: 'contact.request', body: { card: at.zoe.card() } } as const
    const [first, second] = [at.zoe.write(at.alice, request), at.zoe.write(at.alice, request)]
    visit.say(say(first))
    visit.say(say(second))
    await at.world.rest()
    const [record] = await at.alice.all('contacts')
    expect(record?.asked).to.equal(first.id)
  })

  for (const [what, frame] of [
    ['a task', (at: Stage) => say(at.zoe.write(at.alice, { kind: 'contact.remove', body: {} }))],
    ['a want', () => ({ type: 'want', chain: 'mine', from: 1 }) as const],
    ['a second hello', () => undefined]
  ] as const) {
    it(`that says ${what} instead of a request is cut off`, async () => {
      const at = await stage()
      const visit = await at.zoe.visit(at.alice)
      const said = frame(at)
      if (said !== undefined) visit.say(said)
      else
        visit.say({
          type: 'hello',
          hello: {
            v: 1,
            card: at.zoe.card(),
            to: at.alice.agent,
            have: { mine: { seq: 0, id: '' }, yours: { seq: 0, id: '' } }
          }
        })
      await at.world.rest()
      expect([kindsOn(visit), visit.ended()]).to.deep.equal([['refuse not_contact'], true])
      expect(stateAt(at.alice, at.zoe)).to.equal('none')
    })
  }

  it('that says nothing at all is left after a while', async () => {
    const at = await stage()
    const silent = await at.zoe.connect(at.alice)
    await at.world.rest(4_500)
    expect(silent.ended()).to.equal(false)
    await at.world.rest(800)
    expect(silent.ended()).to.equal(true)
  })

  it('whose knock arrives when the owner has just said yes is let in, not asked again', async () => {
    const at = await stage()
    await knock(at)
    const visit = await at.zoe.visit(at.alice)
    good(await act(at, 'accept'))
    visit.say(say(at.zoe.write(at.alice, { kind: 'contact.request', body: { card: at.zoe.card() } })))
    await at.world.rest()
    expect(stateAt(at.alice, at.zoe)).to.equal('active')
    expect(kindsOn(visit)).to.deep.equal(['refuse not_contact', 'hello'])
  })

  it('finds no room beyond the fiftieth, not even when all come at once', async () => {
    const world = createWorld()
    const alice = await world.node('alice', { flows: { pendingContacts: 3 } })
    const many = await Promise.all(['p', 'q', 'r', 's', 't'].map((name) => createPuppet(world, name)))
    const visits = await Promise.all(many.map((one) => one.visit(alice)))
    many.forEach((one, at) =>
      visits[at]?.say(say(one.write(alice, { kind: 'contact.request', body: { card: one.card() } })))
    )
    await world.rest()
    expect((await alice.all('contacts')).map((contact) => contact.state)).to.deep.equal(Array(3).fill('pending'))
    const first = many.find((one) => stateAt(alice, one) === 'pending') as Puppet
    good(await world.do(alice.flows.owner.changeContact({ contact: first.agent, action: 'decline' })))
    const last = many.find((one) => stateAt(alice, one) === 'none') as Puppet
    await knock({ world, alice, zoe: last })
    expect(stateAt(alice, last)).to.equal('pending')
  })
})

/** Zoe signs another first message: proof against her. */
async function branchOff({ world, alice, zoe }: Stage): Promise<void> {
  const visit = await zoe.visit(alice)
  zoe.heads.delete(alice.agent)
  visit.say(say(zoe.write(alice, { kind: 'contact.decline', body: {} })))
  await world.rest()
}

describe('the secret of a link', () => {
  it('works once', async () => {
    const at = await stage()
    const secret = await secretOf(at)
    await knock(at, secret)
    expect(stateAt(at.alice, at.zoe)).to.equal('active')
    const mallory = await createPuppet(at.world, 'mallory')
    await knock({ ...at, zoe: mallory }, secret)
    expect(stateAt(at.alice, mallory)).to.equal('pending')
  })

  it('works for one of two that come at once', async () => {
    const at = await stage()
    const secret = await secretOf(at)
    const mallory = await createPuppet(at.world, 'mallory')
    await Promise.all([knock(at, secret), knock({ ...at, zoe: mallory }, secret)])
    expect([stateAt(at.alice, at.zoe), stateAt(at.alice, mallory)].sort()).to.deep.equal(['active', 'pending'])
  })

  it('ends with its seven days, and its record with it', async () => {
    const at = await stage()
    const secret = await secretOf(at)
    at.world.clock.jump(7 * 24 * 3_600_000 + 1)
    await knock(at, secret)
    expect(stateAt(at.alice, at.zoe)).to.equal('pending')
    await at.world.rest(5_000)
    expect(await at.alice.all('invites')).to.deep.equal([])
  })

  for (const [what, mac] of [
    ['made up', () => 'ab'.repeat(32)],
    [
      'of somebody else',
      (secret: Uint8Array, at: Stage) => inviteProof(secret, { from: at.alice.agent, to: at.zoe.agent })
    ],
    [
      'of another secret',
      (_: Uint8Array, at: Stage) => inviteProof(new Uint8Array(16), { from: at.zoe.agent, to: at.alice.agent })
    ]
  ] as const) {
    it(`opens nothing by a proof that is ${what}, and is not used up`, async () => {
      const at = await stage()
      const secret = await secretOf(at)
      const visit = await at.zoe.visit(at.alice)
      const proof = { invite: inviteId(secret), mac: mac(secret, at) }
      visit.say(say(at.zoe.write(at.alice, { kind: 'contact.request', body: { card: at.zoe.card(), proof } })))
      await at.world.rest()
      expect(stateAt(at.alice, at.zoe)).to.equal('pending')
      expect((await at.alice.all('invites')).map((invite) => invite.usedBy)).to.deep.equal([undefined])
    })
  }

  it('is nowhere on the disk, nor on the wire', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
    good(await world.do(bob.flows.owner.addContact({ link })))
    await world.rest()
    const secret = good(readLink(link)).invite as Uint8Array
    const forms = [Buffer.from(secret).toString('base64url'), Buffer.from(secret).toString('hex')]
    const texts = [...alice.disk.contents(), ...bob.disk.contents()].map(([, value]) => Buffer.from(value).toString())
    texts.push(...world.wires.said.map((said) => Buffer.from(said.bytes).toString('latin1')))
    for (const form of forms) expect(texts.some((text) => text.includes(form))).to.equal(false)
  })
})
