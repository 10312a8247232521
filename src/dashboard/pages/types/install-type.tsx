import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { useDeed } from '../../client/use-deed.js'
import { Card, Note } from '../../parts/basics.js'
import { Dialog, FormEnd } from '../../parts/dialog.js'
import { FileField, Form, LongTextField } from '../../parts/form.js'
import { Inspection, type InspectionView } from '../../parts/inspection.js'
import { Refused } from '../../parts/states.js'
import { addressOf } from '../../words/place.js'
import { besideWords, typeName } from '../../words/types.js'

/** Installs a definition after its owner saw what it asks for: exactly the one that was shown, by its hash. */
export function InstallType({ onClose }: { readonly onClose: () => void }) {
  const { say } = useHere()
  const deed = useDeed()
  const [file, setFile] = useState('')
  const [seen, setSeen] = useState<InspectionView | undefined>()

  const take = (text: string) => {
    setFile(text)
    setSeen(undefined)
    deed.forget()
  }

  async function inspect(): Promise<void> {
    const answer = await deed.run('owner.types.inspect', { body: { file } })
    if (answer.ok) setSeen(answer.value.inspection)
  }

  async function install(hash: string): Promise<void> {
    const answer = await deed.run('owner.types.install', { body: { file, hash } })
    if (!answer.ok) return
    say(`${typeName(answer.value.type)} is installed.`)
    onClose()
    window.location.hash = addressOf(['types', answer.value.type.hash])
  }

  return (
    <Dialog title="Install a type" onClose={onClose}>
      <Form onSubmit={() => void (seen === undefined ? inspect() : install(seen.hash))}>
        {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        <p class="small">
          A task type is a file of plain data that somebody gave you, or that you wrote. You see what it asks for before
          it is installed.
        </p>
        <FileField label="Definition file" accept=".json,application/json" onText={take} />
        <LongTextField label="Or its text" rows={5} required value={file} onInput={take} />
        {seen === undefined ? null : (
          <Card title="What it asks for">
            <Beside type={seen} />
            <Inspection inspection={seen} />
          </Card>
        )}
        <FormEnd yes={seen === undefined ? 'Look at it' : 'Install exactly this'} busy={deed.busy} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

/** Installing a version replaces none. */
function Beside({ type }: { readonly type: InspectionView }) {
  const types = useAnswer('owner.types.list', ['types'])
  const words = types.state === 'ready' ? besideWords(type, types.value.items) : undefined
  if (words === undefined) return null
  return (
    <Note tone="wait">
      <p>{words}</p>
    </Note>
  )
}
