import { expect } from 'chai'
import fc from 'fast-check'
import { type Call, act, agreed, answer, asked, grant, said, statusOf, task } from './actions-stage.js'
import { dinner, diskText, diskTextBesideDenials, good, refusalOf } from './pair.js'

describe('an action on an agreed plan', () => {
  it('waits for the owner, is recorded on the same call with the approval, and both tasks end confirmed', async () => {
    const at = await agreed()
    const { world, alice, bob } = at
    const approvalId = await asked(at)
    expect([(await task(at, alice)).status, (await task(at, bob)).status]).to.deep.equal([
      'awaiting_approval',
      'agreed'
    ])
    await world.rest()
    expect(said(at)).to.equal('')
    expect(good(await answer(at, approvalId, 'approve')).status).to.equal('approved')
    expect((await task(at, alice)).status).to.equal('agreed')
    const done = good(await act(at, { approvalId }))
    expect(done).to.deep.include({ status: 'recorded', simulated: true })
    await world.rest()
    expect([(await task(at, alice)).status, (await task(at, bob)).status]).to.deep.equal(['confirmed', 'confirmed'])
    expect(await statusOf(at, approvalId)).to.equal('used')
    const [confirm] = (await task(at, bob)).confirms ?? []
    expect(confirm).to.deep.include({ action: 'reservation.book', by: 'peer', params: dinner() })
    expect(confirm?.summary).to.contain('Book the table')
    const inbox = good(await world.do(bob.flows.agent.inbox(bob.agent, { waitSeconds: 0, limit: 50 }))).items
    expect(inbox.at(-1)).to.deep.include({ kind: 'task.confirm', taskUid: at.uid })
  })

  it('is one record, however often and with or without its approval it is called again', async () => {
    const at = await agreed()
    const approvalId = await asked(at)
    good(await answer(at, approvalId, 'approve'))
    const first = good(await act(at, { approvalId }))
    for (const call of [{ approvalId }, {}, { approvalId, params: dinner() }, { params: { partySize: 2 } }]) {
      expect(good(await act(at, call))).to.deep.equal(first)
    }
    expect((await at.alice.all('actions')).length).to.equal(1)
    await at.world.rest()
    expect((await task(at, at.bob)).confirms?.length).to.equal(1)
  })

  it('asks once for the same params, spelled out or taken from the plan', async () => {
    const at = await agreed()
    const approvalId = await asked(at)
    expect(await asked(at, { params: dinner() })).to.equal(approvalId)
    expect(await asked(at, { approvalId })).to.equal(approvalId)
    expect(await asked(at, { params: { venueName: 'Nonna' } })).to.not.equal(approvalId)
  })

  it('shows the owner the exact params, what of them leaves, and the plan', async () => {
    const at = await agreed()
    const approvalId = await asked(at, { params: { venueName: 'Nonna' } })
    const shown = good(await at.world.do(at.alice.flows.owner.approval(approvalId)))
    expect(shown).to.deep.include({
      kind: 'action',
      action: 'reservation.book',
      params: dinner({ venueName: 'Nonna' }),
      leaves: dinner(),
      proposal: dinner(),
      capabilities: ['action.reservation.book']
    })
  })

  it('goes without asking under a grant, and the grant is named in the audit log', async () => {
    const at = await agreed()
    await grant(at, 'allow')
    expect(good(await act(at)).status).to.equal('recorded')
    await at.world.rest()
    expect((await task(at, at.bob)).status).to.equal('confirmed')
  })

  it('is denied by a grant: nothing is asked, nothing is stored', async () => {
    const at = await agreed()
    await grant(at, 'deny')
    const before = diskTextBesideDenials(at.alice)
    expect(refusalOf(await act(at))).to.equal('policy_denied')
    expect(diskTextBesideDenials(at.alice)).to.equal(before)
  })

  it('may be followed by another one on the confirmed task', async () => {
    const at = await agreed()
    for (const action of ['reservation.book', 'calendar.hold']) await grant(at, 'allow', `action.${action}`)
    good(await act(at))
    await at.world.rest()
    good(await act(at, { action: 'calendar.hold', params: { durationMinutes: 90 } }, at.alice))
    await at.world.rest()
    const { status, confirms } = await task(at, at.bob)
    expect([status, confirms?.map((one) => one.action)]).to.deep.equal([
      'confirmed',
      ['reservation.book', 'calendar.hold']
    ])
  })

  it('may be run by both sides', async () => {
    const at = await agreed()
    await grant(at, 'allow')
    const yes = { contact: '*', capability: 'action.reservation.book', effect: 'allow' } as const
    good(await at.world.do(at.bob.flows.owner.setGrant(yes)))
    good(await act(at, {}, at.bob))
    good(await act(at))
    await at.world.rest()
    for (const who of [at.alice, at.bob]) expect((await task(at, who)).confirms?.length).to.equal(2)
  })
})

describe('a call of an action', () => {
  const BAD: ReadonlyArray<[string, Call, string]> = [
    ['of an unknown task', { taskUid: 'ab'.repeat(16) }, 'not_found taskUid'],
    ['of a task id that is none', { taskUid: '../..' }, 'not_found taskUid'],
    ['that the type does not have', { action: 'x.quote.request.order' }, 'bad_request invalid_field action'],
    ['with a capability for a name', { action: 'action.reservation.book' }, 'bad_request invalid_field action'],
    ['with an unknown approval', { approvalId: 'ab'.repeat(16) }, 'not_found approvalId'],
    ['with junk for an approval', { approvalId: '__proto__' }, 'not_found approvalId'],
    [
      'with params of its own making',
      { params: { homeAddress: '1 Road' } },
      'bad_request undeclared_field params.homeAddress'
    ],
    ['against the plan', { params: { date: '2026-11-15' } }, 'bad_request invalid_field params.date'],
    ['with another time', { params: { time: '19:01' } }, 'bad_request invalid_field params.time'],
    [
      'beyond the bounds',
      { action: 'calendar.hold', params: { durationMinutes: 1 } },
      'bad_request invalid_field params.durationMinutes'
    ],
    ['with a group', { params: { venueName: { name: 'x' } } }, 'bad_request invalid_field params.venueName']
  ]
  for (const [what, call, refused] of BAD) {
    it(`is refused ${what}, and nothing takes effect`, async () => {
      const at = await agreed()
      const before = diskText(at.alice)
      expect(refusalOf(await act(at, call))).to.equal(refused)
      expect(diskText(at.alice)).to.equal(before)
    })
  }

  it('is refused before there is an agreement', async () => {
    const at = await agreed()
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const made = good(await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, command))).answer
    const taskUid = made.status === 'sent' ? made.task.taskUid : ''
    expect(refusalOf(await act(at, { taskUid }))).to.equal('conflict illegal_transition')
  })

  it('is refused until the other node has stored our acceptance', async () => {
    const at = await agreed()
    const { world, alice, bob } = at
    const command = { type: 'dinner.coordination', participant: '@alice', proposal: dinner() }
    const made = good(await world.do(bob.flows.agent.createTask(bob.agent, command))).answer
    if (made.status !== 'sent') throw new Error('not sent')
    await world.rest()
    await bob.stop()
    const { taskUid, proposals } = made.task
    const proposalId = proposals[0]?.proposalId ?? ''
    good(await world.do(alice.flows.agent.respond(alice.agent, taskUid, { proposalId, decision: 'accept' })))
    expect(refusalOf(await act(at, { taskUid }))).to.equal('conflict agreement_not_settled')
    await bob.start()
    await world.rest(60_000)
    expect(good(await act(at, { taskUid })).status).to.equal('pending_approval')
  })

  it('tells what the plan does not say', async () => {
    const { partySize: _, ...plan } = dinner()
    const at = await agreed(plan)
    expect(refusalOf(await act(at))).to.equal('bad_request missing_field params.partySize')
    expect(good(await act(at, { params: { partySize: 3 } })).status).to.equal('pending_approval')
  })
})

describe('the actions of a custom type', () => {
  it('go the same way', async () => {
    const at = await agreed({ item: 'chair' }, 'quote.request')
    const call = { action: 'x.quote.request.order', params: { item: 'chair', note: 'to the back door' } }
    const approvalId = await asked(at, call)
    good(await answer(at, approvalId, 'approve'))
    expect(good(await act(at, { ...call, approvalId })).status).to.equal('recorded')
    await at.world.rest()
    expect((await task(at, at.bob)).confirms?.[0]?.params).to.deep.equal({ item: 'chair' })
  })

  it('and their capabilities are in the list that an agent reads', async () => {
    const at = await agreed()
    await grant(at, 'deny', 'disclose.x.secret')
    const list = good(await at.world.do(at.alice.flows.agent.capabilities(at.alice.agent, '@bob'))).items
    const of = (name: string) => list.find((one) => one.capability === name)
    expect(of('action.x.quote.request.order')).to.deep.include({ effect: 'ask', because: 'default' })
    expect(of('disclose.x.secret')).to.deep.equal({
      capability: 'disclose.x.secret',
      effect: 'deny',
      because: { contact: at.bob.agent, capability: 'disclose.x.secret' }
    })
    expect(of('action.reservation.book')?.effect).to.equal('ask')
  })
})

describe('what leaves with a confirm', () => {
  it('is nothing that the plan does not say, whatever an agent writes into params', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{8,20}$/), fc.boolean(), async (canary, custom) => {
        const at = custom ? await agreed({ item: 'chair' }, 'quote.request') : await agreed()
        const call = custom
          ? { action: 'x.quote.request.order', params: { item: canary, note: canary } }
          : { params: { venueName: canary, venueArea: `in ${canary}` } }
        await grant(at, 'allow', `action.${call.action ?? 'reservation.book'}`)
        expect(good(await act(at, call)).status).to.equal('recorded')
        await at.world.rest()
        expect((await task(at, at.bob)).status).to.equal('confirmed')
        expect(said(at)).to.not.contain(canary)
        expect((await at.alice.all('actions')).length).to.equal(1)
      }),
      { numRuns: 12 }
    )
  })
})
