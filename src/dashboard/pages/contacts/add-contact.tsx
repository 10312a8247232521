import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Dialog, FormEnd } from '../../parts/dialog.js'
import { Form, LongTextField, TextField } from '../../parts/form.js'
import { Refused } from '../../parts/states.js'
import { nameOf } from '../../words/contacts.js'

/** Asks the agent of a link to become a contact. */
export function AddContact({ onClose }: { readonly onClose: () => void }) {
  const { agent, say } = useHere()
  const deed = useDeed()
  const [link, setLink] = useState('')
  const [alias, setAlias] = useState('')

  async function add(): Promise<void> {
    const name = alias.trim() === '' ? {} : { alias: alias.trim() }
    const answer = await deed.run('owner.contacts.add', { body: { agent: agent.name, link: link.trim(), ...name } })
    if (!answer.ok) return
    say(`${nameOf(answer.value.contact)} was asked to become your contact.`)
    onClose()
  }

  return (
    <Dialog title="Add by link" onClose={onClose}>
      <Form onSubmit={() => void add()}>
        {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        <LongTextField
          label="Link"
          hint="It begins with agentlink:al1. Paste it whole."
          rows={4}
          required
          value={link}
          onInput={setLink}
        />
        <TextField
          label="Your own name for it"
          hint="Optional: @ and small letters, such as @carol. Nobody else sees it."
          value={alias}
          onInput={setAlias}
        />
        <FormEnd yes="Add" busy={deed.busy} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
