import { expect } from 'chai'
import fc from 'fast-check'
import type { AgentId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { type Node, type World, befriend, createWorld, dinner, friends, good, openUp, refusalOf } from './pair.js'

const HOUR = 3_600_000
const FEW = { tasks: 3, tasksPerContact: 2, envelopes: 2 }
const MANY = { tasks: 100, tasksPerContact: 100, envelopes: 100 }
const FULL = 'rate_limited too_many_tasks'

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

/** Two friends of which alice may have little under way, and bob much. */
async function stage(flows: Partial<{ readonly openApprovals: number }> = {}): Promise<Stage> {
  const at = await friends({ flows: { ...flows, quotas: MANY } })
  await at.alice.stop()
  await at.alice.start({ flows: { ...flows, quotas: FEW } })
  await at.world.rest(5_000)
  return at
}

function create({ world }: Pick<Stage, 'world'>, from: Node, to: Node, more: JsonObject = {}) {
  const command = { type: 'dinner.coordination', participant: to.agent, proposal: dinner(), ...more }
  return world.do(from.flows.agent.createTask(from.agent, command))
}

async function begun(at: Stage, from: Node, to: Node, more: JsonObject = {}): Promise<string> {
  const { answer } = good(await create(at, from, to, more))
  if (answer.status !== 'sent') throw new Error('asked')
  await at.world.rest()
  return answer.task.taskUid
}

async function accept({ world }: Stage, node: Node, uid: string): Promise<void> {
  const task = good(await world.do(node.flows.agent.getTask(node.agent, uid)))
  const proposalId = task.proposals.at(-1)?.proposalId ?? ''
  good(await world.do(node.flows.agent.respond(node.agent, uid, { proposalId, decision: 'accept' })))
  await world.rest()
}

/** What the node counts of itself and one contact: `all own theirs`. */
function counted(node: Node, other: Node): string {
  const open = node.store.get('open', `${node.agent}/${other.agent}`)
  const all = node.store.get('desks', node.agent)?.tasksBegun ?? 0
  return `${all} ${open?.tasks ?? 0} ${open?.tasksOfPeer ?? 0}`
}

describe('what an agent may have under way', () => {
  it('is so many open tasks with one contact; nothing is stored of one more', async () => {
    const at = await stage()
    for (let n = 0; n < 2; n++) await begun(at, at.alice, at.bob)
    const before = at.alice.backup()
    expect(refusalOf(await create(at, at.alice, at.bob))).to.equal(FULL)
    expect(at.alice.backup()).to.deep.equal(before)
    expect(counted(at.alice, at.bob)).to.equal('2 2 0')
  })

  const ends: [string, (at: Stage, uid: string) => Promise<unknown>][] = [
    ['the other side accepts', (at, uid) => accept(at, at.bob, uid)],
    ['the agent itself cancels', (at, uid) => at.world.do(at.alice.flows.agent.cancel(at.alice.agent, uid, {}))],
    ['the other side cancels', (at, uid) => at.world.do(at.bob.flows.agent.cancel(at.bob.agent, uid, {}))],
    ['it expires', (at) => at.world.rest(2 * HOUR)]
  ]
  for (const [what, end] of ends) {
    it(`has room again when ${what}`, async () => {
      const at = await stage()
      const first = await begun(at, at.alice, at.bob, { expiresInHours: 1 })
      await begun(at, at.alice, at.bob)
      await end(at, first)
      await at.world.rest()
      expect(counted(at.alice, at.bob)).to.equal('1 1 0')
      await begun(at, at.alice, at.bob)
      expect(refusalOf(await create(at, at.alice, at.bob))).to.equal(FULL)
    })
  }

  it('counts a task that was rejected, and proposals make it no more', async () => {
    const at = await stage()
    const uid = await begun(at, at.alice, at.bob)
    const task = good(await at.world.do(at.bob.flows.agent.getTask(at.bob.agent, uid)))
    const answer = { proposalId: task.proposals[0]?.proposalId ?? '', decision: 'reject' } as const
    good(await at.world.do(at.bob.flows.agent.respond(at.bob.agent, uid, answer)))
    await at.world.rest()
    good(await at.world.do(at.alice.flows.agent.propose(at.alice.agent, uid, { proposal: dinner({ partySize: 4 }) })))
    await at.world.rest()
    expect([counted(at.alice, at.bob), counted(at.bob, at.alice)]).to.deep.equal(['1 1 0', '0 0 1'])
  })

  it('is so many with all contacts together', async () => {
    const at = await stage()
    const carol = await at.world.node('carol')
    await befriend(at.world, at.alice, carol)
    for (const to of [at.bob, carol, carol]) await begun(at, at.alice, to)
    expect(refusalOf(await create(at, at.alice, at.bob))).to.equal(FULL)
    expect(counted(at.alice, carol)).to.equal('3 2 0')
  })

  it('is looked at again when the owner says yes: a question for one too many ends without a task', async () => {
    const at = await stage()
    const ask = { contact: '*', capability: 'disclose.availability', effect: 'ask' } as const
    good(await at.world.do(at.alice.flows.owner.setGrant(ask)))
    const asked = good(await create(at, at.alice, at.bob)).answer
    if (asked.status !== 'pending_approval') throw new Error('not asked')
    good(await at.world.do(at.alice.flows.owner.setGrant({ ...ask, effect: 'allow' })))
    for (const partySize of [5, 6]) await begun(at, at.alice, at.bob, { proposal: dinner({ partySize }) })
    const yes = { decision: 'approve', scope: 'once' } as const
    const answered = good(await at.world.do(at.alice.flows.owner.answerApproval(asked.approvalId, yes)))
    expect(answered.status).to.equal('stale')
    expect(counted(at.alice, at.bob)).to.equal('2 2 0')
  })

  it('is so many task envelopes', async () => {
    const at = await stage()
    good(
      await at.world.do(at.alice.flows.owner.setGrant({ contact: '*', capability: 'delegate.submit', effect: 'allow' }))
    )
    const submit = (taskId: string) =>
      at.world.do(
        at.alice.flows.agent.envelope(at.alice.agent, {
          do: 'submit',
          recipient: '@bob',
          taskId,
          envelope: {
            objective: 'Make it pass',
            outputFormat: 'A file',
            toolAndSourceGuidance: 'The folder',
            boundaries: 'Nothing else',
            filesAndInterfaces: [`src/${taskId}`],
            acceptanceCheck: { passFailCommand: 'true', endToEndVerification: 'Run it' },
            contextID: 'repo'
          }
        })
      )
    for (const taskId of ['a', 'b']) good(await submit(taskId))
    expect(refusalOf(await submit('c'))).to.equal('rate_limited too_many_envelopes')
    good(await at.world.do(at.alice.flows.agent.envelope(at.alice.agent, { do: 'cancel', taskId: 'a' })))
    good(await submit('c'))
    await at.world.rest()
    expect(refusalOf(await submit('d'))).to.equal('rate_limited too_many_envelopes')
  })
})

describe('what a contact may begin with our agent', () => {
  it('is so many open tasks; one more is refused by a signed code, and its agent may try again later', async () => {
    const at = await stage()
    const first = await begun(at, at.bob, at.alice)
    await begun(at, at.bob, at.alice)
    const third = await begun(at, at.bob, at.alice)
    const seen = good(await at.world.do(at.bob.flows.agent.getTask(at.bob.agent, third)))
    expect([seen.status, seen.statusReason]).to.deep.equal(['cancelled', 'too_many_tasks'])
    expect(refusalOf(await at.world.do(at.alice.flows.agent.getTask(at.alice.agent, third)))).to.equal(
      'not_found taskUid'
    )
    expect([counted(at.alice, at.bob), counted(at.bob, at.alice)]).to.deep.equal(['0 0 2', '2 2 0'])
    await accept(at, at.alice, first)
    const fourth = await begun(at, at.bob, at.alice)
    expect(good(await at.world.do(at.alice.flows.agent.getTask(at.alice.agent, fourth))).status).to.equal('open')
  })

  it('leaves what our agent may begin with it as it was', async () => {
    const at = await stage()
    for (let n = 0; n < 3; n++) await begun(at, at.bob, at.alice)
    await begun(at, at.alice, at.bob)
    expect(counted(at.alice, at.bob)).to.equal('1 1 2')
  })
})

describe('the counts of what is under way', () => {
  /** The same counts, from the tasks themselves. */
  async function recounted({ world }: Stage, node: Node): Promise<string> {
    const { items } = good(await world.do(node.flows.agent.listTasks(node.agent, { limit: 200 })))
    const open = items.filter(
      ({ status, cancelRequested }) => cancelRequested !== true && (status === 'open' || status === 'negotiating')
    )
    const own = open.filter(({ role }) => role === 'inviter').length
    return `${own} ${own} ${open.length - own}`
  }

  const deed = fc.record({
    who: fc.constantFrom('alice', 'bob'),
    what: fc.constantFrom('create', 'create', 'accept', 'reject', 'propose', 'cancel', 'pass'),
    at: fc.nat(5),
    crash: fc.boolean()
  })

  it('are those of the tasks, whatever both sides do and when either process dies', async function () {
    this.timeout(60_000)
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 14 }), async (deeds) => {
        const world = createWorld()
        const [alice, bob] = [await world.node('alice'), await world.node('bob')]
        await befriend(world, alice, bob)
        await openUp(world, alice, bob)
        const at: Stage = { world, alice, bob }
        const uids: string[] = []
        for (const { who, what, at: index, crash } of deeds) {
          const [node, other] = who === 'alice' ? [alice, bob] : [bob, alice]
          const uid = uids[index % Math.max(1, uids.length)] ?? ''
          if (what === 'create') {
            const made = good(await create(at, node, other, { expiresInHours: 1 + (index % 3) })).answer
            if (made.status === 'sent') uids.push(made.task.taskUid)
          } else if (what === 'pass') await world.rest(HOUR)
          else await write(at, node, uid, what)
          if (crash) {
            node.crash()
            await node.start()
          }
          if (index % 2 === 0) await world.rest()
        }
        await world.rest(10_000)
        for (const [node, other] of [
          [alice, bob],
          [bob, alice]
        ] as const) {
          expect(counted(node, other), JSON.stringify(deeds)).to.equal(await recounted(at, node))
        }
      }),
      { numRuns: 25 }
    )
  })

  async function write(
    { world }: Stage,
    { flows, agent }: { readonly flows: Node['flows']; readonly agent: AgentId },
    uid: string,
    what: 'accept' | 'reject' | 'propose' | 'cancel'
  ): Promise<void> {
    if (what === 'cancel') return void (await world.do(flows.agent.cancel(agent, uid, {})))
    if (what === 'propose') return void (await world.do(flows.agent.propose(agent, uid, { proposal: dinner() })))
    const task = await world.do(flows.agent.getTask(agent, uid))
    const proposalId = task.ok ? (task.value.proposals.at(-1)?.proposalId ?? '') : ''
    await world.do(flows.agent.respond(agent, uid, { proposalId, decision: what }))
  }
})
