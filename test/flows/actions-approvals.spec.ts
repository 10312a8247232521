import { expect } from 'chai'
import { type Stage, act, agreed, answer, asked, grant, statusOf, task } from './actions-stage.js'
import { dinner, diskText, good, refusalOf } from './pair.js'

describe('a no to an action', () => {
  for (const [what, end, code] of [
    ['a no', (at: Stage, id: string) => answer(at, id, 'deny'), 'policy_denied'],
    ['the end of its time', (at: Stage) => at.world.rest(25 * 3_600_000), 'conflict approval_expired']
  ] as const) {
    it(`brings the task back to agreed: ${what}`, async () => {
      const at = await agreed()
      const approvalId = await asked(at)
      await end(at, approvalId)
      expect((await task(at, at.alice)).status).to.equal('agreed')
      expect(refusalOf(await act(at, { approvalId }))).to.equal(code)
      expect(await at.alice.all('actions')).to.deep.equal([])
      expect((await at.world.do(at.alice.flows.agent.counters(at.alice.agent))).approvalsPending).to.equal(0)
    })
  }

  it('that comes too late for a yes that was not used in time', async () => {
    const at = await agreed()
    const approvalId = await asked(at)
    good(await answer(at, approvalId, 'approve'))
    at.world.clock.jump(25 * 3_600_000)
    expect(refusalOf(await act(at, { approvalId }))).to.equal('conflict approval_expired')
  })
})

describe('an approval of an action', () => {
  it('is good for no other params, action or task', async () => {
    const at = await agreed()
    const approvalId = await asked(at)
    good(await answer(at, approvalId, 'approve'))
    const before = diskText(at.alice)
    for (const call of [{ params: { venueName: 'Elsewhere' } }, { action: 'calendar.hold' }]) {
      expect(refusalOf(await act(at, { approvalId, ...call }))).to.equal('conflict approval_mismatch approvalId')
    }
    expect(diskText(at.alice)).to.equal(before)
  })

  it('is good for no other task with the very same plan', async () => {
    const at = await agreed()
    const approvalId = await asked(at)
    good(await answer(at, approvalId, 'approve'))
    const { world, alice, bob } = at
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const made = good(await world.do(alice.flows.agent.createTask(alice.agent, command))).answer
    if (made.status !== 'sent') throw new Error('not sent')
    await world.rest()
    const { taskUid, proposals } = made.task
    const proposalId = proposals[0]?.proposalId ?? ''
    good(await world.do(bob.flows.agent.respond(bob.agent, taskUid, { proposalId, decision: 'accept' })))
    await world.rest()
    expect(refusalOf(await act(at, { taskUid, approvalId }))).to.equal('conflict approval_mismatch approvalId')
  })

  it('of a disclosure opens no action', async () => {
    const at = await agreed()
    await at.world.do(at.alice.flows.owner.deleteGrant({ contact: '*', capability: 'disclose.*' }))
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const made = good(await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, command))).answer
    const approvalId = made.status === 'pending_approval' ? made.approvalId : ''
    expect(refusalOf(await act(at, { approvalId }))).to.equal('conflict approval_mismatch approvalId')
  })

  it('takes lookalikes for what they are: other bytes', async () => {
    const at = await agreed()
    const approvalId = await asked(at, { params: { venueName: 'Nonna' } })
    good(await answer(at, approvalId, 'approve'))
    for (const venueName of ['N\u043enna', 'Nonna\u200b', 'Nonna ', '\u202eannoN', 'nonna']) {
      const done = await act(at, { approvalId, params: { venueName } })
      expect(done.ok).to.equal(false)
    }
    expect(await at.alice.all('actions')).to.deep.equal([])
  })

  for (const [what, move] of [
    ['a grant denies the action', (at: Stage) => grant(at, 'deny')],
    ['the peer cancels', ({ world, bob, uid }: Stage) => world.do(bob.flows.agent.cancel(bob.agent, uid, {}))],
    ['our agent cancels', ({ world, alice, uid }: Stage) => world.do(alice.flows.agent.cancel(alice.agent, uid, {}))],
    [
      'the contact is removed',
      ({ world, alice }: Stage) => world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' }))
    ],
    [
      'the contact is blocked',
      ({ world, alice }: Stage) => world.do(alice.flows.owner.changeContact({ contact: '@bob', action: 'block' }))
    ]
  ] as const) {
    for (const given of ['unanswered', 'approved'] as const) {
      it(`is stale at once when ${what}, ${given}`, async () => {
        const at = await agreed()
        const approvalId = await asked(at)
        if (given === 'approved') good(await answer(at, approvalId, 'approve'))
        await move(at)
        await at.world.rest()
        expect(await statusOf(at, approvalId)).to.equal('stale')
        expect((await task(at, at.alice)).status).to.not.equal('awaiting_approval')
        expect((await act(at, { approvalId })).ok).to.equal(false)
        expect(await at.alice.all('actions')).to.deep.equal([])
      })
    }
  }

  it('stays to be answered when a grant allows it meanwhile, and is stale once the call went without it', async () => {
    const at = await agreed()
    const approvalId = await asked(at)
    await grant(at, 'allow')
    expect(await statusOf(at, approvalId)).to.equal('pending')
    expect(await at.alice.all('actions')).to.deep.equal([])
    expect(good(await act(at)).status).to.equal('recorded')
    expect(await statusOf(at, approvalId)).to.equal('stale')
    expect((await at.world.do(at.alice.flows.agent.counters(at.alice.agent))).approvalsPending).to.equal(0)
  })

  it('is limited like every other question', async () => {
    const at = await agreed()
    for (let minutes = 15; minutes < 20; minutes++) {
      await asked(at, { action: 'calendar.hold', params: { durationMinutes: minutes } })
    }
    const before = diskText(at.alice)
    expect(refusalOf(await act(at))).to.equal('rate_limited too_many_approvals')
    expect(diskText(at.alice)).to.equal(before)
  })

  it('with a wider scope opens that action for the contact, and no other', async () => {
    const at = await agreed()
    good(await answer(at, await asked(at), 'approve', 'contact'))
    expect(good(await act(at, { params: { venueName: 'Nonna' } })).status).to.equal('recorded')
    expect(good(await act(at, { action: 'calendar.hold' })).status).to.equal('pending_approval')
  })
})
