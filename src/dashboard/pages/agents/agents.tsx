import { useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import { type AgentEntry, useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Button, Card, Facts, Id } from '../../parts/basics.js'
import { CopyId } from '../../parts/copy.js'
import { Page } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { placesOf } from '../../words/agents.js'
import { AddAgent } from './add-agent.js'
import { Connect } from './connect.js'
import { AgentDeeds } from './deeds.js'
import { Ledger } from './ledger.js'

/** The owner's agents: their keys to this node, how programs connect to them, and their tools. */
export function Agents() {
  const { agents, agent: picked } = useHere()
  const settings = useAnswer('owner.settings.list', [])
  const [adding, setAdding] = useState(false)
  return (
    <Page
      title="Agents"
      lead="Each has its own key, contacts and rules. A program of yours acts as an agent by the token in the agent’s file; no page shows a token."
      aside={
        <Button kind="main" onClick={() => setAdding(true)}>
          Add an agent
        </Button>
      }
    >
      <Show of={settings}>
        {({ node }) => (
          <div class="stack">
            {agents.map((agent) => (
              <AgentCard
                key={agent.agent}
                agent={agent}
                home={node.home}
                picked={agent.agent === picked.agent && agents.length > 1}
              />
            ))}
          </div>
        )}
      </Show>
      {adding ? <AddAgent onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

interface AgentCardProps {
  readonly agent: AgentEntry
  readonly home: string
  readonly picked: boolean
}

function AgentCard({ agent, home, picked }: AgentCardProps) {
  const name = visible(agent.name)
  const places = placesOf(home, agent.name)
  return (
    <Card title={name} aside={picked ? <Badge tone="good">Shown on these pages</Badge> : undefined}>
      <Facts
        rows={[
          ['Handle', visible(agent.handle)],
          ['Agent id', <Id key="id">{agent.agent}</Id>],
          ['Token file', <CopyId key="token" label={`path of the token file of ${name}`} text={places.token} />],
          ['Socket', <CopyId key="socket" label={`path of the socket of ${name}`} text={places.socket} />]
        ]}
      />
      <AgentDeeds agent={agent} />
      <Connect name={name} places={places} />
      <Ledger agent={agent} />
    </Card>
  )
}
