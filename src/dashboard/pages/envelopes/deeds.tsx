import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { LastDeed } from '../../parts/last-deed.js'
import { Refused } from '../../parts/states.js'
import { TranscriptButton } from '../../parts/transcript-button.js'
import { type Envelope, canCancel } from '../../words/envelopes.js'

/** Takes the work away as a file that proves itself, or cancels it. */
export function EnvelopeDeeds({ envelope }: { readonly envelope: Envelope }) {
  const { say } = useHere()
  const deed = useDeed()

  async function cancel(): Promise<void> {
    const input = { params: { taskId: envelope.taskUid }, body: { agent: envelope.agent } }
    const answer = await deed.run('owner.envelopes.cancel', input)
    if (answer.ok) say('The other side is told that you cancel.')
  }

  return (
    <div class="deeds">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <div class="row">
        <TranscriptButton of={envelope} title={envelope.taskId} deed={deed} />
        {canCancel(envelope) ? (
          <LastDeed text="Cancel the work" question="Cancel this work?" busy={deed.busy} onYes={() => void cancel()}>
            <p>The other side is told to stop. What it has done by then may be lost.</p>
          </LastDeed>
        ) : null}
      </div>
    </div>
  )
}
