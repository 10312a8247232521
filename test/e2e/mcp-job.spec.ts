import { expect } from 'chai'
import { temporaryHomes } from '../support/homes.js'
import { endAll, until } from './agentlink.js'
import { type Daemon, befriend } from './daemon.js'
import { BRIEF, PATIENCE_MS, SUN, hireable, localChain, offered } from './hired.js'
import { type McpAgent, mcpAgent } from './mcp-agent.js'

interface Task {
  readonly taskUid: string
  readonly status: string
  readonly proposals: readonly { readonly proposalId: string }[]
  readonly delivery: { readonly state: string }
}
interface Offers {
  readonly items: readonly { readonly offerId: string }[]
}

describe('a paid job through MCP alone', function () {
  this.timeout(120_000)
  const homes = temporaryHomes()
  const agents: McpAgent[] = []
  let alice: Daemon
  let bob: Daemon
  before(async () => {
    const url = await localChain()
    ;[alice, bob] = await Promise.all([hireable(homes.make(), '@alice', url), hireable(homes.make(), '@bob', url)])
    await befriend(alice, bob)
    await offered(bob)
  })
  after(async () => {
    await Promise.all(agents.map((agent) => agent.close()))
    await endAll()
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
  })

  it('is found among offers, quoted, agreed, paid on the owner’s one yes, delivered and completed', async () => {
    const a = await mcpAgent(alice.home, 'v2')
    const b = await mcpAgent(bob.home, 'v1')
    agents.push(a, b)
    const { items } = await until(
      () => a.ask<Offers>('agentlink_contact_offers', { contact: '@bob' }),
      (offers) => offers.items.length === 1
    )
    const plan = { ...BRIEF, offerId: items[0]?.offerId }
    const ask = { type: 'job.request', participant: '@bob', proposal: plan }
    const { taskUid } = (await a.ask<{ task: Task }>('agentlink_create_task', ask)).task
    const seenBy = async (agent: McpAgent, passes: (task: Task) => boolean): Promise<Task> => {
      const look = async (): Promise<Task | undefined> => {
        const { structured } = await agent.call('agentlink_task_status', { taskUid })
        return (structured['remote'] as { task?: Task }).task
      }
      return (await until(look, (task) => task !== undefined && passes(task), PATIENCE_MS)) as Task
    }
    const isAt = (status: string) => (task: Task) => task.status === status

    await seenBy(b, isAt('open'))
    await b.ask('agentlink_propose', { taskUid, proposal: plan })
    const quoted = await seenBy(a, ({ proposals }) => proposals.length === 2)
    const proposalId = quoted.proposals[1]?.proposalId
    await a.ask('agentlink_respond', { taskUid, proposalId, decision: 'accept' })
    await seenBy(b, isAt('agreed'))
    await seenBy(a, ({ delivery }) => delivery.state === 'delivered')
    const early = await b.call('agentlink_deliver', { taskUid, artifacts: [SUN] })
    expect(early.structured['error']).to.deep.equal({ code: 'conflict', rule: 'illegal_transition' })

    const { structured } = await a.call('agentlink_pay', { taskUid })
    expect(structured['advice']).to.include('your node does it by itself: do not send it again')
    const { approvalId } = structured['remote'] as { approvalId: string }
    expect(await a.ask('agentlink_approvals')).to.have.nested.property('items[0].approvalId', approvalId)
    await alice.owner('POST', `approvals/${approvalId}`, { decision: 'approve' })
    await seenBy(b, isAt('paid'))
    await b.ask('agentlink_deliver', { taskUid, artifacts: [SUN], summary: 'Eight rays' })
    await seenBy(a, isAt('delivered'))
    await a.ask('agentlink_complete', { taskUid })
    await seenBy(b, isAt('completed'))
  })
})
