import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card } from '../../parts/basics.js'
import { Show } from '../../parts/states.js'
import { type Contact, nameOf } from '../../words/contacts.js'
import { Matrix } from './matrix.js'

/** The rules for one contact. */
export function ContactRules({ contact }: { readonly contact: Contact }) {
  const { agent } = useHere()
  const grants = useAnswer('owner.grants.list', ['grants'], { query: { agent: agent.name } })
  const name = nameOf(contact)
  return (
    <Card title={`Your rules for ${name}`}>
      <p class="small">
        Filled is a rule that you made for {name}; it outranks your rules for everybody. Outlined is what follows from
        those, or that you are asked where there is none.
      </p>
      <Show of={grants}>{({ items }) => <Matrix rules={items} columns={[{ contact: contact.agent, name }]} />}</Show>
    </Card>
  )
}
