import { isJob } from '../../../types/job-type.js'
import { useHere } from '../../client/here.js'
import { saveText } from '../../client/save.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { LastDeed } from '../../parts/last-deed.js'
import { Refused } from '../../parts/states.js'
import { TranscriptButton } from '../../parts/transcript-button.js'
import { fileStem } from '../../words/files.js'
import { type Task, canCancel, hasCalendar, titleOf } from '../../words/timeline.js'

const KEPT = 'What it knows already it keeps.'
const KEPT_OF_JOBS = 'What it knows already it keeps, and what was paid is not called back.'

/** Takes a task away as a file, or ends it. */
export function TaskDeeds({ task }: { readonly task: Task }) {
  const { say } = useHere()
  const deed = useDeed()
  const params = { taskUid: task.taskUid }

  async function saveCalendar(): Promise<void> {
    const answer = await deed.run('owner.tasks.calendar', { params, query: { agent: task.agent } })
    if (answer.ok) saveText(`${fileStem(titleOf(task), task.taskUid)}.ics`, 'text/calendar', answer.value.calendar)
  }

  async function cancel(): Promise<void> {
    const answer = await deed.run('owner.tasks.cancel', { params, body: { agent: task.agent } })
    if (answer.ok) say('The other side is told that you cancel.')
  }

  return (
    <div class="deeds">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <div class="row">
        <TranscriptButton of={task} title={titleOf(task)} deed={deed} />
        {hasCalendar(task) ? (
          <Button busy={deed.busy} onClick={() => void saveCalendar()}>
            Save as a calendar file
          </Button>
        ) : null}
        {canCancel(task) ? (
          <LastDeed text="Cancel the task" question="Cancel this task?" busy={deed.busy} onYes={() => void cancel()}>
            <p>The other side is told. {isJob(task.type) ? KEPT_OF_JOBS : KEPT}</p>
          </LastDeed>
        ) : null}
      </div>
    </div>
  )
}
