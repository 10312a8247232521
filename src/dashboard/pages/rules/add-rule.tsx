import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Dialog, FormEnd } from '../../parts/dialog.js'
import { Form, Select, TextField } from '../../parts/form.js'
import { Refused } from '../../parts/states.js'
import { type Contact, nameOf } from '../../words/contacts.js'
import { EFFECT_WORDS, EVERYBODY, type Effect } from '../../words/rules.js'
import { useCapabilities } from './use-capabilities.js'

interface AddRuleProps {
  readonly contacts: readonly Contact[]
  readonly onClose: () => void
}

const EFFECTS = (['ask', 'allow', 'deny'] as const).map((effect) => [effect, EFFECT_WORDS[effect].text] as const)

/** A rule for a contact that has none yet, or on a capability that a task type made up. */
export function AddRule({ contacts, onClose }: AddRuleProps) {
  const { agent, say } = useHere()
  const deed = useDeed()
  const names = useCapabilities([])
  const [contact, setContact] = useState(EVERYBODY)
  const [capability, setCapability] = useState('')
  const [effect, setEffect] = useState<Effect>('ask')
  const whom = [[EVERYBODY, 'Everybody'] as const, ...contacts.map((one) => [one.agent, nameOf(one)] as const)]

  async function add(): Promise<void> {
    const body = { agent: agent.name, contact, capability: capability.trim(), effect }
    if (!(await deed.run('owner.grants.set', { body })).ok) return
    say('The rule is in place.')
    onClose()
  }

  return (
    <Dialog title="Add a rule" onClose={onClose}>
      <Form onSubmit={() => void add()}>
        {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        <Select label="For" value={contact} options={whom} onInput={setContact} />
        <TextField
          label="Capability"
          hint="What the rule is about, by its exact name in the table of rules, such as disclose.budget."
          required
          choices={names}
          value={capability}
          onInput={setCapability}
        />
        <Select label="Rule" value={effect} options={EFFECTS} onInput={(text) => setEffect(text as Effect)} />
        <FormEnd yes="Add the rule" busy={deed.busy} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
