import { useId, useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Button, Card } from '../../parts/basics.js'
import { Confirm } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'
import { type Answer, type Approval, answersTo, outcomeOf } from '../../words/approvals.js'
import type { Up } from '../../words/place.js'

interface AnswersProps {
  readonly approval: Approval
  /** Where an answer leads. */
  readonly up: Up
}

/** The answers that a question takes, each with what it does. Those that reach further are asked for once more. */
export function Answers({ approval, up }: AnswersProps) {
  const here = useHere()
  const deed = useDeed()
  const [grave, setGrave] = useState<Answer | undefined>()
  const name = visible(approval.participantHandle)

  async function give({ decision, scope }: Answer): Promise<void> {
    setGrave(undefined)
    const body = decision === 'deny' ? { decision } : { decision, scope }
    const answer = await deed.run('owner.approvals.answer', { params: { approvalId: approval.approvalId }, body })
    if (!answer.ok) return
    here.say(outcomeOf(answer.value.approval))
    window.location.hash = up.href
  }

  return (
    <Card title="Your answer" tone="wait">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <ul class="answers plain-list">
        {answersTo(approval, name).map((answer) => (
          <li key={`${answer.decision} ${answer.scope}`}>
            <AnswerButton
              answer={answer}
              busy={deed.busy}
              onClick={() => (answer.grave ? setGrave(answer) : void give(answer))}
            />
          </li>
        ))}
      </ul>
      {grave === undefined ? null : (
        <Confirm
          title={`${grave.text}?`}
          yes={grave.text}
          onYes={() => void give(grave)}
          onClose={() => setGrave(undefined)}
        >
          <p>{grave.does}</p>
        </Confirm>
      )}
    </Card>
  )
}

interface AnswerButtonProps {
  readonly answer: Answer
  readonly busy: boolean
  readonly onClick: () => void
}

function AnswerButton({ answer, busy, onClick }: AnswerButtonProps) {
  const id = useId()
  const kind = answer.decision === 'deny' ? 'danger' : answer.scope === 'once' ? 'main' : 'plain'
  return (
    <>
      <Button kind={kind} busy={busy} describedBy={id} onClick={onClick}>
        {answer.text}
      </Button>
      <p class="small" id={id}>
        {answer.does}
      </p>
    </>
  )
}
