import { expect } from 'chai'
import { isoOf } from '../../src/base/time.js'
import type { JsonObject } from '../../src/base/json.js'
import type { Content } from '../../src/wire/message.js'
import { hashOf, parseDefinition, type Definition } from '../../src/types/definition.js'
import {
  type World,
  DINNER_TYPE,
  befriend,
  chainsAt,
  createWorld,
  dinner,
  good,
  installed,
  openUp,
  refusalOf
} from './pair.js'
import { type Thread, invite, kindsOn, messagesOn, uidOf } from './puppet.js'
import { type Stage, stage, receipts, deliver, invites, taskAt, inboxKinds } from './receive-stage.js'

/** What alice sealed, kind and body, since the contact began. */
async function answers({ world, alice }: Stage): Promise<Array<[string, JsonObject]>> {
  const { reopen } = await import('../../src/wire/open.js')
  const found = await world.do(alice.store.range('sent', { prefix: '' }))
  return found
    .map(([, bytes]) => reopen(bytes))
    .filter((message) => message.header.kind !== 'contact.request')
    .map((message) => [message.header.kind, (message.content?.body ?? {}) as JsonObject])
}

/** A type that alice has not heard of. */
const QUOTE = good(
  parseDefinition({
    format: 'ttd1',
    name: 'quote.request',
    version: 1,
    title: 'Quote',
    fields: [{ name: 'price', kind: 'integer', label: 'Price', minimum: 1, maximum: 9, required: true }]
  })
)

function typeOf(definition: Definition, more: Partial<JsonObject> = {}) {
  const { name, version } = definition
  return { name, version, hash: hashOf(definition), definition: definition as unknown as JsonObject, ...more } as never
}

describe('an invite', () => {
  const late = (world: World, ms: number): string => isoOf(world.clock.now() + ms)
  const CASES: ReadonlyArray<readonly [string, string, (world: World) => Parameters<typeof invite>[1]]> = [
    [
      'of an unknown type, whose proposal does not fit its own definition',
      'invalid_proposal',
      () => ({ type: typeOf(QUOTE), proposal: { price: 30 } })
    ],
    [
      'of an unknown type that is called otherwise in its definition',
      'type_mismatch',
      () => ({ type: typeOf(QUOTE, { name: 'quote.other' }) })
    ],
    [
      'whose hash is not that of its definition',
      'type_mismatch',
      () => ({ type: typeOf(QUOTE, { hash: 'ab'.repeat(32) }) })
    ],
    ['whose definition is none', 'type_mismatch', () => ({ type: typeOf(QUOTE, { definition: {} }) })],
    [
      'of another definition under a known name and version',
      'type_mismatch',
      () => ({ type: typeOf({ ...QUOTE, name: 'dinner.coordination' }) })
    ],
    ['whose proposal does not fit', 'invalid_proposal', () => ({ proposal: dinner({ partySize: 99 }) })],
    ['that declares what the type does not', 'invalid_proposal', () => ({ proposal: dinner({ wine: 'red' }) })],
    ['that is over already', 'task_expired', (world) => ({ expiresAt: late(world, -1) })],
    ['that was over before 1970', 'task_expired', () => ({ expiresAt: '1969-12-31T23:59:59.999Z' })],
    ['that lives too long', 'invalid_proposal', (world) => ({ expiresAt: late(world, 721 * 3_600_000) })]
  ]
  for (const [what, code, more] of CASES) {
    it(`${what} is refused with ${code}, in the commit that stores it, and the agent hears nothing`, async () => {
      const at = await stage()
      const message = await invites(at, uidOf('1'), more(at.world))
      expect(receipts(at)).to.deep.equal(['2 2'])
      expect((await answers(at)).at(-1)).to.deep.equal(['task.refuse', { of: message.id, code }])
      expect(refusalOf(await taskAt(at, uidOf('1')))).to.equal('not_found taskUid')
      expect(await inboxKinds(at)).to.deep.equal(['contact.active'])
      const counters = await at.world.do(at.alice.flows.agent.counters(at.alice.agent))
      expect(counters.tasksWaitingForMe).to.equal(0)
    })

    it(`${what} is followed by more, which changes nothing and stops nothing`, async () => {
      const at = await stage()
      await invites(at, uidOf('1'), more(at.world))
      const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
      await deliver(at, at.zoe.write(at.alice, { kind: 'task.propose', body: { proposal: dinner() } }, place).bytes)
      await deliver(at, at.zoe.write(at.alice, { kind: 'task.cancel', body: {} }, { ...place, n: 3 }).bytes)
      await invites(at, uidOf('2'))
      expect(at.visit.ended()).to.equal(false)
      expect(receipts(at).at(-1)?.split(' ')[0]).to.equal('5')
      expect(await inboxKinds(at)).to.deep.equal(['contact.active', 'task.invite'])
      expect(good(await taskAt(at, uidOf('2'))).status).to.equal('open')
    })
  }

  it('of a type that the owner retired is refused with type_retired', async () => {
    const at = await stage({ types: [installed(DINNER_TYPE.definition, 'retired')] })
    const message = await invites(at, uidOf('1'))
    expect((await answers(at)).at(-1)).to.deep.equal(['task.refuse', { of: message.id, code: 'type_retired' }])
  })

  it('of a known definition under another name is called as it is called here', async () => {
    const at = await stage()
    await invites(at, uidOf('1'), { type: typeOf(DINNER_TYPE.definition, { name: 'lunch', version: 7 }) })
    const { name, version, hash } = DINNER_TYPE
    expect(good(await taskAt(at, uidOf('1'))).type).to.deep.equal({ name, version, hash })
    const read = at.alice.flows.agent.inbox(at.alice.agent, { after: 1, waitSeconds: 0, limit: 9 })
    const [item] = good(await at.world.do(read)).items
    expect(item?.content['type']).to.deep.equal({ name, version, hash })
  })

  it('that does not begin its task is stored without effect', async () => {
    const at = await stage()
    const message = at.zoe.write(at.alice, invite(at.world), { uid: uidOf('1'), n: 2, seen: 0, seenId: '' })
    await deliver(at, message.bytes)
    expect(receipts(at)).to.deep.equal(['2 1'])
    expect(await at.alice.all('tasks')).to.deep.equal([])
  })

  for (const [code, types] of [['type_retired', [installed(DINNER_TYPE.definition, 'retired')]]] as const) {
    it(`that the other node refused ends here as cancelled with ${code}, and its delivery as refused`, async () => {
      const world = createWorld()
      const alice = await world.node('alice')
      const bob = await world.node('bob', { types })
      await befriend(world, alice, bob)
      await openUp(world, alice)
      const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
      const made = good(await world.do(alice.flows.agent.createTask(alice.agent, command))).answer
      await world.rest(2_000)
      const uid = made.status === 'sent' ? made.task.taskUid : ''
      const task = good(await world.do(alice.flows.agent.getTask(alice.agent, uid)))
      expect([task.status, task.statusReason, task.delivery]).to.deep.equal([
        'cancelled',
        code,
        { state: 'refused', pending: 0, reason: code }
      ])
      expect(refusalOf(await world.do(bob.flows.agent.getTask(bob.agent, uid)))).to.equal('not_found taskUid')
      expect(chainsAt(alice, bob)).to.equal('2/2 2')
    })
  }
})

describe('a message in a task', () => {
  const respond = (proposalId: string, decision: 'accept' | 'reject' = 'accept'): Content =>
    ({ kind: 'task.respond', body: { proposalId, decision } }) as Content

  it('that comes after the end of an open task is refused with task_expired, and stays without effect', async () => {
    const at = await stage()
    await invites(at, uidOf('1'))
    at.world.clock.jump(3_600_001)
    const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
    const message = at.zoe.write(at.alice, { kind: 'task.propose', body: { proposal: dinner() } }, place)
    await deliver(at, message.bytes)
    expect((await answers(at)).at(-1)).to.deep.equal(['task.refuse', { of: message.id, code: 'task_expired' }])
    expect(receipts(at)).to.deep.equal(['2 1', '3 2'])
    expect(good(await taskAt(at, uidOf('1'))).status).to.equal('expired')
  })

  it('that is told to have come before what its writer had stored is refused as backdated', async () => {
    const at = await stage()
    const first = await invites(at, uidOf('1'))
    const writing = at.alice.flows.agent.respond(at.alice.agent, uidOf('1'), {
      proposalId: first.id,
      decision: 'reject'
    })
    good(await at.world.do(writing))
    const lane = await greetBack(at)
    const rejected = messagesOn(lane, at.alice, at.zoe).at(-1)
    if (rejected === undefined) throw new Error('nothing came')
    lane.say(at.zoe.receipt(at.alice, { seq: rejected.header.seq, id: rejected.id }))
    await at.world.rest()
    const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
    const message = at.zoe.write(at.alice, { kind: 'task.cancel', body: {} }, place)
    await deliver(at, message.bytes)
    expect((await answers(at)).at(-1)).to.deep.equal(['task.refuse', { of: message.id, code: 'backdated' }])
    expect(good(await taskAt(at, uidOf('1'))).status).to.equal('negotiating')
  })

  it('that crossed ours is let stand', async () => {
    const at = await stage()
    const first = await invites(at, uidOf('1'))
    const writing = at.alice.flows.agent.respond(at.alice.agent, uidOf('1'), {
      proposalId: first.id,
      decision: 'accept'
    })
    good(await at.world.do(writing))
    const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
    await deliver(at, at.zoe.write(at.alice, { kind: 'task.cancel', body: {} }, place).bytes)
    const task = good(await taskAt(at, uidOf('1')))
    expect(task.status).to.equal('cancelled')
    expect((await answers(at)).map(([kind]) => kind)).to.not.include('task.refuse')
  })

  it('of the peer that refuses what it counted before has no effect', async () => {
    const at = await stage()
    const first = await invites(at, uidOf('1'))
    const writing = at.alice.flows.agent.propose(at.alice.agent, uidOf('1'), { proposal: dinner({ time: '21:00' }) })
    const approval = good(await at.world.do(writing)).answer
    if (approval.status !== 'pending_approval') throw new Error('not asked')
    const yes = { decision: 'approve', scope: 'once' } as const
    good(await at.world.do(at.alice.flows.owner.answerApproval(approval.approvalId, yes)))
    const mine = good(await taskAt(at, uidOf('1'))).proposals.at(-1)?.proposalId ?? ''
    const place = { uid: uidOf('1'), n: 2, seen: 1, seenId: mine as never } as const
    await deliver(at, at.zoe.write(at.alice, respond(mine), place).bytes)
    expect(good(await taskAt(at, uidOf('1'))).status).to.equal('agreed')
    const refuse: Content = { kind: 'task.refuse', body: { of: mine as never, code: 'invalid_proposal' } }
    await deliver(at, at.zoe.write(at.alice, refuse, { ...place, n: 3 }).bytes)
    expect(good(await taskAt(at, uidOf('1'))).status).to.equal('agreed')
    expect(first.id).to.not.equal(mine)
  })

  it('is told to the agent by kind, with what it needs to answer', async () => {
    const at = await stage()
    const first = await invites(at, uidOf('1'))
    const place = { uid: uidOf('1'), n: 2, seen: 0, seenId: '' } as const
    const second = at.zoe.write(
      at.alice,
      { kind: 'task.propose', body: { proposal: dinner({ time: '20:00' }) } },
      place
    )
    await deliver(at, second.bytes)
    await deliver(
      at,
      at.zoe.write(at.alice, { kind: 'task.cancel', body: { reason: 'other' } }, { ...place, n: 3 }).bytes
    )
    const read = at.alice.flows.agent.inbox(at.alice.agent, { after: 1, waitSeconds: 0, limit: 9 })
    const { name, version, hash } = DINNER_TYPE
    expect(good(await at.world.do(read)).items.map((item) => [item.cursor, item.kind, item.content])).to.deep.equal([
      [
        2,
        'task.invite',
        {
          type: { name, version, hash },
          expiresAt: good(await taskAt(at, uidOf('1'))).expiresAt,
          initialProposal: { proposalId: first.id, version: 1, proposal: dinner() }
        }
      ],
      [3, 'task.propose', { proposal: { proposalId: second.id, version: 2, proposal: dinner({ time: '20:00' }) } }],
      [4, 'task.cancel', { reason: 'other' }]
    ])
  })

  /** Alice's own stream to zoe, after zoe's hello. */
  async function greetBack({ world, alice, zoe }: Stage): Promise<Thread> {
    const lane = zoe.visitors.filter((one) => !one.ended()).at(-1)
    if (lane === undefined) throw new Error('alice has not called')
    const mine = zoe.heads.get(alice.agent) ?? { seq: 0, id: '' as const }
    const have = { mine, yours: { seq: 0, id: '' as const } }
    lane.say({ type: 'hello', hello: { v: 1, card: zoe.card(), to: alice.agent, have } })
    await world.rest()
    expect(kindsOn(lane)).to.include('message')
    return lane
  }
})
