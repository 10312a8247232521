import { useHere } from '../../client/here.js'
import { saveText } from '../../client/save.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { LastDeed } from '../../parts/last-deed.js'
import { Refused } from '../../parts/states.js'
import { TranscriptButton } from '../../parts/transcript-button.js'
import { type Task, canCancel, hasCalendar } from '../../words/timeline.js'

/** Takes a task away as a file, or ends it. */
export function TaskDeeds({ task }: { readonly task: Task }) {
  const { say } = useHere()
  const deed = useDeed()
  const params = { taskUid: task.taskUid }

  async function saveCalendar(): Promise<void> {
    const answer = await deed.run('owner.tasks.calendar', { params, query: { agent: task.agent } })
    if (answer.ok) saveText(`${task.taskUid}.ics`, 'text/calendar', answer.value.calendar)
  }

  async function cancel(): Promise<void> {
    const answer = await deed.run('owner.tasks.cancel', { params, body: { agent: task.agent } })
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
        {canCancel(task) ? (
          <LastDeed text="Cancel the task" question="Cancel this task?" busy={deed.busy} onYes={() => void cancel()}>
            <p>The other side is told. What it knows already it keeps, and what was paid is not called back.</p>
          </LastDeed>
        ) : null}
      </div>
    </div>
  )
}
