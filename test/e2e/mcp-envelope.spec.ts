import { expect } from 'chai'
import { until } from './agentlink.js'
import { Daemon, befriend } from './daemon.js'
import { EVIDENCE, contractIn } from './delegated.js'
import { type McpAgent, mcpAgent } from './mcp-agent.js'
import { checkTranscript, noting } from './mcp-transcript.js'
import { temporaryHomes } from '../support/homes.js'

interface Envelope {
  readonly taskId: string
  readonly state: string
  readonly proof: string
  readonly questions: readonly { readonly answer?: object }[]
}
interface Inbox {
  readonly items: readonly { readonly kind: string }[]
}

const FAILED = { ...EVIDENCE, exitStatus: 1 }
const ARTIFACT = {
  name: 'sum.js',
  location: 'https://example.org/sum.js',
  mediaType: 'text/javascript',
  size: EVIDENCE.output.bytes,
  sha256: EVIDENCE.output.sha256
}

describe('a delegation through MCP alone', function () {
  this.timeout(90_000)
  const homes = temporaryHomes()
  const agents: McpAgent[] = []
  let alice: Daemon
  let bob: Daemon
  before(async () => {
    alice = await Daemon.make(homes.make(), '@alice')
    bob = await Daemon.make(homes.make(), '@bob')
    await befriend(alice, bob)
    const allow = (node: Daemon, capability: string) =>
      node.owner('PUT', 'grants', { contact: '*', capability, effect: 'allow' })
    await allow(bob, 'delegate.report')
    await bob.owner('PUT', 'ledger', { tools: ['shell'] })
  })
  after(async () => {
    await Promise.all(agents.map((agent) => agent.close()))
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
  })

  async function agentOf(node: Daemon, era: Parameters<typeof mcpAgent>[1]): Promise<McpAgent> {
    const agent = await mcpAgent(node.home, era)
    agents.push(agent)
    return agent
  }

  it('is submitted on its owner\u2019s word, claimed, asked about, proved, completed and run again, and reads as it always did', async () => {
    const a = await agentOf(alice, 'v1')
    const b = await agentOf(bob, 'v2')
    const log: string[] = []
    const say = noting(log)
    const taskId = 'mend-sum'
    const inState = (agent: McpAgent, passes: (envelope: Envelope) => boolean): Promise<unknown> =>
      until(
        () => agent.ask<{ items: Envelope[] }>('agent_list_tasks'),
        ({ items }) => items.some((one) => one.taskId === taskId && passes(one))
      )
    const contract = { ...contractIn('shop'), toolsAllowed: ['shell', 'browser'] }
    for (const agent of [a, b])
      expect(agent.instructions).to.include('agent_submit_task').and.include('agent_claim_task')

    await say('alice', a, 'agent_submit_task', { recipient: '@bob', taskId, envelope: { contextID: 'shop' } })
    const submit = { recipient: '@bob', taskId, expiresInHours: 48, envelope: contract }
    const { approvalId } = await say<{ approvalId: string }>('alice', a, 'agent_submit_task', submit)
    await alice.owner('POST', `approvals/${approvalId}`, { decision: 'approve', scope: 'contact' })
    await say('alice', a, 'agentlink_approval', { approvalId })

    await inState(b, ({ state }) => state === 'submitted')
    await say('bob', b, 'agent_counters')
    await say('bob', b, 'agent_inbox', { after: 1 })
    await say('bob', b, 'agent_claim_task', { taskId })
    await say('bob', b, 'agent_claim_task', { taskId })
    await say('bob', b, 'agent_owned')
    await say('bob', b, 'agent_task_status', {
      taskId,
      state: 'input_required',
      code: 'needs_decision',
      reason: 'Round up or down?'
    })
    await inState(a, ({ state }) => state === 'input_required')
    await say('alice', a, 'agent_counters')
    await say('alice', a, 'agent_answer', { taskId, text: 'Round up' })
    await inState(b, ({ questions }) => questions[0]?.answer !== undefined)
    await say('bob', b, 'agent_task_status', { taskId, state: 'working' })
    await say('bob', b, 'agent_complete_task', { taskId })
    await say('bob', b, 'agent_task_evidence', { taskId, evidence: FAILED })
    await say('bob', b, 'agent_complete_task', { taskId })
    await b.ask('agent_task_evidence', { taskId, evidence: EVIDENCE })
    await b.ask('agent_task_artifacts', { taskId, artifacts: [ARTIFACT] })
    await say('bob', b, 'agent_complete_task', { taskId, summary: 'A sign was wrong' })

    await inState(a, ({ state }) => state === 'completed')
    const inbox = await a.ask<Inbox>('agent_inbox', { after: 0 })
    expect(inbox.items.map(({ kind }) => kind).filter((kind) => kind.startsWith('envelope.'))).to.deep.equal([
      'envelope.claim',
      'envelope.status',
      'envelope.status',
      'envelope.result'
    ])
    const { endToEnd: _seen, verdictSource, ...run } = EVIDENCE
    await say('alice', a, 'agent_task_verdict', { taskId, passed: true, freshContext: true, verdictSource, run })
    await say('alice', a, 'agent_cancel_task', { taskId })
    await inState(b, ({ proof }) => proof === 'verified')
    await say('bob', b, 'agent_get_task', { taskId })
    checkTranscript('delegation', log)
  })
})
