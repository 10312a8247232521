import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Button, Card } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { type Contact, inOrder, nameOf } from '../../words/contacts.js'
import { EVERYBODY, type Rule, namedIn } from '../../words/rules.js'
import { AddRule } from './add-rule.js'
import { type Column, Matrix } from './matrix.js'
import { Presets } from './presets.js'

/** What an agent may tell, do and pay: sets of rules, and each rule. */
export function Rules() {
  const { agent } = useHere()
  const query = { query: { agent: agent.name } }
  const grants = useAnswer('owner.grants.list', ['grants'], query)
  const contacts = useAnswer('owner.contacts.list', ['contacts'], query)
  const [adding, setAdding] = useState(false)
  const known = contacts.state === 'ready' ? inOrder(contacts.value.items) : []
  return (
    <Page
      title="Rules"
      lead={`What your agent ${agent.name} may tell, do and pay. Where there is no rule, it has to ask you each time.`}
    >
      <div class="stack">
        <Presets />
        <Card title="Each rule" aside={<Button onClick={() => setAdding(true)}>Add a rule</Button>}>
          <p class="small">
            Filled is a rule that you made. Outlined is what holds without one: it follows from another rule, or you are
            asked. A rule for one contact outranks a rule for everybody. Contacts with rules of their own have a column.
          </p>
          <Show of={grants}>{({ items }) => <Matrix rules={items} columns={columnsOf(items, known)} />}</Show>
        </Card>
      </div>
      {adding ? <AddRule contacts={known} onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

/** Everybody, and the contacts of whom something was said. */
function columnsOf(rules: readonly Rule[], contacts: readonly Contact[]): Column[] {
  const named = namedIn(rules).map((id) => {
    const contact = contacts.find((one) => one.agent === id)
    return { contact: id, name: contact === undefined ? `${id.slice(0, 12)}…` : nameOf(contact) }
  })
  return [{ contact: EVERYBODY, name: 'Everybody' }, ...named]
}
