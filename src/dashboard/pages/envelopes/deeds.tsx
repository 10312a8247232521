import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { Confirm } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'
import { TranscriptButton } from '../../parts/transcript-button.js'
import { type Envelope, canCancel } from '../../words/envelopes.js'

/** Takes the work away as a file that proves itself, or calls it off. */
export function EnvelopeDeeds({ envelope }: { readonly envelope: Envelope }) {
  const { say } = useHere()
  const deed = useDeed()
  const [asked, setAsked] = useState(false)

  async function cancel(): Promise<void> {
    setAsked(false)
    const input = { params: { taskId: envelope.taskUid }, body: { agent: envelope.agent } }
    const answer = await deed.run('owner.envelopes.cancel', input)
    if (answer.ok) say('It is called off.')
  }

  return (
    <div class="deeds">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <div class="row">
        <TranscriptButton of={envelope} deed={deed} />
        {canCancel(envelope) ? (
          <Button kind="danger" busy={deed.busy} onClick={() => setAsked(true)}>
            Call it off
          </Button>
        ) : null}
      </div>
      {asked ? (
        <Confirm
          title="Call this work off?"
          yes="Call it off"
          danger
          onYes={() => void cancel()}
          onClose={() => setAsked(false)}
        >
          <p>The other side is told to stop. What it has done by then may be lost.</p>
        </Confirm>
      ) : null}
    </div>
  )
}
