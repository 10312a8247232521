import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { useDeed } from '../../client/use-deed.js'
import { Button, Card, Facts, Id, Note, StateBadge, Theirs, Time } from '../../parts/basics.js'
import { Dialog, FormEnd } from '../../parts/dialog.js'
import { Form, TextField } from '../../parts/form.js'
import { Page } from '../../parts/page.js'
import { Empty, Refused, Show } from '../../parts/states.js'
import { type Contact, STANDS, endedWords, nameOf, undeliveredWords } from '../../words/contacts.js'
import { ContactRules } from '../rules/contact-rules.js'
import { ContactDeeds } from './deeds.js'
import { ContactOffers } from './offers.js'

/** One contact: who it is, what it may learn, what it offers. */
export function ContactPage({ id }: { readonly id: string }) {
  const { agent } = useHere()
  const page = useAnswer('owner.contacts.list', ['contacts'], { query: { agent: agent.name } })
  const contact = page.state === 'ready' ? page.value.items.find((one) => one.agent === id) : undefined
  return (
    <Page
      title={contact === undefined ? 'Contact' : nameOf(contact)}
      up={{ href: '#/contacts', text: 'Contacts' }}
      aside={contact === undefined ? undefined : <StateBadge list="contact" state={contact.status} />}
    >
      <Show of={page}>
        {() =>
          contact === undefined ? (
            <Empty title={`Your agent ${agent.name} has no such contact.`}>
              <p>
                It was removed, or is a contact of another agent of yours. <a href="#/contacts">See the contacts</a>.
              </p>
            </Empty>
          ) : (
            <Known contact={contact} />
          )
        }
      </Show>
    </Page>
  )
}

function Known({ contact }: { readonly contact: Contact }) {
  const [renaming, setRenaming] = useState(false)
  return (
    <div class="stack">
      {contact.frozen === true ? (
        <Note tone="bad">
          <p>
            It signed two different messages under one number, which no sound node does. Nothing of it is taken until
            you decide.
          </p>
        </Note>
      ) : null}
      <Card title="Who it is" aside={<Button onClick={() => setRenaming(true)}>Rename</Button>}>
        <Facts
          rows={[
            ['Calls itself', <Theirs key="handle">{contact.handle}</Theirs>],
            ['Agent id', <Id key="id">{contact.agent}</Id>],
            [STANDS[contact.status], <Time key="since" at={contact.since} />],
            ['Why it ended', contact.reason === undefined ? undefined : endedWords(contact.reason)],
            ['Messages to it', contact.status === 'requested' ? undefined : undeliveredWords(contact.undelivered)],
            ['Node id', contact.peerId === undefined ? undefined : <Id key="node">{contact.peerId}</Id>],
            [
              'Node’s addresses',
              contact.addrs === undefined ? undefined : <Addresses key="addrs" addrs={contact.addrs} />
            ]
          ]}
        />
        <div class="deeds">
          <ContactDeeds contact={contact} />
        </div>
      </Card>
      <ContactRules contact={contact} />
      {contact.status === 'active' ? <ContactOffers contact={contact} /> : null}
      {renaming ? <Rename contact={contact} onClose={() => setRenaming(false)} /> : null}
    </div>
  )
}

function Addresses({ addrs }: { readonly addrs: readonly string[] }) {
  return (
    <ul class="plain-list">
      {addrs.map((addr) => (
        <li key={addr}>
          <Id>{addr}</Id>
        </li>
      ))}
    </ul>
  )
}

function Rename({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const { agent } = useHere()
  const deed = useDeed()
  const [alias, setAlias] = useState(contact.alias ?? '')

  async function rename(): Promise<void> {
    const input = { params: { contact: contact.agent }, body: { agent: agent.name, alias: alias.trim() } }
    if ((await deed.run('owner.contacts.rename', input)).ok) onClose()
  }

  return (
    <Dialog title="Your own name for it" onClose={onClose}>
      <Form onSubmit={() => void rename()}>
        {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        <TextField
          label="Name"
          hint="@ and small letters, such as @carol. Nobody else sees it."
          required
          value={alias}
          onInput={setAlias}
        />
        <FormEnd yes="Rename" busy={deed.busy} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
