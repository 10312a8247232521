import { useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import type { AgentEntry } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card } from '../../parts/basics.js'
import { Empty, Show } from '../../parts/states.js'
import { type Contact, nameOf } from '../../words/contacts.js'
import { OffersOf } from '../contacts/offers.js'

/** What the contacts of an agent offer. Each list is read when it is opened: there may be hundreds. */
export function ContactsOffers({ agent, alone }: { readonly agent: AgentEntry; readonly alone: boolean }) {
  const page = useAnswer('owner.contacts.list', ['contacts'], { query: { agent: agent.name } })
  return (
    <Card title={alone ? 'What contacts offer' : `What contacts of ${visible(agent.name)} offer`}>
      <Show of={page}>
        {({ items }) => {
          const active = items.filter(({ status }) => status === 'active')
          if (active.length === 0) {
            return (
              <Empty title="No active contact.">
                <p>Only contacts tell you of their offers.</p>
              </Empty>
            )
          }
          return active.map((contact) => (
            <OneContact key={contact.agent} contact={contact} first={active.length === 1} />
          ))
        }}
      </Show>
    </Card>
  )
}

function OneContact({ contact, first }: { readonly contact: Contact; readonly first: boolean }) {
  const [open, setOpen] = useState(first)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="moment-head">{nameOf(contact)}</summary>
      {open ? <OffersOf contact={contact} /> : null}
    </details>
  )
}
