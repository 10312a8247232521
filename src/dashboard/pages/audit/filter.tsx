import { useEffect, useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Button, Card } from '../../parts/basics.js'
import { DayField, Form, Select, TextField } from '../../parts/form.js'
import { AUDIT_CHOICES } from '../../words/audit.js'
import { inOrder, nameOf } from '../../words/contacts.js'

/** What a view of the log is narrowed to; empty = not narrowed. Times are days or ISO times. */
export interface Filter extends Record<string, string> {
  readonly what: string
  readonly contact: string
  readonly task: string
  readonly capability: string
  readonly since: string
  readonly until: string
}

export function filterIn(query: Readonly<Record<string, string>>): Filter {
  const of = (name: string) => query[name] ?? ''
  return {
    what: of('what'),
    contact: of('contact'),
    task: of('task'),
    capability: of('capability'),
    since: of('since'),
    until: of('until')
  }
}

const NOTHING = filterIn({})

interface FilterFormProps {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

export function FilterForm({ filter, onFilter }: FilterFormProps) {
  const { agent } = useHere()
  const contacts = useAnswer('owner.contacts.list', ['contacts'], { query: { agent: agent.name } })
  const [draft, setDraft] = useState(filter)
  useEffect(() => setDraft(filter), [filter])
  const known = contacts.state === 'ready' ? inOrder(contacts.value.items) : []
  const whom = [['', 'Anybody'] as const, ...known.map((one) => [one.agent, nameOf(one)] as const)]
  const change = (name: keyof Filter & string) => (value: string) => setDraft({ ...draft, [name]: value.trim() })
  const showAll = () => {
    // Where the address has no filter already, it does not change, and the form would keep what stands in it.
    setDraft(NOTHING)
    onFilter(NOTHING)
  }
  return (
    <Card>
      <Form onSubmit={() => onFilter(draft)}>
        <div class="fields">
          <Select label="What happened" value={draft.what} options={AUDIT_CHOICES} onInput={change('what')} />
          <Select label="Contact" value={draft.contact} options={whom} onInput={change('contact')} />
          <TextField
            label="Capability"
            hint="What a rule is about, by its exact name, such as disclose.budget."
            value={draft.capability}
            onInput={change('capability')}
          />
          <TextField
            label="Task"
            hint="Its whole id, which stands in the particulars of its entries."
            value={draft.task}
            onInput={change('task')}
          />
          <DayField label="From this day on" value={draft.since} onInput={change('since')} />
          <DayField label="Before this day" value={draft.until} onInput={change('until')} />
        </div>
        <div class="row">
          <Button kind="main" type="submit">
            Search
          </Button>
          <Button onClick={showAll}>Show everything</Button>
        </div>
      </Form>
    </Card>
  )
}
