import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Dialog, FormEnd } from '../../parts/dialog.js'
import { Form, TextField } from '../../parts/form.js'
import { Refused } from '../../parts/states.js'

/** One more agent, with a key of its own. */
export function AddAgent({ onClose }: { readonly onClose: () => void }) {
  const { say } = useHere()
  const deed = useDeed()
  const [name, setName] = useState('')
  const [handle, setHandle] = useState('')

  async function add(): Promise<void> {
    const body = { name: name.trim(), ...(handle.trim() === '' ? {} : { handle: handle.trim() }) }
    if (!(await deed.run('owner.agents.add', { body })).ok) return
    say(`The agent ${body.name} is there. Its card says how to connect a program to it.`)
    onClose()
  }

  return (
    <Dialog title="Add an agent" onClose={onClose}>
      <Form onSubmit={() => void add()}>
        {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        <TextField
          label="Name"
          hint="What you call it, and nobody else sees: small letters, digits, _ and -."
          required
          value={name}
          onInput={setName}
        />
        <TextField
          label="Handle"
          hint="What it calls itself to its contacts, such as @alice. Left empty, it gets a neutral one."
          value={handle}
          onInput={setHandle}
        />
        <FormEnd yes="Add" busy={deed.busy} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
