import { expect } from 'chai'
import type { AgentId } from '../../src/base/ids.js'
import { inviteId, inviteProof, readLink } from '../../src/wire/link.js'
import { isoOf } from '../../src/base/time.js'
import { befriend, chainsAt, createWorld, friends, good, keysFor, refusalOf, stateAt } from './pair.js'
import type { Node, World } from './pair.js'
import { type Puppet, type Thread, acquaint, createPuppet, kindsOn, receiptsOn, say } from './puppet.js'

type State = 'none' | 'requested' | 'pending' | 'active' | 'removed' | 'blocked'
type Event = keyof typeof EVENTS

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly zoe: Puppet
}

async function stage(): Promise<Stage> {
  const world = createWorld()
  return { world, alice: await world.node('alice'), zoe: await createPuppet(world, 'zoe') }
}

async function act(
  { world, alice, zoe }: Stage,
  action: Parameters<Node['flows']['owner']['changeContact']>[0]['action']
) {
  return world.do(alice.flows.owner.changeContact({ contact: zoe.agent, action }))
}

/** How a contact comes to be in a state. */
const WAYS: Readonly<Record<State, (at: Stage) => Promise<unknown>>> = {
  none: () => Promise.resolve(),
  requested: async ({ world, alice, zoe }) =>
    good(await world.do(alice.flows.owner.addContact({ link: zoe.linkText() }))),
  pending: async (at) => knock(at),
  active: async ({ world, alice, zoe }) => acquaint(world, alice, zoe),
  removed: async (at) => {
    await WAYS.active(at)
    good(await act(at, 'remove'))
    await at.world.rest()
  },
  blocked: async (at) => {
    await WAYS.active(at)
    good(await act(at, 'block'))
    await at.world.rest()
  }
}

async function knock(at: Stage, secret?: Uint8Array): Promise<Thread> {
  const { world, alice, zoe } = at
  const visit = await zoe.visit(alice)
  const ids = { from: zoe.agent, to: alice.agent }
  const proof = secret === undefined ? {} : { proof: { invite: inviteId(secret), mac: inviteProof(secret, ids) } }
  visit.say(say(zoe.write(alice, { kind: 'contact.request', body: { card: zoe.card(), ...proof } })))
  await world.rest()
  return visit
}

async function secretOf({ world, alice }: Stage): Promise<Uint8Array> {
  const { link } = good(await world.do(alice.flows.owner.invite({ secret: true })))
  return good(readLink(link)).invite ?? new Uint8Array()
}

async function owner(at: Stage, action: Parameters<typeof act>[1]): Promise<string | undefined> {
  const result = await act(at, action)
  return result.ok ? undefined : refusalOf(result)
}

async function peerSays({ world, alice, zoe }: Stage, kind: 'accept' | 'decline' | 'remove'): Promise<undefined> {
  const visit = await zoe.visit(alice)
  const message =
    kind === 'accept'
      ? zoe.write(alice, { kind: 'contact.accept', body: { card: zoe.card() } })
      : zoe.write(alice, { kind: `contact.${kind}`, body: {} })
  visit.say(say(message))
  await world.rest()
}

const EVENTS = {
  'our owner adds a link': async ({ world, alice, zoe }: Stage) => {
    const added = await world.do(alice.flows.owner.addContact({ link: zoe.linkText() }))
    return added.ok ? undefined : refusalOf(added)
  },
  'the peer asks': async (at: Stage) => void (await knock(at)),
  'the peer asks with the secret': async (at: Stage) => void (await knock(at, await secretOf(at))),
  'our owner accepts': (at: Stage) => owner(at, 'accept'),
  'our owner declines': (at: Stage) => owner(at, 'decline'),
  'our owner removes': (at: Stage) => owner(at, 'remove'),
  'our owner blocks': (at: Stage) => owner(at, 'block'),
  'our owner unblocks': (at: Stage) => owner(at, 'unblock'),
  'our owner unfreezes': (at: Stage) => owner(at, 'unfreeze'),
  'the peer accepts': (at: Stage) => peerSays(at, 'accept'),
  'the peer declines': (at: Stage) => peerSays(at, 'decline'),
  'the peer removes': (at: Stage) => peerSays(at, 'remove')
}

const ILLEGAL = 'conflict illegal_transition'
const NONE = 'not_found contact'

/** protocols/contacts.md, "States", and what it leaves out: no effect. `state`, `state + kind sealed` or a refusal. */
const TABLE: Readonly<Record<Event, Readonly<Record<State, string>>>> = {
  'our owner adds a link': {
    none: 'requested + contact.request',
    requested: 'requested + contact.request',
    pending: 'requested + contact.request',
    active: 'conflict contact_exists',
    removed: 'requested + contact.request',
    blocked: 'conflict contact_exists'
  },
  'the peer asks': {
    none: 'pending',
    requested: 'active + contact.accept',
    pending: 'pending',
    active: 'active + contact.accept',
    removed: 'pending',
    blocked: 'blocked'
  },
  'the peer asks with the secret': {
    none: 'active + contact.accept',
    requested: 'active + contact.accept',
    pending: 'active + contact.accept',
    active: 'active + contact.accept',
    removed: 'active + contact.accept',
    blocked: 'blocked'
  },
  'our owner accepts': {
    none: NONE,
    requested: ILLEGAL,
    pending: 'active + contact.accept',
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'our owner declines': {
    none: NONE,
    requested: ILLEGAL,
    pending: 'removed + contact.decline',
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'our owner removes': {
    none: NONE,
    requested: 'removed + contact.remove',
    pending: ILLEGAL,
    active: 'removed + contact.remove',
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'our owner blocks': {
    none: NONE,
    requested: 'blocked',
    pending: 'blocked',
    active: 'blocked',
    removed: 'blocked',
    blocked: ILLEGAL
  },
  'our owner unblocks': {
    none: NONE,
    requested: ILLEGAL,
    pending: ILLEGAL,
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: 'removed'
  },
  'our owner unfreezes': {
    none: NONE,
    requested: ILLEGAL,
    pending: ILLEGAL,
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'the peer accepts': {
    none: 'none',
    requested: 'active',
    pending: 'pending',
    active: 'active',
    removed: 'removed',
    blocked: 'blocked'
  },
  'the peer declines': {
    none: 'none',
    requested: 'removed',
    pending: 'pending',
    active: 'active',
    removed: 'removed',
    blocked: 'blocked'
  },
  'the peer removes': {
    none: 'none',
    requested: 'removed',
    pending: 'pending',
    active: 'removed',
    removed: 'removed',
    blocked: 'blocked'
  }
}

async function kindsSealed({ world, alice }: Stage): Promise<string[]> {
  const { reopen } = await import('../../src/wire/open.js')
  const found = await world.do(alice.store.range('sent', { prefix: '' }))
  return found.map(([, bytes]) => reopen(bytes).header.kind)
}

describe('a contact', () => {
  for (const event of Object.keys(TABLE) as Event[]) {
    for (const state of Object.keys(TABLE[event]) as State[]) {
      it(`that is ${state}, when ${event}: ${TABLE[event][state]}`, async () => {
        const at = await stage()
        await WAYS[state](at)
        const before = await kindsSealed(at)
        const refused = await EVENTS[event](at)
        const sealed = (await kindsSealed(at)).slice(before.length)
        const outcome = refused ?? [stateAt(at.alice, at.zoe), ...sealed].join(' + ')
        expect(outcome).to.equal(TABLE[event][state])
        if (refused !== undefined) expect(stateAt(at.alice, at.zoe)).to.equal(state)
      })
    }
  }
})

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

describe('two owners', () => {
  it('who add each other at once are contacts without any further word', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    const links = await Promise.all(
      [alice, bob].map((node) => world.do(node.flows.owner.invite({ secret: false })).then((link) => good(link).link))
    )
    const adding = [alice, bob].map((node, at) => node.flows.owner.addContact({ link: links[1 - at] ?? '' }))
    for (const added of await Promise.all(adding.map((one) => world.do(one)))) good(added)
    await world.rest(5_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
    expect(chainsAt(alice, bob).split(' ')[0]).to.match(/^(\d)\/\1$/)
  })

  it('keep the chain through remove and re-add, with what was queued in its place', async () => {
    const { world, alice, bob } = await friends()
    world.wires.setReachable(bob.peerId, false)
    const command = {
      type: 'dinner.coordination',
      participant: '@bob',
      proposal: { date: '2026-11-14', time: '19:00', timezone: 'UTC' }
    }
    good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'block' })))
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'unblock' })))
    world.wires.setReachable(bob.peerId, true)
    await world.rest(120_000)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['2/1 1', '1/1 1'])
    await befriend(world, bob, alice)
    await world.rest(120_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['3/3 2', '2/2 3'])
    expect((await bob.all('tasks')).length).to.equal(1)
  })

  it('part with one word: it is acknowledged, and then nobody calls any more', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    await world.rest()
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['removed', 'removed'])
    expect([chainsAt(alice, bob), world.wires.streams()]).to.deep.equal(['2/2 1', 0])
    world.wires.forget()
    await world.rest(3_600_000)
    expect(world.wires.dials).to.deep.equal([])
    expect(world.wires.contacts.get(alice.peerId)?.size).to.equal(0)
  })

  it('of whom one ends it: the other is heard no more at once', async () => {
    const at = await stage()
    const visit = await acquaint(at.world, at.alice, at.zoe)
    good(await act(at, 'remove'))
    await at.world.rest()
    expect(visit.ended()).to.equal(true)
  })

  it('call nobody who ended it, whatever is queued, nor whom they blocked once', async () => {
    for (const end of ['peer', 'block'] as const) {
      const at = await stage()
      const { world, alice, zoe } = at
      const visit = await acquaint(world, alice, zoe)
      if (end === 'peer') visit.say(say(zoe.write(alice, { kind: 'contact.remove', body: {} })))
      else for (const action of ['block', 'unblock'] as const) good(await act(at, action))
      await world.rest()
      expect([stateAt(alice, zoe), chainsAt(alice, zoe).slice(0, 3)]).to.deep.equal(['removed', '1/0'])
      await alice.stop()
      world.wires.forget()
      await alice.start()
      await world.rest(600_000)
      expect(world.wires.dials).to.deep.equal([])
    }
  })

  it('let nobody in who was blocked while the door was opening', async () => {
    const at = await stage()
    await acquaint(at.world, at.alice, at.zoe)
    const visit = await at.zoe.connect(at.alice)
    const have = { mine: { seq: 0, id: '' }, yours: { seq: 0, id: '' } } as const
    visit.say({ type: 'hello', hello: { v: 1, card: at.zoe.card(), to: at.alice.agent, have } })
    // In the same turn of the loop as the hello, after it.
    at.world.clock.defer(() => void act(at, 'block'))
    await at.world.rest()
    expect([stateAt(at.alice, at.zoe), kindsOn(visit)]).to.deep.equal(['blocked', ['refuse not_contact']])
  })

  it('part even if the receipt is lost: who is not known any more stops calling', async () => {
    const { world, alice, bob } = await friends()
    world.wires.loseIf((said) => said.from === bob.peerId && said.type === 'receipt')
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    await world.rest(10_000)
    expect(stateAt(bob, alice)).to.equal('removed')
    world.wires.forget()
    await world.rest(3_600_000)
    expect(world.wires.dials).to.deep.equal([])
  })

  it('know why they parted, and forget it when they begin anew', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    await world.rest()
    const reasonAt = async (node: Node): Promise<unknown> =>
      good(await world.do(node.flows.owner.contacts({}))).items.map((contact) => contact.reason)
    expect([await reasonAt(alice), await reasonAt(bob)]).to.deep.equal([['removed_by_us'], ['removed_by_peer']])
    await befriend(world, bob, alice)
    await world.rest(5_000)
    expect([await reasonAt(alice), await reasonAt(bob)]).to.deep.equal([[undefined], [undefined]])
  })

  it('stop all bytes at once by a block, also those that are queued here', async () => {
    const { world, alice, bob } = await friends()
    const command = {
      type: 'dinner.coordination',
      participant: '@alice',
      proposal: { date: '2026-11-14', time: '19:00', timezone: 'UTC' }
    }
    const writing = bob.flows.agent.createTask(bob.agent, command)
    const blocking = alice.flows.owner.changeContact({ contact: '@bob', action: 'block' })
    good(await world.do(blocking))
    good(await world.do(writing))
    await world.rest(120_000)
    expect(await alice.all('tasks')).to.deep.equal([])
    expect(chainsAt(alice, bob)).to.equal('1/1 1')
    expect(bob.flows.status().undelivered).to.equal(1)
  })
})

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
