import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import { HOUR } from '../../src/base/time.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { type Node, type World, befriend, friends, good, refusalOf } from './pair.js'

const QUOTE_FILE = readFileSync('protocols/types/quote.request@1.json', 'utf8')
const QUOTE_HASH = 'd46800320af04abbc9676c97423bd155d625ab83ced83ec5491c0cf7ae11dc62'
const PLAN = { item: 'Oak table', quantity: 3, unit: 'piece' }

type Question = Extract<OwnerApprovalView, { readonly kind: 'type' }>
interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

function changed(more: object): string {
  return canonicalText({ ...(JSON.parse(QUOTE_FILE) as JsonObject), ...more } as Json)
}

/** Alice has the type and may tell all of it; Bob has never heard of it. */
async function stage(): Promise<Stage> {
  const at = await friends()
  await install(at, at.alice, QUOTE_FILE)
  return at
}

async function install({ world }: Pick<Stage, 'world'>, node: Node, file: string): Promise<string> {
  const { hash } = good(await world.do(node.flows.owner.installType({ file })))
  for (const capability of ['disclose.x.purchasing', 'disclose.*']) {
    good(await world.do(node.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' })))
  }
  return hash
}

async function invite(at: Stage, more: { type?: string; hours?: number; proposal?: JsonObject } = {}): Promise<string> {
  const { world, alice, bob } = at
  const { type = 'quote.request', hours = 48, proposal = PLAN } = more
  const command = { type, participant: bob.agent, proposal, expiresInHours: hours }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  await world.rest()
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task.taskUid
}

async function questions({ world }: Stage, node: Node, status = 'pending'): Promise<readonly Question[]> {
  const { items } = good(await world.do(node.flows.owner.approvals({ limit: 50, status })))
  return items.filter((one): one is Question => one.kind === 'type')
}

async function question(at: Stage): Promise<Question> {
  const [one, ...more] = await questions(at, at.bob)
  if (one === undefined || more.length > 0) throw new Error(`${more.length} questions too many, or none`)
  return one
}

async function answer(at: Stage, decision: 'approve' | 'deny', node = at.bob): Promise<OwnerApprovalView> {
  const { approvalId } = await question({ ...at, bob: node })
  const done = good(await at.world.do(node.flows.owner.answerApproval(approvalId, { decision, scope: 'once' })))
  await at.world.rest()
  return done
}

async function read({ world }: Stage, node: Node, uid: string): Promise<TaskView> {
  return good(await world.do(node.flows.agent.getTask(node.agent, uid)))
}

async function ending(at: Stage, uid: string, node = at.alice): Promise<string> {
  const { status, statusReason } = await read(at, node, uid)
  return statusReason === undefined ? status : `${status} ${statusReason}`
}

/** That for Bob's agent there is nothing: no task, no item, no badge, no approval. */
async function unknownToAgent(at: Stage, uid: string): Promise<void> {
  const { world, bob } = at
  const { agent } = bob.flows
  expect(refusalOf(await world.do(agent.getTask(bob.agent, uid)))).to.equal('not_found taskUid')
  expect(refusalOf(await world.do(agent.propose(bob.agent, uid, { proposal: PLAN })))).to.equal('not_found taskUid')
  expect(refusalOf(await world.do(agent.cancel(bob.agent, uid, {})))).to.equal('not_found taskUid')
  expect(good(await world.do(agent.listTasks(bob.agent, { limit: 50 }))).items).to.deep.equal([])
  const { items } = good(await world.do(agent.inbox(bob.agent, { after: 0, waitSeconds: 0, limit: 50 })))
  expect(items.filter((item) => item.kind.startsWith('task.') || item.kind.startsWith('approval.'))).to.deep.equal([])
  expect(await world.do(agent.counters(bob.agent))).to.include({ tasksWaitingForMe: 0, approvalsPending: 0 })
}

/** How a contact stops being one for Bob; the answer makes it one again. */
type Parting = (at: Stage) => Promise<() => Promise<void>>

const again = ({ world, alice, bob }: Stage): Promise<void> => befriend(world, alice, bob)

const remove: Parting = async (at) => {
  good(await at.world.do(at.bob.flows.owner.changeContact({ contact: '@alice', action: 'remove' })))
  await at.world.rest()
  return () => again(at)
}

const removeByPeer: Parting = async (at) => {
  good(await at.world.do(at.alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
  await at.world.rest()
  return () => again(at)
}

const block: Parting = async (at) => {
  const change = (action: 'block' | 'unblock'): Promise<unknown> =>
    at.world.do(at.bob.flows.owner.changeContact({ contact: '@alice', action }).then(good))
  await change('block')
  return async () => {
    await change('unblock')
    await again(at)
  }
}

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

  it('is not asked about while its contact is none, and asked about anew when it is one again', async () => {
    for (const change of [remove, block, removeByPeer]) {
      const at = await stage()
      const uid = await invite(at)
      const { approvalId } = await question(at)
      const back = await change(at)
      expect(await questions(at, at.bob), change.name).to.deep.equal([])
      const late = at.bob.flows.owner.answerApproval(approvalId, { decision: 'approve', scope: 'once' })
      expect(good(await at.world.do(late)).status).to.equal('stale')
      await unknownToAgent(at, uid)
      expect(await at.bob.all('types')).to.deep.equal([])
      await back()
      await at.world.rest(5_000)
      expect((await question(at)).held, change.name).to.equal(1)
      await answer(at, 'approve')
      expect(await ending(at, uid, at.bob), change.name).to.equal('open')
    }
  })

  for (const [file, there, here] of [
    [QUOTE_FILE, 'open', 'open'],
    [changed({ title: 'Another quotation' }), 'cancelled type_mismatch', undefined]
  ] as const) {
    it(`waits on when the owner installs a type while its contact is none, and is ${there} when it is one again`, async () => {
      const at = await stage()
      const uid = await invite(at)
      const back = await block(at)
      await install(at, at.bob, file)
      await unknownToAgent(at, uid)
      await back()
      await at.world.rest(5_000)
      expect(await ending(at, uid)).to.equal(there)
      if (here === undefined) await unknownToAgent(at, uid)
      else expect(await ending(at, uid, at.bob)).to.equal(here)
    })
  }

  it('is refused once its contact is one again when the owner said no in between', async () => {
    const at = await stage()
    const uid = await invite(at)
    const { approvalId } = await question(at)
    const back = await block(at)
    good(await at.world.do(at.bob.flows.owner.answerApproval(approvalId, { decision: 'deny', scope: 'once' })))
    await back()
    await at.world.rest(5_000)
    expect(await ending(at, uid)).to.equal('cancelled type_not_installed')
    expect(await questions(at, at.bob)).to.deep.equal([])
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

describe('an invite of a type', () => {
  it('that is another definition under the same name and version is refused at once', async () => {
    const at = await stage()
    await install(at, at.bob, changed({ title: 'Another quotation' }))
    expect(await ending(at, await invite(at))).to.equal('cancelled type_mismatch')
    good(await at.world.do(at.bob.flows.owner.retireType('quote.request')))
    const other = await install(at, at.alice, changed({ title: 'A third one' }))
    expect(await ending(at, await invite(at, { type: other }))).to.equal('cancelled type_mismatch')
    expect(await questions(at, at.bob)).to.deep.equal([])
  })

  it('that was retired is refused at once, while what runs goes on', async () => {
    const at = await stage()
    await install(at, at.bob, QUOTE_FILE)
    const running = await invite(at)
    good(await at.world.do(at.bob.flows.owner.retireType(QUOTE_HASH)))
    expect(await ending(at, await invite(at))).to.equal('cancelled type_retired')
    const proposalId = (await read(at, at.bob, running)).proposals[0]?.proposalId ?? ''
    good(await at.world.do(at.bob.flows.agent.respond(at.bob.agent, running, { proposalId, decision: 'accept' })))
    await at.world.rest()
    expect(await ending(at, running)).to.equal('agreed')
  })

  it('is held with its first proposal right by its own definition, and never asked about otherwise', async () => {
    const at = await stage()
    await invite(at, { type: await install(at, at.alice, changed({ version: 2 })) })
    expect((await question(at)).type.version).to.equal(2)
  })
})

describe('a no to a type', () => {
  it('is lifted when that peer uses the type itself', async () => {
    const at = await stage()
    await invite(at)
    await answer(at, 'deny')
    const { world, alice, bob } = at
    expect(good(await world.do(bob.flows.owner.declines({}))).items.map((one) => one.by)).to.deep.equal(['owner'])
    await install(at, bob, QUOTE_FILE)
    expect(good(await world.do(bob.flows.owner.declines({}))).items).to.deep.equal([])
    const command = { type: 'quote.request', participant: alice.agent, proposal: PLAN }
    good(await world.do(bob.flows.agent.createTask(bob.agent, command)))
    await world.rest()
    expect(await ending(at, await invite(at), bob)).to.equal('open')
  })

  it('is listed for the owner and lifted by the owner, on each side for itself', async () => {
    const at = await stage()
    const { world, alice, bob } = at
    await invite(at)
    await answer(at, 'deny')
    const listed = good(await world.do(alice.flows.owner.declines({})))
    expect(listed.items.map((one) => `${one.by} ${one.code} ${one.type.hash}`)).to.deep.equal([
      `peer type_not_installed ${QUOTE_HASH}`
    ])
    good(await world.do(alice.flows.owner.liftDecline({ contact: '@bob', type: QUOTE_HASH })))
    const gone = { contact: '@bob', type: QUOTE_HASH }
    expect(refusalOf(await world.do(alice.flows.owner.liftDecline(gone)))).to.equal('not_found type')
    // Bob's owner said no once and is not asked again.
    expect(await ending(at, await invite(at))).to.equal('cancelled type_not_installed')
    expect(await questions(at, bob)).to.deep.equal([])
    good(await world.do(alice.flows.owner.liftDecline(gone)))
    good(await world.do(bob.flows.owner.liftDecline({ contact: '@alice', type: QUOTE_HASH })))
    await invite(at)
    expect((await question(at)).held).to.equal(1)
  })

  for (const [what, options, expected] of [
    ['a contact that is none', { contact: '@eve', type: QUOTE_HASH }, 'bad_request unknown_participant'],
    ['a name instead of a hash', { contact: '@bob', type: 'quote.request' }, 'bad_request malformed_id type'],
    ['a type that nobody declined', { contact: '@bob', type: 'ab'.repeat(32) }, 'not_found type'],
    ['an agent that is not here', { agent: 'nobody', contact: '@bob', type: QUOTE_HASH }, 'not_found agent']
  ] as const) {
    it(`is not lifted for ${what}`, async () => {
      const at = await stage()
      const refused = refusalOf(await at.world.do(at.alice.flows.owner.liftDecline(options)))
      expect(refused.startsWith(expected)).to.equal(true, refused)
    })
  }
})

describe('what a peer may make an owner look at', () => {
  it('is bounded: eight tasks, of three definitions', async () => {
    const at = await stage()
    const results: string[] = []
    for (let version = 2; version < 6; version++) {
      const type = await install(at, at.alice, changed({ version }))
      results.push(await ending(at, await invite(at, { type })))
    }
    expect(results).to.deep.equal(['open', 'open', 'open', 'cancelled type_not_installed'])
    expect(await questions(at, at.bob)).to.have.length(3)
    const more: string[] = []
    for (let i = 0; i < 6; i++) more.push(await ending(at, await invite(at, { type: 'quote.request@2' })))
    expect(more).to.deep.equal([...Array<string>(5).fill('open'), 'cancelled type_not_installed'])
  })
})
