import { expect } from 'chai'
import { diskText, dinner, good, openUp, refusalOf } from './pair.js'
import { type Stage, stage, ask, answer, seen, invited, propose } from './approvals-stage.js'

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
