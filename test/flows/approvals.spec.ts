import { expect } from 'chai'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { type Node, diskText, dinner, good, refusalOf } from './pair.js'
import { type Stage, stage, ask, answer, seen, invited, propose } from './approvals-stage.js'

function grants({ world, alice }: Stage): Promise<string[]> {
  return world
    .do(alice.flows.owner.grants({}))
    .then((found) =>
      good(found).items.map((grant) => `${grant.contact.slice(0, 1)} ${grant.capability} ${grant.effect}`)
    )
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
    expect([done.status, done.action, done.title, done.proposal]).to.deep.equal([
      'used',
      'create',
      'With Bob',
      dinner()
    ])
    await world.rest()
    const task = await read(alice, at, asked.taskUid)
    expect([task.title, task.status, task.role]).to.deep.equal(['With Bob', 'open', 'inviter'])
    const later = good(await world.do(alice.flows.owner.approval(asked.approvalId)))
    expect(later.title, 'also once it stands with the task').to.equal('With Bob')
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

describe('the open questions of an agent', () => {
  const open = ({ world, alice }: Stage, agent = alice.agent) =>
    world.do(alice.flows.agent.approvals(agent)).then(({ items }) => items)

  it('are those that it asked itself, newest first, as it may see each of them, until they are answered', async () => {
    const at = await stage()
    expect(await open(at)).to.deep.equal([])
    const first = await ask(at)
    await at.world.rest()
    const second = await ask(at, { proposal: dinner({ time: '20:00' }) })
    const both = [await seen(at, second.approvalId), await seen(at, first.approvalId)]
    expect(await open(at)).to.deep.equal(both)
    expect(await open(at, at.bob.agent)).to.deep.equal([])
    good(await answer(at, first.approvalId, 'deny'))
    expect(await open(at)).to.deep.equal(both.slice(0, 1))
    good(await answer(at, second.approvalId, 'approve'))
    expect(await open(at)).to.deep.equal([])
  })

  it('are not those whose time is over', async () => {
    const at = await stage()
    const asked = await ask(at)
    expect(await open(at)).to.have.length(1)
    at.world.clock.jump(24 * 3_600_000)
    expect((await seen(at, asked.approvalId)).status).to.equal('expired')
    expect(await open(at)).to.deep.equal([])
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
