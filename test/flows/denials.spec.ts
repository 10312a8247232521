import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import { HOUR } from '../../src/base/time.js'
import { type AuditEntry, readEntry } from '../../src/policy/audit.js'
import { auditEntries } from '../../src/store/audit-entries.js'
import { StoreFailure } from '../../src/store/failure.js'
import { type Node, type World, dinner, friends, good, refusalOf } from './pair.js'

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

async function entries({ alice }: Stage, ...codes: string[]): Promise<AuditEntry[]> {
  const all = (await alice.all('audit')).flatMap((bytes) => readEntry(bytes) ?? [])
  return all.filter(({ what }) => codes.includes(what))
}

function deny({ world, alice }: Stage, capability: string, contact = '*') {
  return world.do(alice.flows.owner.setGrant({ contact, capability, effect: 'deny' })).then(good)
}

function create({ world, alice }: Stage, more: JsonObject = {}) {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner(more) }
  return world.do(alice.flows.agent.createTask(alice.agent, command))
}

/** Tries what is denied: notes by default. */
async function tried(at: Stage, more: JsonObject = { notes: 'CANARY' }): Promise<void> {
  expect(refusalOf(await create(at, more))).to.equal('policy_denied')
}

/** An agreed dinner that settled, with its uid. */
async function agreed(at: Stage): Promise<string> {
  const { world, bob } = at
  const { answer } = good(await create(at))
  if (answer.status !== 'sent') throw new Error('asked')
  await world.rest()
  const uid = answer.task.taskUid
  const proposalId = answer.task.proposals[0]?.proposalId ?? ''
  good(await world.do(bob.flows.agent.respond(bob.agent, uid, { proposalId, decision: 'accept' })))
  await world.rest()
  return uid
}

function run({ world, alice }: Stage, taskUid: string, approvalId?: string) {
  const command = { taskUid, action: 'calendar.hold', ...(approvalId === undefined ? {} : { approvalId }) }
  return world.do(alice.flows.agent.runAction(alice.agent, command))
}

describe('an attempt that the owner denies', () => {
  it('is told at once: who, to whom, under which capability, and which rule said no; never what was in it', async () => {
    const at = await friends()
    await deny(at, 'disclose.notes')
    await tried(at)
    const [entry, ...others] = await entries(at, 'disclosure.denied', 'denials.counted')
    expect(others).to.deep.equal([])
    expect(entry?.who).to.deep.equal({ kind: 'agent', id: at.alice.agent })
    expect(entry?.about).to.deep.equal({
      agent: at.alice.agent,
      contact: at.bob.agent,
      capabilities: ['disclose.notes']
    })
    expect(entry?.under).to.deep.equal({ grants: [{ contact: '*', capability: 'disclose.notes', effect: 'deny' }] })
    const text = (await at.alice.all('audit')).map((bytes) => Buffer.from(bytes).toString()).join()
    expect(text).not.to.include('CANARY')
  })

  it('names the task that it was for, where there is one', async () => {
    const at = await friends()
    await deny(at, 'disclose.notes')
    const { answer } = good(await create(at))
    const taskUid = answer.status === 'sent' ? answer.task.taskUid : ''
    const proposal = dinner({ notes: 'x' })
    expect(refusalOf(await at.world.do(at.alice.flows.agent.propose(at.alice.agent, taskUid, { proposal })))).to.equal(
      'policy_denied'
    )
    expect((await entries(at, 'disclosure.denied'))[0]?.about.taskUid).to.equal(taskUid)
  })

  it('is told of an action by its name, and of one that its owner said no to by that approval', async () => {
    const at = await friends()
    const uid = await agreed(at)
    const asked = good(await run(at, uid)).answer
    const approvalId = asked.status === 'pending_approval' ? asked.approvalId : ''
    good(await at.world.do(at.alice.flows.owner.answerApproval(approvalId, { decision: 'deny', scope: 'once' })))
    expect(refusalOf(await run(at, uid, approvalId))).to.equal('policy_denied')
    await at.world.rest(HOUR + 2_000)
    await deny(at, 'action.calendar.hold')
    expect(refusalOf(await run(at, uid))).to.equal('policy_denied')
    const told = await entries(at, 'action.denied')
    const about = {
      agent: at.alice.agent,
      contact: at.bob.agent,
      taskUid: uid,
      action: 'calendar.hold',
      capabilities: ['action.calendar.hold']
    }
    expect(told.map((entry) => [entry.about, entry.under])).to.deep.equal([
      [about, { approvalId }],
      [about, { grants: [{ contact: '*', capability: 'action.calendar.hold', effect: 'deny' }] }]
    ])
  })

  it('is told of the text of delegated work as of a plan', async () => {
    const at = await friends()
    await deny(at, 'delegate.submit')
    const envelope = {
      objective: 'Write it',
      outputFormat: 'text',
      toolAndSourceGuidance: 'none',
      boundaries: 'none',
      filesAndInterfaces: ['a.txt'],
      acceptanceCheck: { passFailCommand: 'true', endToEndVerification: 'look' },
      contextID: 'c'
    }
    const submitted = at.alice.flows.agent.envelope(at.alice.agent, { do: 'submit', recipient: '@bob', envelope })
    expect(refusalOf(await at.world.do(submitted))).to.equal('policy_denied')
    const [entry] = await entries(at, 'disclosure.denied')
    expect(entry?.about).to.deep.equal({
      agent: at.alice.agent,
      contact: at.bob.agent,
      capabilities: ['delegate.submit']
    })
  })
})

describe('attempts that come again', () => {
  it('are one number, told when an hour is over', async () => {
    const at = await friends()
    await deny(at, 'disclose.notes')
    for (let i = 0; i < 7; i++) await tried(at)
    expect(await entries(at, 'disclosure.denied', 'denials.counted')).to.have.length(1)
    await at.world.rest(HOUR + 2_000)
    const [first, counted, ...others] = await entries(at, 'disclosure.denied', 'denials.counted')
    expect(others).to.deep.equal([])
    expect([counted?.who, counted?.times]).to.deep.equal([{ kind: 'node' }, 6])
    expect(counted?.about).to.deep.equal({ ...first?.about, code: 'disclosure.denied' })
    expect(await at.alice.all('denials')).to.deep.equal([])
  })

  it('are counted on across a crash, and told although the node was down when the hour ended', async () => {
    const at = await friends()
    await deny(at, 'disclose.notes')
    for (let i = 0; i < 3; i++) await tried(at)
    at.alice.crash()
    await at.alice.start()
    for (let i = 0; i < 2; i++) await tried(at)
    await at.alice.stop()
    await at.world.rest(2 * HOUR)
    await at.alice.start()
    await at.world.rest(2_000)
    expect((await entries(at, 'denials.counted')).map(({ times }) => times)).to.deep.equal([4])
    expect(await auditEntries(at.alice.disk.open())).to.deep.equal([])
  })

  it('never grow the log beyond 41 entries an hour, and every one of them is counted', async () => {
    const at = await friends()
    for (const capability of ['disclose.notes', 'disclose.budget', 'disclose.dietary', 'disclose.preferences']) {
      await deny(at, capability)
    }
    const fields: JsonObject[] = [{ notes: 'n' }, { budgetPerPerson: 4 }, { dietaryNotes: ['d'] }, { cuisine: 'c' }]
    const plans = Array.from(
      { length: 15 },
      (_, bits) => Object.assign({}, ...fields.filter((_, at) => ((bits + 1) >> at) & 1)) as JsonObject
    )
    const before = (await at.alice.all('audit')).length
    for (let i = 0; i < 60; i++) await tried(at, plans[i % plans.length])
    await at.world.rest(HOUR + 2_000)
    const told = await entries(at, 'disclosure.denied', 'denials.counted')
    expect((await at.alice.all('audit')).length - before).to.equal(told.length)
    expect(told.length).to.equal(30)
    expect(told.reduce((sum, { times = 1 }) => sum + times, 0)).to.equal(60)
  })

  it('are found under their capability and agent', async () => {
    const at = await friends()
    await deny(at, 'disclose.notes')
    for (let i = 0; i < 2; i++) await tried(at)
    await at.world.rest(HOUR + 2_000)
    const filter = { capability: 'disclose.notes', agent: '@alice', contact: '@bob', limit: 10 }
    const page = good(await at.world.do(at.alice.flows.owner.audit(filter)))
    expect(page.items.map(({ what }) => what)).to.deep.equal(['denials.counted', 'disclosure.denied'])
  })
})

describe('a refusal that is no denial', () => {
  it('is not told: what no rule decided about tells nothing of the agent', async () => {
    const at = await friends()
    const before = (await at.alice.all('audit')).length
    expect(refusalOf(await create(at, { homeAddress: 'x' }))).to.include('undeclared_field')
    const command = { type: 'dinner.coordination', participant: '@nobody', proposal: dinner() }
    expect((await at.world.do(at.alice.flows.agent.createTask(at.alice.agent, command))).ok).to.equal(false)
    expect((await at.alice.all('audit')).length).to.equal(before)
  })
})

describe('a call whose token does not open its route', () => {
  it('is told of under its caller, each route once, the rest as a number', async () => {
    const at = await friends()
    const agent = { kind: 'agent', id: at.alice.agent } as const
    const call = (who: typeof agent | { kind: 'unknown' }, route: string) =>
      at.world.do(at.alice.flows.callRefused({ who, route }))
    for (let i = 0; i < 3; i++) await call(agent, 'owner.grants.set')
    await call(agent, 'owner.approvals.answer')
    for (let i = 0; i < 25; i++) await call({ kind: 'unknown' }, `route.${i}`)
    await at.world.rest(HOUR + 2_000)
    const told = await entries(at, 'call.refused', 'denials.counted')
    expect(told.map(({ who, what, about, times }) => [who.kind, what, about.agent, about.route, times])).to.deep.equal([
      ['agent', 'call.refused', at.alice.agent, 'owner.grants.set', undefined],
      ['agent', 'call.refused', at.alice.agent, 'owner.approvals.answer', undefined],
      ...Array.from({ length: 20 }, (_, i) => ['unknown', 'call.refused', undefined, `route.${i}`, undefined]),
      ['node', 'denials.counted', at.alice.agent, 'owner.grants.set', 2],
      ['node', 'denials.counted', undefined, undefined, 5]
    ])
    expect(told.at(-1)?.about).to.deep.equal({ code: 'call.refused' })
  })

  it('is refused all the same by a node whose disk is full', async () => {
    const at = await friends()
    at.alice.disk.failWith(() => new StoreFailure('disk_full', 'full'))
    await at.world.do(at.alice.flows.callRefused({ who: { kind: 'unknown' }, route: 'counters.read' }))
    expect(at.alice.log.join()).to.include('refused call not told')
  })
})
