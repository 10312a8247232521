import { useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import { type AgentEntry, useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { useDeed } from '../../client/use-deed.js'
import { Badge, Button } from '../../parts/basics.js'
import { Form, LongTextField } from '../../parts/form.js'
import { Refused, Show } from '../../parts/states.js'
import { toolsIn } from '../../words/tools.js'

/** The tools that delegated work may count on: what its sender asks for is cut down to these. */
export function Ledger({ agent }: { readonly agent: AgentEntry }) {
  const [editing, setEditing] = useState(false)
  const answer = useAnswer('owner.ledger.read', ['agents'], { query: { agent: agent.name } })
  return (
    <>
      <h3>Tools for delegated work</h3>
      <p class="small">
        Whoever delegates work to this agent can ask that it uses tools. It gets those on this list and no others.
      </p>
      <Show of={answer}>
        {({ ledger }) =>
          editing ? (
            <EditLedger
              agent={agent}
              tools={ledger.tools}
              onClose={() => {
                setEditing(false)
                void answer.again()
              }}
            />
          ) : (
            <div class="row">
              {ledger.tools.length === 0 ? <span>No tools are on the list.</span> : null}
              {ledger.tools.map((tool) => (
                <Badge key={tool} tone="quiet">
                  {visible(tool)}
                </Badge>
              ))}
              <Button label={`Change the tools of ${agent.name}`} onClick={() => setEditing(true)}>
                Change the tools
              </Button>
            </div>
          )
        }
      </Show>
    </>
  )
}

interface EditProps {
  readonly agent: AgentEntry
  readonly tools: readonly string[]
  readonly onClose: () => void
}

function EditLedger({ agent, tools, onClose }: EditProps) {
  const { say } = useHere()
  const deed = useDeed()
  const [text, setText] = useState(tools.join('\n'))

  async function save(): Promise<void> {
    if (!(await deed.run('owner.ledger.set', { body: { agent: agent.name, tools: toolsIn(text) } })).ok) return
    say(`${agent.name} has these tools now.`)
    onClose()
  }

  return (
    <Form onSubmit={() => void save()}>
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <LongTextField label={`Tools of ${agent.name}`} hint="One name on each line." value={text} onInput={setText} />
      <div class="row">
        <Button kind="main" type="submit" busy={deed.busy}>
          Save
        </Button>
        <Button onClick={onClose}>Go back</Button>
      </div>
    </Form>
  )
}
