import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import type { TaskPlace } from '../../src/wire/message.js'
import { chainsAt, dinner, good, stateAt } from './pair.js'
import { acquaint, createPuppet, firstPlace, invite, say, uidOf } from './puppet.js'
import { type Stage, stage, receipts, deliver, invites, taskAt, inboxKinds } from './receive-stage.js'

describe('a message of a contact', () => {
  it('that is next is stored and acknowledged, with the head of our own chain', async () => {
    const at = await stage()
    await invites(at, uidOf('1'))
    expect(receipts(at)).to.deep.equal(['2 1'])
    expect(chainsAt(at.alice, at.zoe)).to.equal('1/0 2')
  })

  it('that was stored before is acknowledged again and done once', async () => {
    const at = await stage()
    const message = await invites(at, uidOf('1'))
    await deliver(at, message.bytes)
    expect(receipts(at)).to.deep.equal(['2 1', '2 1'])
    expect(await inboxKinds(at)).to.deep.equal(['contact.active', 'task.invite'])
  })

  it('that is far back is answered with all that is stored', async () => {
    const at = await stage()
    const message = await invites(at, uidOf('1'))
    await invites(at, uidOf('2'))
    await deliver(at, message.bytes)
    expect(receipts(at).at(-1)).to.equal('3 1')
  })

  it('that lies beyond the next is asked for once, and dropped', async () => {
    const at = await stage()
    const missing = at.zoe.write(at.alice, invite(at.world), firstPlace(uidOf('1')))
    const [third, fourth] = ['2', '3'].map((digit) =>
      at.zoe.write(at.alice, invite(at.world), firstPlace(uidOf(digit)))
    )
    if (third === undefined || fourth === undefined) throw new Error('two messages')
    await deliver(at, third.bytes)
    await deliver(at, fourth.bytes)
    expect(at.visit.heard).to.deep.equal([{ type: 'want', chain: 'yours', from: 2 }])
    for (const one of [missing, third, fourth]) await deliver(at, one.bytes)
    expect(receipts(at)).to.deep.equal(['2 1', '3 1', '4 1'])
  })

  it('comes in one batch with others, and they get one receipt', async () => {
    const at = await stage()
    for (const digit of ['1', '2', '3']) {
      at.visit.say(say(at.zoe.write(at.alice, invite(at.world), firstPlace(uidOf(digit)))))
    }
    await at.world.rest()
    expect(receipts(at)).to.deep.equal(['4 1'])
  })

  const CLOSED: ReadonlyArray<readonly [string, (at: Stage, bytes: Uint8Array) => Uint8Array]> = [
    ['with a flipped bit', (_, bytes) => bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))],
    ['cut short', (_, bytes) => bytes.subarray(0, -1)],
    ['of nothing but zeros', () => new Uint8Array(300)],
    ['to another agent', ({ zoe, alice }) => zoe.forge(alice, { kind: 'contact.decline', to: zoe.agent })],
    [
      'in the name of another agent',
      ({ zoe, alice }) => zoe.forge(alice, { kind: 'contact.decline', from: alice.agent })
    ],
    [
      'signed by another key',
      ({ zoe, alice }) => zoe.forge(alice, { kind: 'contact.decline' }, { signer: alice.keys.agent })
    ],
    ['with a member too many', ({ zoe, alice }) => zoe.forge(alice, { kind: 'contact.decline', extra: 1 })],
    ['without a body', ({ zoe, alice }) => zoe.forge(alice, { kind: 7 as unknown as string })]
  ]
  for (const [what, bend] of CLOSED) {
    it(`${what} ends the stream and changes nothing`, async () => {
      const at = await stage()
      const head = at.zoe.heads.get(at.alice.agent)
      const whole = at.zoe.write(at.alice, { kind: 'contact.decline', body: {} })
      if (head !== undefined) at.zoe.heads.set(at.alice.agent, head)
      await deliver(at, bend(at, whole.bytes))
      expect([at.visit.ended(), at.visit.heard, chainsAt(at.alice, at.zoe)]).to.deep.equal([true, [], '1/0 1'])
      expect(stateAt(at.alice, at.zoe)).to.equal('active')
    })
  }

  const OPAQUE: ReadonlyArray<readonly [string, JsonObject]> = [
    ['of a kind that nobody knows yet', { kind: 'task.haggle', body: { what: 'ever' } }],
    ['of a later version, with members of its own', { v: 2, kind: 'task.invite', body: [], more: true }],
    ['whose body is none', { kind: 'contact.remove', body: { because: 'x' } }],
    ['of a task without a place', { kind: 'task.cancel' }],
    [
      'with a place where none belongs',
      { kind: 'contact.remove', task: { uid: uidOf('1'), n: 1, seen: 0, seenId: '' } }
    ]
  ]
  for (const [what, payload] of OPAQUE) {
    it(`${what} is stored, acknowledged as opaque, has no effect, and the chain goes on`, async () => {
      const at = await stage()
      await deliver(at, at.zoe.forge(at.alice, payload))
      expect(receipts(at)).to.deep.equal(['2 1 opaque 2'])
      expect(stateAt(at.alice, at.zoe)).to.equal('active')
      expect(await inboxKinds(at)).to.deep.equal(['contact.active'])
      await invites(at, uidOf('1'))
      expect(receipts(at).at(-1)).to.equal('3 1')
    })
  }

  it('that is opaque keeps its place in a task, and the next one follows it', async () => {
    const at = await stage()
    const first = await invites(at, uidOf('1'))
    const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
    await deliver(at, at.zoe.forge(at.alice, { kind: 'task.haggle', task: place }))
    const next = at.zoe.write(at.alice, { kind: 'task.cancel', body: {} }, { ...place, n: 3 })
    await deliver(at, next.bytes)
    const task = good(await taskAt(at, uidOf('1')))
    expect([task.status, task.proposals.map((one) => one.proposalId)]).to.deep.equal(['cancelled', [first.id]])
  })

  for (const [what, place] of [
    ['of a task that nobody knows', { uid: uidOf('9'), n: 1, seen: 0, seenId: '' }],
    ['that skips a number in its task', { uid: uidOf('1'), n: 3, seen: 0, seenId: '' }],
    ['that counts what we never wrote', { uid: uidOf('1'), n: 2, seen: 1, seenId: 'ab'.repeat(32) }]
  ] as ReadonlyArray<readonly [string, TaskPlace]>) {
    it(`${what} is stored without effect`, async () => {
      const at = await stage()
      await invites(at, uidOf('1'))
      await deliver(at, at.zoe.write(at.alice, { kind: 'task.cancel', body: {} }, place).bytes)
      expect(receipts(at)).to.deep.equal(['2 1', '3 1'])
      expect(good(await taskAt(at, uidOf('1'))).status).to.equal('open')
      expect(await inboxKinds(at)).to.deep.equal(['contact.active', 'task.invite'])
    })
  }

  it('can not open a second time what it opened', async () => {
    const at = await stage()
    await invites(at, uidOf('1'))
    const again = at.zoe.write(at.alice, invite(at.world), { uid: uidOf('1'), n: 2, seen: 0, seenId: '' })
    await deliver(at, again.bytes)
    expect(await inboxKinds(at)).to.deep.equal(['contact.active', 'task.invite'])
    expect(good(await taskAt(at, uidOf('1'))).proposals.length).to.equal(1)
  })

  it('can not speak of the task of another contact', async () => {
    const at = await stage()
    await invites(at, uidOf('1'))
    const eve = await createPuppet(at.world, 'eve')
    const visit = await acquaint(at.world, at.alice, eve)
    const theirs = { ...at, zoe: eve, visit }
    await invites(theirs, uidOf('1'), { proposal: dinner({ time: '03:00' }) })
    const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
    await deliver(theirs, eve.write(at.alice, { kind: 'task.cancel', body: {} }, place).bytes)
    const task = good(await taskAt(at, uidOf('1')))
    expect([task.status, task.participant, task.proposals[0]?.proposal]).to.deep.equal(['open', at.zoe.agent, dinner()])
    expect(chainsAt(at.alice, eve)).to.equal('1/0 3')
  })
})

describe('proof of two messages with one number', () => {
  for (const [what, branch] of [
    [
      'for a place that is taken',
      (at: Stage) => {
        at.zoe.heads.delete(at.alice.agent)
        return at.zoe.write(at.alice, { kind: 'contact.decline', body: {} })
      }
    ],
    [
      'by a message that follows another head',
      (at: Stage) => {
        at.zoe.heads.set(at.alice.agent, { seq: 1, id: 'cd'.repeat(32) as never })
        return at.zoe.write(at.alice, { kind: 'contact.decline', body: {} })
      }
    ]
  ] as const) {
    it(`${what} freezes the contact, is kept, and the agent is told`, async () => {
      const at = await stage()
      const kept = at.alice.store.get('received', `${at.alice.agent}/${at.zoe.agent}/000000000001`)
      const other = branch(at)
      await deliver(at, other.bytes)
      expect(stateAt(at.alice, at.zoe)).to.equal('active frozen')
      expect(at.visit.ended()).to.equal(true)
      const [proof] = await at.alice.all('equivocations')
      expect([proof?.seq, proof?.first, proof?.second]).to.deep.equal([
        1,
        Buffer.from(kept ?? []).toString('base64url'),
        Buffer.from(other.bytes).toString('base64url')
      ])
      expect(await inboxKinds(at)).to.deep.equal(['contact.active', 'contact.frozen'])
    })
  }

  it('stops what was queued behind it', async () => {
    const at = await stage()
    const head = at.zoe.heads.get(at.alice.agent)
    at.zoe.heads.delete(at.alice.agent)
    at.visit.say(say(at.zoe.write(at.alice, { kind: 'contact.decline', body: {} })))
    if (head !== undefined) at.zoe.heads.set(at.alice.agent, head)
    at.visit.say(say(at.zoe.write(at.alice, invite(at.world), firstPlace(uidOf('1')))))
    await at.world.rest()
    expect(await at.alice.all('tasks')).to.deep.equal([])
    expect(chainsAt(at.alice, at.zoe)).to.equal('1/0 1')
  })

  it('stays when the owner lifts the freeze, and the branch that is held goes on', async () => {
    const at = await stage()
    const head = at.zoe.heads.get(at.alice.agent)
    at.zoe.heads.delete(at.alice.agent)
    await deliver(at, at.zoe.write(at.alice, { kind: 'contact.decline', body: {} }).bytes)
    good(await at.world.do(at.alice.flows.owner.changeContact({ contact: '@zoe', action: 'unfreeze' })))
    if (head !== undefined) at.zoe.heads.set(at.alice.agent, head)
    const visit = await at.zoe.visit(at.alice)
    await invites({ ...at, visit }, uidOf('1'))
    expect(good(await taskAt(at, uidOf('1'))).status).to.equal('open')
    expect((await at.alice.all('equivocations')).length).to.equal(1)
  })
})
