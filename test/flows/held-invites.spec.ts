import { expect } from 'chai'
import { HOUR } from '../../src/base/time.js'
import {
  PLAN,
  QUOTE_FILE,
  QUOTE_HASH,
  answer,
  changed,
  ending,
  install,
  invite,
  question,
  questions,
  read,
  stage,
  unknownToAgent
} from './held-invites-stage.js'
import { good, refusalOf } from './pair.js'

describe('an invite of a type that is not installed', () => {
  it('waits for the owner, who sees who sent it and what each field needs; the agent sees nothing', async () => {
    const at = await stage()
    const uid = await invite(at)
    const asked = await question(at)
    expect([asked.participant, asked.participantHandle, asked.held]).to.deep.equal([at.alice.agent, '@alice', 1])
    expect([asked.type, asked.scopes]).to.deep.equal([
      { name: 'quote.request', version: 1, hash: QUOTE_HASH },
      ['once']
    ])
    expect(asked.inspection.fields.find((field) => field.path === 'item')?.capability).to.equal('disclose.x.purchasing')
    expect(asked.inspection.customCapabilities).to.deep.equal(['disclose.x.purchasing'])
    await unknownToAgent(at, uid)
    for (const { approvalId } of await questions(at, at.bob)) {
      const seen = await at.world.do(at.bob.flows.agent.approval(at.bob.agent, approvalId))
      expect(refusalOf(seen)).to.equal('not_found approvalId')
    }
    expect(await ending(at, uid)).to.equal('open')
    expect((await read(at, at.alice, uid)).delivery.state).to.equal('delivered')
  })

  it('opens with a yes: the type is installed, the agent hears of the task, and it comes to an agreement', async () => {
    const at = await stage()
    const uid = await invite(at)
    expect((await answer(at, 'approve')).status).to.equal('used')
    const { items: entries } = good(await at.world.do(at.bob.flows.owner.audit({ limit: 50, what: 'approval.used' })))
    expect(entries.map(({ who, about }) => `${who.kind} ${about.kind ?? ''}`)).to.deep.equal(['owner type'])
    const { items } = good(
      await at.world.do(at.bob.flows.agent.inbox(at.bob.agent, { after: 0, waitSeconds: 0, limit: 50 }))
    )
    expect(items.filter((item) => item.taskUid === uid).map((item) => item.kind)).to.deep.equal(['task.invite'])
    expect(await at.world.do(at.bob.flows.agent.counters(at.bob.agent))).to.include({ tasksWaitingForMe: 1 })
    const proposalId = (await read(at, at.bob, uid)).proposals[0]?.proposalId ?? ''
    good(await at.world.do(at.bob.flows.agent.respond(at.bob.agent, uid, { proposalId, decision: 'accept' })))
    await at.world.rest()
    expect(await ending(at, uid)).to.equal('agreed')
    expect(await ending(at, await invite(at), at.bob)).to.equal('open')
  })

  it('opens every task that waits for it, of every contact, with one yes', async () => {
    const at = await stage()
    const uids = [await invite(at), await invite(at, { hours: 72 })]
    expect((await question(at)).held).to.equal(2)
    await answer(at, 'approve')
    for (const uid of uids) expect(await ending(at, uid, at.bob)).to.equal('open')
    expect(await questions(at, at.bob)).to.deep.equal([])
  })

  it('ends with a no: type_not_installed at its sender, which does not send it again', async () => {
    const at = await stage()
    const uid = await invite(at)
    expect((await answer(at, 'deny')).status).to.equal('denied')
    expect(await ending(at, uid)).to.equal('cancelled type_not_installed')
    await unknownToAgent(at, uid)
    const again = { type: QUOTE_HASH, participant: at.bob.agent, proposal: PLAN }
    const refused = await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, again))
    expect(refusalOf(refused)).to.equal('conflict invite_refused')
    expect(await questions(at, at.bob)).to.deep.equal([])
  })

  it('is answered while it is cold: over restarts and crashes of both, hours later', async () => {
    for (const decision of ['approve', 'deny'] as const) {
      const at = await stage()
      const uid = await invite(at)
      at.bob.crash()
      at.alice.crash()
      await at.bob.start()
      at.world.clock.jump(20 * HOUR)
      await unknownToAgent(at, uid)
      await answer(at, decision)
      await at.bob.stop()
      await at.alice.start()
      await at.bob.start()
      await at.world.rest(120_000)
      const expected = decision === 'approve' ? 'open' : 'cancelled type_not_installed'
      expect(await ending(at, uid)).to.equal(expected)
      if (decision === 'approve') expect(await ending(at, uid, at.bob)).to.equal('open')
    }
  })

  it('expires on both sides without a word when nobody decides, however long that is', async () => {
    const at = await stage()
    const uid = await invite(at, { hours: 700 })
    at.world.clock.jump(699 * HOUR)
    await at.world.rest(5_000)
    expect((await question(at)).held).to.equal(1)
    at.world.clock.jump(2 * HOUR)
    await at.world.rest(5_000)
    expect(await ending(at, uid)).to.equal('expired')
    expect(await questions(at, at.bob)).to.deep.equal([])
    expect(await questions(at, at.bob, 'expired')).to.have.length(1)
    expect(await at.bob.all('held')).to.deep.equal([[]])
    await unknownToAgent(at, uid)
    expect(await at.bob.all('sent')).to.have.length((await at.bob.all('sent')).length)
    expect((await read(at, at.alice, uid)).statusReason).to.equal(undefined)
  })

  it('is asked about again for a task that outlives the first one', async () => {
    const at = await stage()
    await invite(at, { hours: 2 })
    const longer = await invite(at, { hours: 9 })
    at.world.clock.jump(3 * HOUR)
    await at.world.rest(5_000)
    expect((await question(at)).held).to.equal(1)
    await answer(at, 'approve')
    expect(await ending(at, longer, at.bob)).to.equal('open')
  })

  it('is withdrawn by a cancel of its sender, and the question with it', async () => {
    const at = await stage()
    const uid = await invite(at)
    const { approvalId } = await question(at)
    good(await at.world.do(at.alice.flows.agent.cancel(at.alice.agent, uid, { reason: 'changed_plans' })))
    await at.world.rest()
    expect(await questions(at, at.bob)).to.deep.equal([])
    expect(await ending(at, uid)).to.equal('cancelled changed_plans')
    await unknownToAgent(at, uid)
    good(await at.world.do(at.bob.flows.owner.answerApproval(approvalId, { decision: 'approve', scope: 'once' })))
    expect(await at.bob.all('types')).to.deep.equal([])
    await invite(at)
    expect((await question(at)).held).to.equal(1)
  })

  it('shows the newest plan when it opens, and hears of all that was written while it waited', async () => {
    const at = await stage()
    const uid = await invite(at)
    const more = { proposal: { ...PLAN, quantity: 4 } }
    good(await at.world.do(at.alice.flows.agent.propose(at.alice.agent, uid, more)))
    await at.world.rest()
    await unknownToAgent(at, uid)
    await answer(at, 'approve')
    const { items } = good(
      await at.world.do(at.bob.flows.agent.inbox(at.bob.agent, { after: 0, waitSeconds: 0, limit: 50 }))
    )
    const kinds = items.filter((item) => item.taskUid === uid).map((item) => item.kind)
    expect(kinds).to.deep.equal(['task.invite', 'task.propose'])
    expect((await read(at, at.bob, uid)).proposals.map((one) => one.status)).to.deep.equal(['superseded', 'pending'])
  })

  it('opens when the owner installs the same definition from a file', async () => {
    const at = await stage()
    const uid = await invite(at)
    await install(at, at.bob, QUOTE_FILE)
    expect(await ending(at, uid, at.bob)).to.equal('open')
    expect(await questions(at, at.bob)).to.deep.equal([])
  })

  it('is refused with type_mismatch when the owner installs another definition under its name', async () => {
    const at = await stage()
    const uid = await invite(at)
    await install(at, at.bob, changed({ title: 'Another quotation' }))
    await at.world.rest()
    expect(await ending(at, uid)).to.equal('cancelled type_mismatch')
    expect(await questions(at, at.bob)).to.deep.equal([])
    await unknownToAgent(at, uid)
  })

  it('is settled by the first of two answers, and by one commit of what comes at once', async () => {
    const twice = await stage()
    const uid = await invite(twice)
    const { approvalId } = await question(twice)
    const given = (decision: 'approve' | 'deny'): Promise<unknown> =>
      twice.bob.flows.owner
        .answerApproval(approvalId, { decision, scope: 'once' })
        .then((result) => (result.ok ? result.value.status : result.refusal.details.code))
    expect(await twice.world.do(Promise.all([given('approve'), given('deny')]))).to.deep.equal([
      'used',
      'approval_answered'
    ])
    expect(await ending(twice, uid, twice.bob)).to.equal('open')

    const at = await stage()
    const opened = await invite(at)
    const { owner } = at.bob.flows
    const asked = (await question(at)).approvalId
    await at.world.do(
      Promise.all([
        owner.installType({ file: QUOTE_FILE }),
        owner.retireType(QUOTE_HASH),
        owner.answerApproval(asked, { decision: 'deny', scope: 'once' })
      ])
    )
    await at.world.rest()
    expect(await ending(at, opened, at.bob)).to.equal('open')
    expect(good(await at.world.do(owner.declines({}))).items).to.deep.equal([])
    expect(await ending(at, await invite(at))).to.equal('cancelled type_retired')
  })
})
