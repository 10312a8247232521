import { expect } from 'chai'
import type { TaskUid } from '../../src/base/ids.js'
import { isoOf } from '../../src/base/time.js'
import type { JsonObject } from '../../src/base/json.js'
import type { Content, TaskPlace } from '../../src/wire/message.js'
import { hashOf, parseDefinition } from '../../src/types/definition.js'
import type { Definition } from '../../src/types/definition.js'
import type { Node, NodeOptions, World } from './pair.js'
import {
  DINNER_TYPE,
  befriend,
  chainsAt,
  createWorld,
  dinner,
  good,
  installed,
  openUp,
  refusalOf,
  stateAt
} from './pair.js'
import {
  type Puppet,
  type Thread,
  acquaint,
  createPuppet,
  firstPlace,
  invite,
  kindsOn,
  messagesOn,
  receiptsOn,
  say,
  uidOf
} from './puppet.js'

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly zoe: Puppet
  readonly visit: Thread
}

async function stage(more: Partial<NodeOptions> = {}): Promise<Stage> {
  const world = createWorld()
  const alice = await world.node('alice', more)
  const zoe = await createPuppet(world, 'zoe')
  const visit = await acquaint(world, alice, zoe)
  visit.heard.length = 0
  return { world, alice, zoe, visit }
}

/** `upTo head opaque…` of each receipt on the stream. */
function receipts({ visit, alice, zoe }: Stage): string[] {
  return receiptsOn(visit, alice, zoe).map(({ upTo, head, results }) =>
    [upTo.seq, head, ...results.map((result) => `${result.code} ${result.seq}`)].join(' ')
  )
}

async function deliver({ world, visit }: Stage, bytes: Uint8Array): Promise<void> {
  visit.say({ type: 'message', bytes })
  await world.rest()
}

async function invites(at: Stage, uid: TaskUid, more: Parameters<typeof invite>[1] = {}) {
  const message = at.zoe.write(at.alice, invite(at.world, more), firstPlace(uid))
  await deliver(at, message.bytes)
  return message
}

function taskAt({ world, alice }: Stage, uid: string) {
  return world.do(alice.flows.agent.getTask(alice.agent, uid))
}

/** What alice sealed, kind and body, since the contact began. */
async function answers({ world, alice }: Stage): Promise<Array<[string, JsonObject]>> {
  const { reopen } = await import('../../src/wire/open.js')
  const found = await world.do(alice.store.range('sent', { prefix: '' }))
  return found
    .map(([, bytes]) => reopen(bytes))
    .filter((message) => message.header.kind !== 'contact.request')
    .map((message) => [message.header.kind, (message.content?.body ?? {}) as JsonObject])
}

async function inboxKinds({ world, alice }: Stage): Promise<string[]> {
  const { items } = good(await world.do(alice.flows.agent.inbox(alice.agent, { after: 0, waitSeconds: 0, limit: 50 })))
  return items.map((item) => item.kind)
}

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
