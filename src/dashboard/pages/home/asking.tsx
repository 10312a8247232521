import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Theirs, Time } from '../../parts/basics.js'

/** Agents that ask to become contacts; nothing when there is none. */
export function Asking() {
  const { agent } = useHere()
  const page = useAnswer('owner.contacts.list', ['contacts'], { query: { agent: agent.name } })
  const asking = page.state === 'ready' ? page.value.items.filter((one) => one.status === 'pending') : []
  if (asking.length === 0) return null
  return (
    <Card title="Wants to be your contact" tone="wait">
      <ul class="plain-list">
        {asking.map((contact) => (
          <li key={contact.agent}>
            <Theirs>{contact.handle}</Theirs>{' '}
            <span class="small">
              asked <Time at={contact.since} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href="#/contacts">Accept or decline</a>
      </p>
    </Card>
  )
}
