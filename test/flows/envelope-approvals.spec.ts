import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import type { EnvelopeCommand } from '../../src/flows/envelope-commands.js'
import type { OwnerDoor } from '../../src/flows/doors.js'
import { type Node, type World, befriend, chainsAt, createWorld, good, refusalOf } from './pair.js'

/** Questions about the text of delegated tasks, when the world moves while they wait. */

const CONTRACT = {
  objective: 'Make the test pass',
  outputFormat: 'A changed file',
  toolAndSourceGuidance: 'Only the folder',
  boundaries: 'Touch nothing else',
  filesAndInterfaces: ['src/parser'],
  acceptanceCheck: { passFailCommand: 'node test.js', endToEndVerification: 'Run it on the sample' },
  contextID: 'repo-1'
}

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

/** Two contacts whose owners said nothing: every text of theirs waits. */
async function stage(): Promise<Stage> {
  const world = createWorld()
  const at = { world, alice: await world.node('alice'), bob: await world.node('bob') }
  await befriend(world, at.alice, at.bob)
  return at
}

const submit = (taskId?: string): EnvelopeCommand => ({
  do: 'submit',
  recipient: '@bob',
  ...(taskId === undefined ? {} : { taskId }),
  envelope: CONTRACT as unknown as JsonObject
})

function say({ world }: Stage, node: Node, command: EnvelopeCommand) {
  return world.do(node.flows.agent.envelope(node.agent, command))
}

async function asked(at: Stage, node: Node, command: EnvelopeCommand): Promise<string> {
  const { answer } = good(await say(at, node, command))
  if (answer.status !== 'pending_approval') throw new Error(`${answer.status}: nobody was asked`)
  return answer.approvalId
}

function yes({ world }: Stage, node: Node, id: string) {
  return world.do(node.flows.owner.answerApproval(id, { decision: 'approve', scope: 'once' }))
}

async function statusOf({ world }: Stage, node: Node, id: string): Promise<string> {
  return good(await world.do(node.flows.owner.approval(id))).status
}

async function grant({ world }: Stage, node: Node, capability: string, effect: 'ask' | 'deny'): Promise<void> {
  good(await world.do(node.flows.owner.setGrant({ contact: '*', capability, effect })))
}

/** A task that bob works on. */
async function working(at: Stage): Promise<void> {
  good(await yes(at, at.alice, await asked(at, at.alice, submit('fix'))))
  await at.world.rest()
  good(await say(at, at.bob, { do: 'claim', taskId: 'fix' }))
  await at.world.rest()
}

const REPORT: EnvelopeCommand = {
  do: 'status',
  taskId: 'fix',
  state: 'input_required',
  code: 'needs_decision',
  reason: 'Which one?'
}

describe('a yes to the text of a delegated task that came when it was stale', () => {
  for (const taskId of ['fix', undefined]) {
    it(`is spent by the same call made anew: ${taskId === undefined ? 'the node names the task' : 'a named task'}`, async () => {
      const at = await stage()
      const { alice, bob, world } = at
      const id = await asked(at, alice, submit(taskId))
      await grant(at, alice, 'delegate.submit', 'deny')
      expect(await statusOf(at, alice, id)).to.equal('stale')
      expect(good(await yes(at, alice, id)).status).to.equal('stale')
      await grant(at, alice, 'delegate.submit', 'ask')
      expect(good(await say(at, alice, submit(taskId))).answer.status).to.equal('sent')
      expect(await statusOf(at, alice, id)).to.equal('used')
      await world.rest()
      expect(good(await world.do(bob.flows.agent.listEnvelopes(bob.agent, { limit: 9 }))).items.length).to.equal(1)
    })
  }

  it('is spent once: the same report again is a new question', async () => {
    const at = await stage()
    await working(at)
    const id = await asked(at, at.bob, REPORT)
    await grant(at, at.bob, 'delegate.report', 'deny')
    good(await yes(at, at.bob, id))
    await grant(at, at.bob, 'delegate.report', 'ask')
    expect(good(await say(at, at.bob, REPORT)).answer.status).to.equal('sent')
    good(await say(at, at.bob, { do: 'status', taskId: 'fix', state: 'working' }))
    expect(await asked(at, at.bob, REPORT)).to.not.equal(id)
  })
})

describe('a question about the text of a delegated task', () => {
  type Change = Parameters<OwnerDoor['changeContact']>[0]['action']
  const ENDS: ReadonlyArray<readonly [string, 'alice' | 'bob', Change]> = [
    ['removed', 'bob', 'remove'],
    ['blocked', 'bob', 'block'],
    ['removed by the other side', 'alice', 'remove']
  ]
  for (const [what, who, action] of ENDS) {
    it(`is stale once the contact is ${what}, and a yes seals nothing`, async () => {
      const at = await stage()
      await working(at)
      const id = await asked(at, at.bob, REPORT)
      const other = who === 'bob' ? at.alice : at.bob
      good(await at.world.do(at[who].flows.owner.changeContact({ contact: other.agent, action })))
      await at.world.rest()
      expect(await statusOf(at, at.bob, id)).to.equal('stale')
      const before = chainsAt(at.bob, at.alice)
      await yes(at, at.bob, id)
      await at.world.rest()
      expect(chainsAt(at.bob, at.alice)).to.equal(before)
    })
  }

  it('is stale once the task has ended', async () => {
    const at = await stage()
    await working(at)
    const id = await asked(at, at.bob, REPORT)
    good(await say(at, at.alice, { do: 'cancel', taskId: 'fix' }))
    await at.world.rest()
    expect(await statusOf(at, at.bob, id)).to.equal('stale')
  })

  it('is answered with the code of a contact that has ended', async () => {
    const at = await stage()
    await working(at)
    good(await at.world.do(at.bob.flows.owner.changeContact({ contact: at.alice.agent, action: 'block' })))
    expect(refusalOf(await say(at, at.bob, REPORT))).to.equal('conflict not_contact')
  })

  it('says what the work is for, before the other side has it and while it is done', async () => {
    const at = await stage()
    const submitted = await asked(at, at.alice, submit('fix'))
    const titleOf = async (node: Node, id: string): Promise<string | undefined> =>
      good(await at.world.do(node.flows.owner.approval(id))).title
    const objective = await titleOf(at.alice, submitted)
    expect(objective).to.be.a('string').and.not.equal('')
    good(await yes(at, at.alice, submitted))
    await at.world.rest()
    good(await say(at, at.bob, { do: 'claim', taskId: 'fix' }))
    await at.world.rest()
    expect(await titleOf(at.bob, await asked(at, at.bob, REPORT))).to.equal(objective)
  })

  it('leaves in the audit log under which approval its text went', async () => {
    const at = await stage()
    const id = await asked(at, at.alice, submit('fix'))
    good(await yes(at, at.alice, id))
    const log = good(await at.world.do(at.alice.flows.owner.audit({ limit: 50 }))).items
    const told = log.filter(({ what }) => what === 'envelope.submitted' || what === 'disclosure.sent')
    expect(told.map(({ under }) => under?.approvalId)).to.deep.equal([id, id])
  })
})
