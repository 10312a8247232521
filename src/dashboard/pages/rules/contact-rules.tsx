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
    <Card title={`What ${name} may learn and get`}>
      <p class="small">
        What is filled in was said for {name} and outranks your rules for everybody; what is only outlined follows from
        them.
      </p>
      <Show of={grants}>{({ items }) => <Matrix rules={items} columns={[{ contact: contact.agent, name }]} />}</Show>
    </Card>
  )
}
