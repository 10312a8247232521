import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { saveText } from '../../client/save.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { Confirm } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'
import { TranscriptButton } from '../../parts/transcript-button.js'
import { type Task, hasCalendar, hasEnded } from '../../words/timeline.js'

/** Takes a task away as a file, or ends it. */
export function TaskDeeds({ task }: { readonly task: Task }) {
  const { say } = useHere()
  const deed = useDeed()
  const [asked, setAsked] = useState(false)
  const whose = { params: { taskUid: task.taskUid }, query: { agent: task.agent } }

  async function saveCalendar(): Promise<void> {
    const answer = await deed.run('owner.tasks.calendar', whose)
    if (answer.ok) saveText(`${task.taskUid}.ics`, 'text/calendar', answer.value.calendar)
  }

  async function cancel(): Promise<void> {
    setAsked(false)
    const input = { params: { taskUid: task.taskUid }, body: { agent: task.agent } }
    const answer = await deed.run('owner.tasks.cancel', input)
    if (answer.ok) say('The other side is told that you cancel.')
  }

  return (
    <div class="deeds">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <div class="row">
        <TranscriptButton of={task} deed={deed} />
        {hasCalendar(task) ? (
          <Button busy={deed.busy} onClick={() => void saveCalendar()}>
            Save as a calendar file
          </Button>
        ) : null}
        {hasEnded(task) ? null : (
          <Button kind="danger" busy={deed.busy} onClick={() => setAsked(true)}>
            Cancel the task
          </Button>
        )}
      </div>
      {asked ? (
        <Confirm
          title="Cancel this task?"
          yes="Cancel the task"
          danger
          onYes={() => void cancel()}
          onClose={() => setAsked(false)}
        >
          <p>The other side is told. What it knows already it keeps, and what was paid is not called back.</p>
        </Confirm>
      ) : null}
    </div>
  )
}
