import { useState } from 'preact/hooks'
import { type AgentEntry, useHere } from '../../client/here.js'
import { Badge, Button, Card, Facts, Id } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { visible } from '../../../base/visible.js'
import { AddAgent } from './add-agent.js'
import { AgentDeeds } from './deeds.js'
import { Ledger } from './ledger.js'

/** The owner's agents: their keys to this node, and their tools. */
export function Agents() {
  const { agents, agent: picked } = useHere()
  const [adding, setAdding] = useState(false)
  return (
    <Page
      title="Agents"
      lead="Each has its own key, contacts and rules. A program acts as one by the token in its file; no page shows a token."
      aside={
        <Button kind="main" onClick={() => setAdding(true)}>
          Add an agent
        </Button>
      }
    >
      <div class="stack">
        {agents.map((agent) => (
          <AgentCard key={agent.agent} agent={agent} picked={agent.agent === picked.agent && agents.length > 1} />
        ))}
      </div>
      {adding ? <AddAgent onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

function AgentCard({ agent, picked }: { readonly agent: AgentEntry; readonly picked: boolean }) {
  return (
    <Card title={visible(agent.name)} aside={picked ? <Badge tone="good">Shown on these pages</Badge> : undefined}>
      <Facts
        rows={[
          ['Calls itself', visible(agent.handle)],
          ['Agent', <Id key="id">{agent.agent}</Id>],
          ['Its token', <code key="token">agents/{visible(agent.name)}/token</code>],
          ['Its socket', <code key="socket">agents/{visible(agent.name)}/agent.sock</code>]
        ]}
      />
      <AgentDeeds agent={agent} />
      <Ledger agent={agent} />
    </Card>
  )
}
