import { visible } from '../../../base/visible.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Facts, Id, Time } from '../../parts/basics.js'
import { Show } from '../../parts/states.js'
import { NODE_PARTS, headingOf } from '../../words/settings.js'

/** Which node this is. */
export function NodeCard({ version, home }: { readonly version: string; readonly home: string }) {
  const status = useAnswer('owner.status.read', ['agents'])
  const health = useAnswer('owner.health.read', [])
  const startedAt = health.state === 'ready' ? health.value.health.startedAt : undefined
  return (
    <Card title={NODE_PARTS.node.title} id={headingOf(NODE_PARTS.node.part)}>
      <Show of={status}>
        {({ peerId, addrs, agents }) => (
          <Facts
            rows={[
              ['Version', version],
              ['Started', startedAt === undefined ? undefined : <Time key="at" at={startedAt} />],
              ['Home', <Id key="home">{home}</Id>],
              ['Agents', agents.map(({ name, handle }) => `${visible(name)} (${visible(handle)})`).join(', ')],
              ['Node id', <Id key="peer">{peerId}</Id>],
              ['Listens at', addrs.length === 0 ? 'none' : addrs.map((addr) => <Line key={addr} text={addr} />)]
            ]}
          />
        )}
      </Show>
    </Card>
  )
}

function Line({ text }: { readonly text: string }) {
  return (
    <p>
      <Id>{text}</Id>
    </p>
  )
}
