import { expect } from 'chai'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentTools } from '../../src/api/tools.js'
import { endAll, until } from './agentlink.js'
import { Daemon, befriend } from './daemon.js'
import { type McpAgent, type ToolAnswer, mcpAgent } from './mcp-agent.js'
import { checkTranscript, noting } from './mcp-transcript.js'

interface Proposal {
  readonly proposalId: string
  readonly version: number
  readonly status: string
  readonly by: string
}
interface Task {
  readonly taskUid: string
  readonly status: string
  readonly agreedProposalId?: string
  readonly proposals: readonly Proposal[]
}
interface Inbox {
  readonly items: readonly { readonly kind: string; readonly taskUid: string; readonly content: object }[]
  readonly next: number
}

const DINNER = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', cuisine: 'Italian', partySize: 2 }
const COUNTER = { ...DINNER, time: '19:45', dietaryNotes: ['vegetarian'], venue: { name: 'Trattoria Nonna' } }

describe('a dinner through MCP alone', function () {
  this.timeout(90_000)
  let root: string
  let alice: Daemon
  let bob: Daemon
  const agents: McpAgent[] = []
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'al-mcp-'))
    alice = await Daemon.make(join(root, 'a'), '@alice')
    bob = await Daemon.make(join(root, 'b'), '@bob')
    await befriend(alice, bob)
  })
  after(async () => {
    await Promise.all(agents.map((agent) => agent.close()))
    await endAll()
    rmSync(root, { recursive: true, force: true })
  })
  async function agentOf(daemon: Daemon, era: Parameters<typeof mcpAgent>[1]): Promise<McpAgent> {
    const agent = await mcpAgent(daemon.home, era)
    agents.push(agent)
    return agent
  }

  it('is agreed, asks its owner once, and reads as it always did', async () => {
    const a = await agentOf(alice, 'v2')
    const b = await agentOf(bob, 'v1')
    const log: string[] = []
    const say = noting(log)
    for (const agent of [a, b]) {
      expect((await agent.tools()).map((tool) => tool.name)).to.have.members(agentTools().map((tool) => tool.name))
      expect(agent.instructions).to.include('agentlink_create_task')
    }
    await alice.owner('PUT', 'grants', { contact: bob.run.agent, capability: 'disclose.dietary', effect: 'deny' })
    await alice.owner('PUT', 'grants', { contact: bob.run.agent, capability: 'disclose.budget', effect: 'ask' })

    await say('alice', a, 'agentlink_contacts')
    // What these two list grows with the product; the transcript is of the negotiation.
    const types = await a.ask<{ items: { name: string }[] }>('agentlink_task_types')
    expect(types.items.map((type) => type.name)).to.include('dinner.coordination')
    const rights = await a.ask<{ items: object[] }>('agentlink_capabilities', { participant: '@bob' })
    expect(rights.items).to.deep.include({
      capability: 'disclose.dietary',
      effect: 'deny',
      because: { contact: bob.run.agent, capability: 'disclose.dietary' }
    })
    const create = { type: 'dinner.coordination', participant: '@bob', title: 'Dinner', expiresInHours: 48 }
    await say('alice', a, 'agentlink_create_task', {
      ...create,
      proposal: { ...DINNER, dietaryNotes: ['no shellfish'] }
    })
    await say('alice', a, 'agentlink_create_task', { ...create, proposal: { ...DINNER, homeAddress: 'x' } })
    const { task } = await say<{ task: Task }>('alice', a, 'agentlink_create_task', { ...create, proposal: DINNER })

    const { taskUid } = task
    await until(
      () => b.ask<Inbox>('agent_inbox', { after: 0, wait: 10 }),
      (inbox) => inbox.items.some((item) => item.taskUid === taskUid)
    )
    await say('bob', b, 'agent_counters')
    const seen = await say<Inbox>('bob', b, 'agent_inbox', { after: 1 })
    await say('bob', b, 'agentlink_propose', { taskUid, proposal: COUNTER })
    await say('bob', b, 'agent_inbox_ack', { upTo: seen.next })

    await until(
      () => a.ask<{ task: Task }>('agentlink_task_status', { taskUid }),
      (read) => read.task.proposals.length === 2
    )
    // Alice would rather say what she wants to spend: that waits for her owner, and she takes Bob's plan meanwhile.
    const asked = await say<{ approvalId: string }>('alice', a, 'agentlink_propose', {
      taskUid,
      proposal: { ...DINNER, budgetPerPerson: 40 }
    })
    const { approvalId } = asked
    await say('alice', a, 'agentlink_approval', { approvalId })
    const read = await say<{ task: Task }>('alice', a, 'agentlink_task_status', { taskUid })
    const pending = read.task.proposals.find((proposal) => proposal.status === 'pending') as Proposal
    await say('alice', a, 'agentlink_respond', { taskUid, proposalId: pending.proposalId, decision: 'accept' })
    await say('alice', a, 'agentlink_respond', { taskUid, proposalId: pending.proposalId, decision: 'reject' })
    await until(
      () => b.ask<{ task: Task }>('agentlink_task_status', { taskUid }),
      (end) => end.task.status === 'agreed'
    )
    const end = await say<{ task: Task }>('bob', b, 'agentlink_task_status', { taskUid })
    expect(end.task.agreedProposalId).to.equal(pending.proposalId)
    checkTranscript('dinner', log)
  })

  it('goes through a client that speaks the protocol of 2026 only', async () => {
    const agent = await agentOf(alice, 'v2 of 2026')
    expect((await agent.tools()).length).to.equal(agentTools().length)
    const { items } = await agent.ask<{ items: { status: string }[] }>('agentlink_contacts')
    expect(items.map((contact) => contact.status)).to.deep.equal(['active'])
  })

  it('refuses wrong arguments of every tool with the code and the member', async () => {
    const agent = await agentOf(alice, 'v2')
    for (const { name, places } of agentTools()) {
      const fills = Object.entries(places).flatMap(([member, place]) => (place === 'params' ? [[member, 'x']] : []))
      const params = Object.fromEntries(fills) as Record<string, string>
      const odd = await agent.call(name, { ...params, nonesuch: 1 })
      expect(errorOf(odd), name).to.deep.include({ code: 'bad_request', rule: 'unknown_member', field: 'nonesuch' })
      for (const param of Object.keys(params)) {
        const { [param]: _gone, ...rest } = params
        const missing = errorOf(await agent.call(name, rest))
        expect(missing, name).to.deep.include({ code: 'bad_request', rule: 'missing_field', field: param })
        for (const wrong of ['', 7, null, ['x'], { x: 1 }, '\ud800']) {
          const answer = errorOf(await agent.call(name, { ...params, [param]: wrong }))
          expect(answer, name).to.deep.include({ code: 'bad_request', rule: 'invalid_field', field: param })
        }
      }
      for (const member of Object.keys(places).filter((each) => places[each] !== 'params')) {
        for (const wrong of [{ none: { sense: [] } }, [[]], '\u0000'.repeat(300)]) {
          const answer = await agent.call(name, { ...params, [member]: wrong })
          expect(answer.isError, `${name} ${member}`).to.equal(true)
          // A proposal may hold anything; what it is for is not there.
          expect(errorOf(answer)['code'], `${name} ${member}`).to.be.oneOf(['bad_request', 'not_found'])
        }
      }
    }
    expect(agent.complaints()).to.equal('')
  })

  it('names the member of a wrong body as the node does', async () => {
    const agent = await agentOf(alice, 'v1')
    const answer = await agent.call('agentlink_create_task', { type: 'dinner.coordination', participant: '@bob' })
    expect(answer.structured).to.have.nested.property('error.rule', 'missing_field')
    expect(answer.structured).to.have.nested.property('remote.error.details.field', 'proposal')
    const long = await agent.call('agent_inbox', { wait: 26 })
    expect(errorOf(long)).to.deep.include({ code: 'bad_request', rule: 'invalid_field', field: 'wait' })
    const big = { ...DINNER, notes: 'x'.repeat(64 * 1024) }
    const refused = await agent.call('agentlink_create_task', {
      type: 'dinner.coordination',
      participant: '@bob',
      proposal: big
    })
    expect(errorOf(refused)).to.deep.equal({ code: 'bad_request', rule: 'invalid_field' })
  })

  it('says that the node is down, and goes on when it is back', async () => {
    const agent = await agentOf(bob, 'v2')
    expect((await agent.call('agent_counters')).isError).to.equal(false)
    await bob.kill('SIGTERM')
    const down = await agent.call('agent_counters')
    expect(errorOf(down)['code']).to.equal('unavailable')
    expect(down.structured['advice']).to.include('Tell your owner')
    await bob.start()
    expect((await agent.call('agent_counters')).isError).to.equal(false)
  })
})

function errorOf(answer: ToolAnswer): Record<string, unknown> {
  return (answer.structured['error'] ?? {}) as Record<string, unknown>
}
