import { expect } from 'chai'
import type { Result } from '../../src/base/result.js'
import type { AgentDoor, Once } from '../../src/flows/doors.js'
import type { TaskView, WriteAnswer } from '../../src/flows/views/tasks.js'
import type { Node, World } from './pair.js'
import {
  befriend,
  createWorld,
  diskText,
  diskTextBesideDenials,
  dinner,
  friends,
  good,
  openUp,
  refusalOf
} from './pair.js'
import { acquaint, createPuppet, say } from './puppet.js'

type CreateTask = Parameters<AgentDoor['createTask']>[1]

interface Pair {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

const TO_BOB: CreateTask = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }

function create({ world, alice }: Pair, more: Partial<CreateTask> = {}, once?: Once) {
  return world.do(alice.flows.agent.createTask(alice.agent, { ...TO_BOB, ...more }, once))
}

function sent(result: Result<{ readonly answer: WriteAnswer }>): TaskView {
  const { answer } = good(result)
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task
}

/** A task of alice that bob has. */
async function opened(pair: Pair): Promise<TaskView> {
  const task = sent(await create(pair))
  await pair.world.rest()
  return task
}

function latest(task: TaskView): string {
  return task.proposals.at(-1)?.proposalId ?? ''
}

describe('what an agent creates is refused', () => {
  const CASES: ReadonlyArray<readonly [string, Partial<CreateTask>, string]> = [
    ['for a contact that nobody is called', { participant: '@nobody' }, 'bad_request unknown_participant participant'],
    [
      'for an agent that is no contact',
      { participant: `al1${'q'.repeat(59)}` },
      'bad_request unknown_participant participant'
    ],
    ['for no name at all', { participant: '' }, 'bad_request unknown_participant participant'],
    ['for a type that is not installed', { type: 'lunch' }, 'bad_request unknown_task_type type'],
    ['for a version that is not installed', { type: 'dinner.coordination@2' }, 'bad_request unknown_task_type type'],
    ['for a hash that is not installed', { type: 'ab'.repeat(32) }, 'bad_request unknown_task_type type'],
    [
      'with a field that the type does not declare',
      { proposal: dinner({ homeAddress: '1 Main St' }) },
      'bad_request undeclared_field proposal.homeAddress'
    ],
    [
      'with a field in a group that the type does not declare',
      { proposal: dinner({ venue: { name: 'x', phone: '1' } }) },
      'bad_request undeclared_field proposal.venue.phone'
    ],
    [
      'with a value out of bounds',
      { proposal: dinner({ partySize: 21 }) },
      'bad_request invalid_field proposal.partySize'
    ],
    ['with a value of another kind', { proposal: dinner({ time: 19 }) }, 'bad_request invalid_field proposal.time'],
    [
      'without a required field',
      { proposal: { time: '19:00', timezone: 'UTC' } },
      'bad_request missing_field proposal.date'
    ],
    ['for no hours', { expiresInHours: 0 }, 'bad_request invalid_field expiresInHours'],
    ['for 721 hours', { expiresInHours: 721 }, 'bad_request invalid_field expiresInHours'],
    ['for a part of an hour', { expiresInHours: 1.5 }, 'bad_request invalid_field expiresInHours'],
    ['for hours that are no number', { expiresInHours: Number.NaN }, 'bad_request invalid_field expiresInHours'],
    ['with a title of 201 characters', { title: 'x'.repeat(201) }, 'bad_request invalid_field title']
  ]
  for (const [what, more, expected] of CASES) {
    it(`${what}, and everything stays as it was`, async () => {
      const pair = await friends()
      const before = diskText(pair.alice)
      expect(refusalOf(await create(pair, more))).to.equal(expected)
      await pair.world.rest()
      expect(diskText(pair.alice)).to.equal(before)
      expect(pair.world.wires.said).to.deep.equal([])
    })
  }

  it('counts the characters of a title as a reader does', async () => {
    const pair = await friends()
    expect(sent(await create(pair, { title: '🍝'.repeat(200) })).title).to.equal('🍝'.repeat(200))
  })

  it('when the owner denied a field, with all that was denied', async () => {
    const pair = await friends()
    const { world, alice } = pair
    for (const capability of ['disclose.dietary', 'disclose.budget']) {
      good(await world.do(alice.flows.owner.setGrant({ contact: '@bob', capability, effect: 'deny' })))
    }
    const before = diskTextBesideDenials(alice)
    const proposal = dinner({ dietaryNotes: ['no shellfish'], budgetPerPerson: 40, notes: 'quiet place' })
    const refused = await create(pair, { proposal })
    expect(refusalOf(refused)).to.equal('policy_denied')
    expect(refused.ok || refused.refusal.details).to.deep.equal({
      denied: ['disclose.budget', 'disclose.dietary'],
      fields: ['budgetPerPerson', 'dietaryNotes']
    })
    expect(diskTextBesideDenials(alice)).to.equal(before)
  })

  for (const [state, way] of [
    ['requested', 'add'],
    ['removed', 'remove'],
    ['blocked', 'block']
  ] as const) {
    it(`for a contact that is ${state}`, async () => {
      const pair = await friends()
      const { world, alice } = pair
      if (way === 'add') {
        const dave = await createPuppet(world, 'dave')
        good(await world.do(alice.flows.owner.addContact({ link: dave.linkText() })))
      } else good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: way })))
      const refused = await create(pair, { participant: way === 'add' ? '@dave' : '@bob' })
      expect(refusalOf(refused)).to.equal('conflict not_contact')
      expect(refused.ok || refused.refusal.details['status']).to.equal(state)
    })
  }

  it('for a contact that is frozen', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const zoe = await createPuppet(world, 'zoe')
    const visit = await acquaint(world, alice, zoe)
    zoe.heads.delete(alice.agent)
    visit.say(say(zoe.write(alice, { kind: 'contact.remove', body: {} })))
    await world.rest()
    const refused = await world.do(alice.flows.agent.createTask(alice.agent, { ...TO_BOB, participant: '@zoe' }))
    expect(refusalOf(refused)).to.equal('conflict contact_frozen')
  })

  it('when too much waits for the contact, until its node was reached', async () => {
    const pair = await friends({ flows: { queuePerContact: 2 } })
    const { world, bob } = pair
    world.wires.setReachable(bob.peerId, false)
    sent(await create(pair))
    sent(await create(pair))
    expect(refusalOf(await create(pair))).to.equal('rate_limited queue_full')
    world.wires.setReachable(bob.peerId, true)
    await world.rest(60_000)
    sent(await create(pair))
  })
})

describe('what an agent writes in a task is refused', () => {
  type Write = (pair: Pair, task: TaskView) => Promise<Result<unknown>>
  const respond =
    (who: 'alice' | 'bob', change: (task: TaskView) => { taskUid?: string; proposalId?: string }): Write =>
    (pair, task) => {
      const { taskUid = task.taskUid, proposalId = latest(task) } = change(task)
      const node = pair[who]
      return pair.world.do(node.flows.agent.respond(node.agent, taskUid, { proposalId, decision: 'accept' }))
    }
  const cancel =
    (reason?: string): Write =>
    ({ world, alice }, task) =>
      world.do(alice.flows.agent.cancel(alice.agent, task.taskUid, reason === undefined ? {} : { reason }))

  const CASES: ReadonlyArray<readonly [string, Write, string]> = [
    ['under an id that is none', respond('bob', () => ({ taskUid: '../etc' })), 'not_found taskUid'],
    ['under an id that nobody used', respond('bob', () => ({ taskUid: 'f'.repeat(32) })), 'not_found taskUid'],
    [
      'for a proposal id that is none',
      respond('bob', () => ({ proposalId: '7' })),
      'bad_request malformed_id proposalId'
    ],
    [
      'for a proposal that is not in the task',
      respond('bob', () => ({ proposalId: 'ab'.repeat(32) })),
      'conflict version_conflict'
    ],
    ["for one's own proposal", respond('alice', () => ({})), 'conflict version_conflict'],
    ['with a reason in free words', cancel('my boss said no'), 'bad_request invalid_field reason'],
    ['with an empty reason', cancel(''), 'bad_request invalid_field reason'],
    [
      'with an undeclared field',
      ({ world, bob }, task) =>
        world.do(bob.flows.agent.propose(bob.agent, task.taskUid, { proposal: dinner({ secret: 'x' }) })),
      'bad_request undeclared_field proposal.secret'
    ]
  ]
  for (const [what, write, expected] of CASES) {
    it(`${what}, and everything stays as it was`, async () => {
      const pair = await friends()
      const task = await opened(pair)
      const before = [diskText(pair.alice), diskText(pair.bob)]
      expect(refusalOf(await write(pair, task))).to.equal(expected)
      await pair.world.rest()
      expect([diskText(pair.alice), diskText(pair.bob)]).to.deep.equal(before)
    })
  }

  it('when the proposal was superseded, and when the task has moved on', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const task = await opened(pair)
    const first = latest(task)
    good(await world.do(bob.flows.agent.propose(bob.agent, task.taskUid, { proposal: dinner({ time: '20:00' }) })))
    await world.rest()
    const stale = { proposalId: first, decision: 'accept' } as const
    expect(refusalOf(await world.do(alice.flows.agent.respond(alice.agent, task.taskUid, stale)))).to.equal(
      'conflict version_conflict'
    )
    const now = good(await world.do(alice.flows.agent.getTask(alice.agent, task.taskUid)))
    const fresh = { proposalId: latest(now), decision: 'accept' } as const
    good(await world.do(alice.flows.agent.respond(alice.agent, task.taskUid, fresh)))
    await world.rest()
    for (const node of [alice, bob]) {
      const more = node.flows.agent.propose(node.agent, task.taskUid, { proposal: dinner() })
      expect(refusalOf(await world.do(more))).to.equal('conflict illegal_transition')
    }
  })

  it('while an own cancel is under way', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const task = await opened(pair)
    world.wires.setReachable(bob.peerId, false)
    const cancelled = sent(await world.do(alice.flows.agent.cancel(alice.agent, task.taskUid, { reason: 'other' })))
    expect([cancelled.status, cancelled.cancelRequested]).to.deep.equal(['open', true])
    const again = alice.flows.agent.cancel(alice.agent, task.taskUid, {})
    expect(refusalOf(await world.do(again))).to.equal('conflict illegal_transition')
    world.wires.setReachable(bob.peerId, true)
    await world.rest(60_000)
    const [here, there] = [
      good(await world.do(alice.flows.agent.getTask(alice.agent, task.taskUid))),
      good(await world.do(bob.flows.agent.getTask(bob.agent, task.taskUid)))
    ]
    expect([here.status, here.statusReason, there.status]).to.deep.equal(['cancelled', 'other', 'cancelled'])
  })

  it('with a contact that is no contact any more', async () => {
    const pair = await friends()
    const { world, alice } = pair
    const task = await opened(pair)
    good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
    const refused = await world.do(alice.flows.agent.cancel(alice.agent, task.taskUid, {}))
    expect(refusalOf(refused)).to.equal('conflict not_contact')
  })

  it('when the task belongs to another agent of another node', async () => {
    const pair = await friends()
    const task = await opened(pair)
    const carol = await pair.world.node('carol')
    await befriend(pair.world, pair.bob, carol)
    expect(refusalOf(await pair.world.do(carol.flows.agent.getTask(carol.agent, task.taskUid)))).to.equal(
      'not_found taskUid'
    )
  })
})

describe('a call with an idempotency key', () => {
  const KEY: Once = { key: 'agent/tasks/1', bodyHash: 'ab'.repeat(32) }

  it('is done once, and answered twice with the same words', async () => {
    const pair = await friends()
    const first = good(await create(pair, {}, KEY))
    await pair.world.rest()
    const second = good(await create(pair, {}, KEY))
    expect([first.replayed, second.replayed]).to.deep.equal([false, true])
    expect(second.answer).to.deep.equal(first.answer)
    expect((await pair.alice.all('tasks')).length).to.equal(1)
  })

  it('is done once when both come at once', async () => {
    const pair = await friends()
    const answers = await Promise.all([create(pair, {}, KEY), create(pair, {}, KEY)])
    expect(answers.map((answer) => good(answer).replayed)).to.deep.equal([false, true])
    expect((await pair.alice.all('tasks')).length).to.equal(1)
  })

  it('is still known after a restart', async () => {
    const pair = await friends()
    const first = good(await create(pair, {}, KEY))
    pair.alice.crash()
    await pair.alice.start()
    const second = good(await create(pair, {}, KEY))
    expect([second.replayed, second.answer]).to.deep.equal([true, first.answer])
  })

  it('is refused with another body', async () => {
    const pair = await friends()
    good(await create(pair, {}, KEY))
    const other = { ...KEY, bodyHash: 'cd'.repeat(32) }
    expect(refusalOf(await create(pair, {}, other))).to.equal('conflict idempotency_conflict')
  })

  it('may be made again after a refusal, which had no effect', async () => {
    const pair = await friends()
    expect(refusalOf(await create(pair, { type: 'lunch' }, KEY))).to.equal('bad_request unknown_task_type type')
    expect(await pair.alice.all('once')).to.deep.equal([])
    expect(good(await create(pair, {}, KEY)).replayed).to.equal(false)
  })

  it('keeps the answer that the owner is asked, and does not ask twice', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    await befriend(world, alice, bob)
    const pair = { world, alice, bob }
    const first = good(await create(pair, {}, KEY))
    const [approval] = good(await world.do(alice.flows.owner.approvals({ limit: 10 }))).items
    good(
      await world.do(
        alice.flows.owner.answerApproval(approval?.approvalId ?? '', { decision: 'approve', scope: 'once' })
      )
    )
    const second = good(await create(pair, {}, KEY))
    expect([first.answer.status, second.answer, second.replayed]).to.deep.equal([
      'pending_approval',
      first.answer,
      true
    ])
    expect((await alice.all('approvals')).length).to.equal(1)
  })

  it('is forgotten after 31 days, not before', async () => {
    const pair = await friends()
    good(await create(pair, {}, KEY))
    pair.world.clock.jump(31 * 86_400_000 - 10_000)
    await pair.world.rest(3_000)
    expect((await pair.alice.all('once')).length).to.equal(1)
    pair.world.clock.jump(10_000)
    await pair.world.rest(3_000)
    expect(await pair.alice.all('once')).to.deep.equal([])
  })
})

describe('a title', () => {
  it('stays on the node of its creator', async () => {
    const pair = await friends()
    const { world, bob } = pair
    const task = sent(await create(pair, { title: 'Dinner with the difficult one' }))
    await world.rest()
    expect(task.title).to.equal('Dinner with the difficult one')
    expect(good(await world.do(bob.flows.agent.getTask(bob.agent, task.taskUid))).title).to.equal(undefined)
    const words = world.wires.said.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join()
    expect(words).to.not.contain('difficult')
  })
})

describe('the whole dinner', () => {
  it('ends with one agreed plan on both nodes', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob')]
    await befriend(world, alice, bob)
    await openUp(world, alice, bob)
    const task = await opened({ world, alice, bob })
    const plan = dinner({ time: '19:45', dietaryNotes: ['vegetarian'], venue: { name: 'Nonna', area: 'Little Italy' } })
    good(await world.do(bob.flows.agent.propose(bob.agent, task.taskUid, { proposal: plan })))
    await world.rest()
    const read = good(await world.do(alice.flows.agent.getTask(alice.agent, task.taskUid)))
    expect(read.proposals.map(({ version, by, status }) => [version, by, status])).to.deep.equal([
      [1, 'self', 'superseded'],
      [2, 'peer', 'pending']
    ])
    const yes = { proposalId: latest(read), decision: 'accept' } as const
    good(await world.do(alice.flows.agent.respond(alice.agent, task.taskUid, yes)))
    await world.rest()
    const views = [
      good(await world.do(alice.flows.agent.getTask(alice.agent, task.taskUid))),
      good(await world.do(bob.flows.agent.getTask(bob.agent, task.taskUid)))
    ]
    for (const view of views) {
      expect([view.status, view.agreedProposalId, view.delivery.state]).to.deep.equal([
        'agreed',
        latest(read),
        'delivered'
      ])
      expect(view.proposals.at(-1)?.proposal).to.deep.equal(plan)
    }
  })
})
