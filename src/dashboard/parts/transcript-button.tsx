import { canonicalText } from '../../base/canonical.js'
import type { Json } from '../../base/json.js'
import { saveText } from '../client/save.js'
import type { Deed } from '../client/use-deed.js'
import { fileStem } from '../words/files.js'
import { Button } from './basics.js'

interface TranscriptButtonProps {
  /** Of a negotiation or of delegated work. */
  readonly of: { readonly agent: string; readonly taskUid: string }
  /** What its file is named after. */
  readonly title: string
  readonly deed: Deed
}

/** Hands the owner a task as a file that proves itself: the bytes that `agentlink transcript verify` reads. */
export function TranscriptButton({ of: { agent, taskUid }, title, deed }: TranscriptButtonProps) {
  async function save(): Promise<void> {
    const answer = await deed.run('owner.tasks.transcript', { params: { taskUid }, query: { agent } })
    if (!answer.ok) return
    const name = `${fileStem(title, taskUid)}.transcript.json`
    saveText(name, 'application/json', canonicalText(answer.value as unknown as Json))
  }

  return (
    <Button busy={deed.busy} onClick={() => void save()}>
      Save the transcript
    </Button>
  )
}
