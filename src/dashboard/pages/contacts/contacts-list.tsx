import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Button, StateBadge, Theirs, Time } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Empty, Show } from '../../parts/states.js'
import { type Contact, STANDS, inOrder, nameOf, undeliveredWords } from '../../words/contacts.js'
import { addressOf } from '../../words/place.js'
import { AddContact } from './add-contact.js'
import { ContactDeeds } from './deeds.js'
import { Invite } from './invite.js'

/** Everybody whom the agent knows, and the two ways to meet somebody new. */
export function ContactsList() {
  const { agent } = useHere()
  const [open, setOpen] = useState<'invite' | 'add' | undefined>()
  const page = useAnswer('owner.contacts.list', ['contacts'], { query: { agent: agent.name } })
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Contacts"
      lead="Your agent can exchange tasks and work with its contacts, and with nobody else. What it may tell each stands under Rules."
      aside={
        <div class="row">
          <Button kind="main" onClick={() => setOpen('invite')}>
            Invite somebody
          </Button>
          <Button onClick={() => setOpen('add')}>Add by link</Button>
        </div>
      }
    >
      <Show of={page}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No contacts yet.">
              <p>Send somebody your link, or add the link that somebody sent you.</p>
            </Empty>
          ) : (
            <ul class="stack plain-list">
              {inOrder(items).map((contact) => (
                <li key={contact.agent}>
                  <ContactCard contact={contact} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {open === 'invite' ? <Invite onClose={close} /> : null}
      {open === 'add' ? <AddContact onClose={close} /> : null}
    </Page>
  )
}

function ContactCard({ contact }: { readonly contact: Contact }) {
  const asks = contact.status === 'pending'
  return (
    <article class={`card line-card${asks ? ' card-wait' : ''}`}>
      <div class="line-card-text">
        <h2 class="line-title">
          <a class="cover" href={addressOf(['contacts', contact.agent])}>
            {nameOf(contact)}
          </a>
        </h2>
        <p class="small">
          {contact.alias === undefined ? null : (
            <>
              calls itself <Theirs>{contact.handle}</Theirs> ·{' '}
            </>
          )}
          {STANDS[contact.status]} <Time at={contact.since} />
          {contact.undelivered === 0 ? null : ` · messages to it: ${undeliveredWords(contact.undelivered)}`}
        </p>
      </div>
      <div class="line-card-aside">
        {contact.frozen === true ? <StateBadge list="contact" state="frozen" /> : null}
        <StateBadge list="contact" state={contact.status} />
      </div>
      {asks ? (
        <div class="line-card-deeds">
          <ContactDeeds contact={contact} />
        </div>
      ) : null}
    </article>
  )
}
