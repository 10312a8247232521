import { expect } from 'chai'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { JsonObject } from '../../src/base/json.js'
import type { AgentDoor } from '../../src/flows/doors.js'
import type { ApprovalView } from '../../src/flows/views/approvals.js'
import type { TaskView, WriteAnswer } from '../../src/flows/views/tasks.js'
import type { Node, World } from './pair.js'
import { befriend, createWorld, diskText, dinner, good, openUp, refusalOf } from './pair.js'

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

/** Alice's owner has said nothing of what she may disclose; bob's has opened up. */
async function stage(more: Parameters<World['node']>[1] = {}): Promise<Stage> {
  const world = createWorld()
  const alice = await world.node('alice', more)
  const bob = await world.node('bob', more)
  await befriend(world, alice, bob)
  await openUp(world, bob)
  world.wires.forget()
  return { world, alice, bob }
}

type Asked = Extract<WriteAnswer, { status: 'pending_approval' }>

async function ask(
  { world, alice }: Stage,
  more: Partial<Parameters<AgentDoor['createTask']>[1]> = {}
): Promise<Asked> {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner(), ...more }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
  return answer
}

function answer(
  { world, alice }: Stage,
  id: string,
  decision: 'approve' | 'deny',
  scope: 'once' | 'contact' | 'always' = 'once'
) {
  return world.do(alice.flows.owner.answerApproval(id, { decision, scope }))
}

function seen({ world, alice }: Stage, id: string): Promise<ApprovalView> {
  return world.do(alice.flows.agent.approval(alice.agent, id)).then(good)
}

function grants({ world, alice }: Stage): Promise<string[]> {
  return world
    .do(alice.flows.owner.grants({}))
    .then((found) =>
      good(found).items.map((grant) => `${grant.contact.slice(0, 1)} ${grant.capability} ${grant.effect}`)
    )
}

/** Bob invites alice; the task and the id of his proposal. */
async function invited({ world, bob }: Stage): Promise<{ uid: string; base: string }> {
  const command = { type: 'dinner.coordination', participant: '@alice', proposal: dinner() }
  const made = good(await world.do(bob.flows.agent.createTask(bob.agent, command))).answer
  if (made.status !== 'sent') throw new Error('not sent')
  await world.rest()
  return { uid: made.task.taskUid, base: made.task.proposals[0]?.proposalId ?? '' }
}

function propose({ world, alice }: Stage, uid: string, proposal: JsonObject) {
  return world.do(alice.flows.agent.propose(alice.agent, uid, { proposal })).then((done) => good(done).answer)
}

function read(node: Node, { world }: Stage, uid: string): Promise<TaskView> {
  return world.do(node.flows.agent.getTask(node.agent, uid)).then(good)
}

/** Every question in these tests is about a plan. */
function plain(view: OwnerApprovalView): Extract<OwnerApprovalView, { kind: 'disclosure' }> {
  if (view.kind !== 'disclosure') throw new Error(`a question of kind ${view.kind}`)
  return view
}

describe('a task that needs the owner', () => {
  it('does not exist before the yes, and has the same id after it', async () => {
    const at = await stage()
    const { world, alice, bob } = at
    const asked = await ask(at, { title: 'With Bob', expiresInHours: 5 })
    await world.rest()
    expect(refusalOf(await world.do(alice.flows.agent.getTask(alice.agent, asked.taskUid)))).to.equal(
      'not_found taskUid'
    )
    expect(good(await world.do(alice.flows.agent.listTasks(alice.agent, { limit: 9 }))).items).to.deep.equal([])
    expect(world.wires.said).to.deep.equal([])
    const done = plain(good(await answer(at, asked.approvalId, 'approve')))
    expect([done.status, done.action, done.proposal]).to.deep.equal(['used', 'create', dinner()])
    await world.rest()
    const task = await read(alice, at, asked.taskUid)
    expect([task.title, task.status, task.role]).to.deep.equal(['With Bob', 'open', 'inviter'])
    expect((await read(bob, at, asked.taskUid)).proposals[0]?.proposal).to.deep.equal(dinner())
  })

  it('tells the owner what leaves, to whom, under which capability', async () => {
    const at = await stage()
    const asked = await ask(at, { proposal: dinner({ cuisine: 'Thai' }) })
    const shown = plain(good(await at.world.do(at.alice.flows.owner.approval(asked.approvalId))))
    expect([shown.participantHandle, shown.participant, shown.capabilities, shown.proposal]).to.deep.equal([
      '@bob',
      at.bob.agent,
      ['disclose.availability', 'disclose.preferences'],
      dinner({ cuisine: 'Thai' })
    ])
  })

  it('asks once for the same words, and again for others', async () => {
    const at = await stage()
    const first = await ask(at)
    expect(await ask(at)).to.deep.equal(first)
    expect((await ask(at, { proposal: dinner({ time: '20:00' }) })).approvalId).to.not.equal(first.approvalId)
    expect((await at.world.do(at.alice.flows.agent.counters(at.alice.agent))).approvalsPending).to.equal(2)
  })

  it('is over by a no: nothing was said, and the agent is told', async () => {
    const at = await stage()
    const { world, alice } = at
    const asked = await ask(at)
    expect(good(await answer(at, asked.approvalId, 'deny', 'always')).status).to.equal('denied')
    await world.rest()
    expect(world.wires.said).to.deep.equal([])
    expect((await seen(at, asked.approvalId)).status).to.equal('denied')
    expect(await grants(at)).to.deep.equal([])
    const inbox = good(await world.do(alice.flows.agent.inbox(alice.agent, { waitSeconds: 0, limit: 9 }))).items
    expect(inbox.at(-1)).to.deep.include({
      kind: 'approval.answered',
      taskUid: asked.taskUid,
      content: { approvalId: asked.approvalId, status: 'denied' }
    })
    expect((await world.do(alice.flows.agent.counters(alice.agent))).approvalsPending).to.equal(0)
  })

  for (const decision of ['approve', 'deny'] as const) {
    it(`is answered once: a second ${decision} changes nothing`, async () => {
      const at = await stage()
      const asked = await ask(at)
      good(await answer(at, asked.approvalId, 'approve'))
      await at.world.rest()
      const before = diskText(at.alice)
      expect(refusalOf(await answer(at, asked.approvalId, decision))).to.equal('conflict approval_answered')
      expect(diskText(at.alice)).to.equal(before)
    })
  }

  for (const id of ['', 'nope', 'ab'.repeat(16)]) {
    it(`is not found under "${id}"`, async () => {
      const at = await stage()
      expect(refusalOf(await answer(at, id, 'approve'))).to.equal('not_found approvalId')
      expect(refusalOf(await at.world.do(at.alice.flows.owner.approval(id)))).to.equal('not_found approvalId')
      const asAgent = at.alice.flows.agent.approval(at.alice.agent, id)
      expect(refusalOf(await at.world.do(asAgent))).to.equal('not_found approvalId')
    })
  }

  it("is not found by another agent, nor are the agent's eyes the owner's", async () => {
    const at = await stage()
    const asked = await ask(at)
    const other = at.alice.flows.agent.approval(at.bob.agent, asked.approvalId)
    expect(refusalOf(await at.world.do(other))).to.equal('not_found approvalId')
    expect(await seen(at, asked.approvalId)).to.not.have.any.keys('proposal', 'agent', 'replaces')
  })
})

describe('a yes', () => {
  const SCOPES = [
    ['once', []],
    ['contact', ['a disclose.availability allow']],
    ['always', ['* disclose.availability allow', 'a disclose.availability allow']]
  ] as const
  for (const [scope, added] of SCOPES) {
    it(`that holds "${scope}" adds ${added.length} grants`, async () => {
      const at = await stage()
      const asked = await ask(at)
      good(await answer(at, asked.approvalId, 'approve', scope))
      expect(await grants(at)).to.deep.equal(added)
      const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner({ time: '21:00' }) }
      const next = good(await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, command))).answer
      expect(next.status).to.equal(scope === 'once' ? 'pending_approval' : 'sent')
    })
  }

  it('comes too late after the time of the question', async () => {
    const at = await stage()
    const asked = await ask(at)
    at.world.clock.jump(24 * 3_600_000)
    expect((await seen(at, asked.approvalId)).status).to.equal('expired')
    expect(refusalOf(await answer(at, asked.approvalId, 'approve'))).to.equal('conflict approval_expired')
  })

  it('can not come for a task that would be over', async () => {
    const at = await stage()
    const asked = await ask(at, { expiresInHours: 1 })
    expect((await seen(at, asked.approvalId)).expiresAt).to.equal(
      new Date(at.world.clock.now() + 3_600_000 - 200).toISOString()
    )
    at.world.clock.jump(3_600_000)
    expect(refusalOf(await answer(at, asked.approvalId, 'approve'))).to.equal('conflict approval_expired')
  })

  it('that does not come is told of: the badge falls, and the agent reads it', async () => {
    const at = await stage()
    const { world, alice } = at
    const asked = await ask(at)
    world.clock.jump(24 * 3_600_000)
    await world.rest(3_000)
    expect((await world.do(alice.flows.agent.counters(alice.agent))).approvalsPending).to.equal(0)
    const inbox = good(await world.do(alice.flows.agent.inbox(alice.agent, { waitSeconds: 0, limit: 9 }))).items
    expect(inbox.at(-1)).to.deep.include({
      kind: 'approval.expired',
      content: { approvalId: asked.approvalId, status: 'expired' }
    })
  })

  it('is stale when the plan moved on, and stays as a permission for exactly these words, once', async () => {
    const at = await stage()
    const { world, alice, bob } = at
    const { uid } = await invited(at)
    const mine = dinner({ time: '20:30' })
    const asked = await propose(at, uid, mine)
    if (asked.status !== 'pending_approval') throw new Error('not asked')
    good(await world.do(bob.flows.agent.propose(bob.agent, uid, { proposal: dinner({ time: '18:00' }) })))
    await world.rest()
    expect(good(await answer(at, asked.approvalId, 'approve')).status).to.equal('stale')
    await world.rest()
    expect((await read(alice, at, uid)).proposals.length).to.equal(2)
    expect((await propose(at, uid, dinner({ time: '20:31' }))).status).to.equal('pending_approval')
    expect((await propose(at, uid, mine)).status).to.equal('sent')
    expect((await seen(at, asked.approvalId)).status).to.equal('used')
    expect((await propose(at, uid, mine)).status).to.equal('pending_approval')
  })

  it('that is stale and forgotten ends with its time', async () => {
    const at = await stage()
    const { uid } = await invited(at)
    const mine = dinner({ time: '20:30' })
    const asked = await propose(at, uid, mine)
    if (asked.status !== 'pending_approval') throw new Error('not asked')
    good(await at.world.do(at.bob.flows.agent.propose(at.bob.agent, uid, { proposal: dinner({ time: '18:00' }) })))
    await at.world.rest()
    good(await answer(at, asked.approvalId, 'approve'))
    at.world.clock.jump(24 * 3_600_000)
    expect((await propose(at, uid, mine)).status).to.equal('pending_approval')
  })

  it('shows what it would replace', async () => {
    const at = await stage()
    const { uid } = await invited(at)
    const asked = await propose(at, uid, dinner({ time: '20:30' }))
    const id = asked.status === 'pending_approval' ? asked.approvalId : ''
    const shown = plain(good(await at.world.do(at.alice.flows.owner.approval(id))))
    expect([shown.action, shown.replaces]).to.deep.equal(['propose', dinner()])
  })

  for (const [what, change, status] of [
    ['the contact ended', 'remove', 'stale'],
    ['the owner denies it meanwhile', 'deny', 'stale']
  ] as const) {
    it(`sends nothing when ${what}`, async () => {
      const at = await stage()
      const { world, alice } = at
      const asked = await ask(at)
      if (change === 'remove')
        good(await world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
      else {
        const grant = { contact: '@bob', capability: 'disclose.availability', effect: 'deny' } as const
        good(await world.do(alice.flows.owner.setGrant(grant)))
      }
      expect(good(await answer(at, asked.approvalId, 'approve')).status).to.equal(status)
      await world.rest()
      expect(refusalOf(await world.do(alice.flows.agent.getTask(alice.agent, asked.taskUid)))).to.equal(
        'not_found taskUid'
      )
    })
  }
})

describe('a question that became pointless', () => {
  const GONE: ReadonlyArray<[string, (at: Stage) => Promise<unknown>]> = [
    [
      'a grant denies it',
      ({ alice }) =>
        alice.flows.owner.setGrant({ contact: '@bob', capability: 'disclose.availability', effect: 'deny' })
    ],
    [
      'the wildcard denies it',
      ({ alice }) => alice.flows.owner.setGrant({ contact: '*', capability: 'disclose.*', effect: 'deny' })
    ],
    ['the contact is removed', ({ alice }) => alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })],
    ['the contact is blocked', ({ alice }) => alice.flows.owner.changeContact({ contact: '@bob', action: 'block' })],
    ['the other side removes us', ({ bob }) => bob.flows.owner.changeContact({ contact: '@alice', action: 'remove' })]
  ]
  for (const [what, move] of GONE) {
    it(`is stale at once when ${what}, and the agent is told`, async () => {
      const at = await stage()
      const { world, alice } = at
      const asked = await ask(at)
      await world.do(move(at))
      await world.rest()
      expect((await seen(at, asked.approvalId)).status).to.equal('stale')
      expect((await world.do(alice.flows.agent.counters(alice.agent))).approvalsPending).to.equal(0)
      const inbox = good(await world.do(alice.flows.agent.inbox(alice.agent, { waitSeconds: 0, limit: 9 }))).items
      expect(inbox.find((item) => item.kind === 'approval.stale')?.content).to.deep.equal({
        approvalId: asked.approvalId,
        status: 'stale'
      })
    })
  }

  it('is stale at once when its task ends', async () => {
    const at = await stage()
    const { uid } = await invited(at)
    const asked = await propose(at, uid, dinner({ time: '20:30' }))
    good(await at.world.do(at.bob.flows.agent.cancel(at.bob.agent, uid, {})))
    await at.world.rest()
    expect((await seen(at, 'approvalId' in asked ? asked.approvalId : '')).status).to.equal('stale')
  })

  it('stays stale when the grant goes back, and a yes to it sends nothing by itself', async () => {
    const at = await stage()
    const { world, alice } = at
    const asked = await ask(at)
    const grant = { contact: '@bob', capability: 'disclose.availability' }
    good(await world.do(alice.flows.owner.setGrant({ ...grant, effect: 'deny' })))
    good(await world.do(alice.flows.owner.deleteGrant(grant)))
    expect(good(await answer(at, asked.approvalId, 'approve')).status).to.equal('stale')
    await world.rest()
    expect(world.wires.said).to.deep.equal([])
    expect((await world.do(alice.flows.agent.listTasks(alice.agent, { limit: 9 }))).ok).to.equal(true)
  })

  it('is stale when the same was sent meanwhile under a new grant, so that it is not sent twice', async () => {
    const at = await stage()
    const { world, alice } = at
    const asked = await ask(at)
    await openUp(world, alice)
    expect((await seen(at, asked.approvalId)).status).to.equal('pending')
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    expect(good(await world.do(alice.flows.agent.createTask(alice.agent, command))).answer.status).to.equal('sent')
    expect((await seen(at, asked.approvalId)).status).to.equal('stale')
    expect(good(await answer(at, asked.approvalId, 'approve')).status).to.equal('stale')
    expect(good(await world.do(alice.flows.agent.listTasks(alice.agent, { limit: 9 }))).items.length).to.equal(1)
  })

  it('stays where it is while the other side proposes: a peer can not take it out of sight', async () => {
    const at = await stage()
    const { uid } = await invited(at)
    const asked = await propose(at, uid, dinner({ time: '20:30' }))
    good(await at.world.do(at.bob.flows.agent.propose(at.bob.agent, uid, { proposal: dinner({ time: '18:00' }) })))
    await at.world.rest()
    expect((await seen(at, 'approvalId' in asked ? asked.approvalId : '')).status).to.equal('pending')
  })
})

describe('two answers that come together', () => {
  for (const [first, second] of [
    ['approve', 'deny'],
    ['deny', 'approve'],
    ['approve', 'approve']
  ] as const) {
    it(`are taken one after the other: ${first} counts, ${second} is refused`, async () => {
      const at = await stage()
      const { world, bob } = at
      const asked = await ask(at)
      const both = await Promise.all([answer(at, asked.approvalId, first), answer(at, asked.approvalId, second)])
      expect(both.map((one) => (one.ok ? one.value.status : refusalOf(one)))).to.deep.equal([
        first === 'approve' ? 'used' : 'denied',
        'conflict approval_answered'
      ])
      await world.rest()
      const tasks = good(await world.do(bob.flows.agent.listTasks(bob.agent, { limit: 9 }))).items
      expect(tasks.length).to.equal(first === 'approve' ? 1 : 0)
    })
  }
})

describe('questions to the owner', () => {
  it('are limited, so that nobody buries the owner in them', async () => {
    const at = await stage({ flows: { openApprovals: 2 } })
    const { world, alice } = at
    const first = await ask(at)
    await ask(at, { proposal: dinner({ time: '20:00' }) })
    const before = diskText(alice)
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner({ time: '21:00' }) }
    expect(refusalOf(await world.do(alice.flows.agent.createTask(alice.agent, command)))).to.equal(
      'rate_limited too_many_approvals'
    )
    expect(diskText(alice)).to.equal(before)
    good(await answer(at, first.approvalId, 'deny'))
    expect((await ask(at, { proposal: dinner({ time: '21:00' }) })).status).to.equal('pending_approval')
  })

  it('are listed newest first, page by page, by status', async () => {
    const at = await stage()
    const { world, alice } = at
    const ids: string[] = []
    for (const time of ['17:00', '18:00', '19:00', '20:00']) {
      ids.unshift((await ask(at, { proposal: dinner({ time }) })).approvalId)
    }
    good(await answer(at, ids[1] ?? '', 'deny'))
    const list = async (options: { limit: number; after?: string; status?: string }) =>
      good(await world.do(alice.flows.owner.approvals(options)))
    const all = await list({ limit: 10 })
    expect(all.items.map((one) => one.approvalId)).to.deep.equal(ids)
    expect(all.next).to.equal(undefined)
    const first = await list({ limit: 3 })
    expect(first.items.map((one) => one.approvalId)).to.deep.equal(ids.slice(0, 3))
    const second = await list({ limit: 3, after: first.next ?? '' })
    expect(second.items.map((one) => one.approvalId)).to.deep.equal(ids.slice(3))
    const pending = await list({ limit: 10, status: 'pending' })
    expect(pending.items.map((one) => one.approvalId)).to.deep.equal([ids[0], ids[2], ids[3]])
  })
})

describe('a value that the owner denied', () => {
  it('is in no frame, no signed message and no approval', async () => {
    const at = await stage()
    const { world, alice } = at
    const canary = 'canary-7f3a'
    for (const [capability, effect] of [
      ['disclose.dietary', 'deny'],
      ['disclose.availability', 'allow']
    ] as const) {
      good(await world.do(alice.flows.owner.setGrant({ contact: '*', capability, effect })))
    }
    const { uid } = await invited(at)
    const proposal = dinner({ dietaryNotes: [canary] })
    const writes = [
      alice.flows.agent.createTask(alice.agent, {
        type: 'dinner.coordination',
        participant: '@bob',
        proposal,
        title: canary
      }),
      alice.flows.agent.propose(alice.agent, uid, { proposal }),
      alice.flows.agent.cancel(alice.agent, uid, { reason: canary })
    ]
    for (const write of writes) refusalOf(await world.do<Awaited<(typeof writes)[number]>>(write))
    const asked = alice.flows.agent.propose(alice.agent, uid, { proposal: { ...proposal, notes: canary } })
    expect(refusalOf(await world.do(asked))).to.equal('policy_denied')
    await world.rest(10_000)
    const words = [
      ...world.wires.said.map(({ bytes }) => Buffer.from(bytes).toString('latin1')),
      ...alice.disk.contents().map(([, bytes]) => Buffer.from(bytes).toString('latin1'))
    ].join()
    expect(words).to.not.contain(canary)
  })
})
