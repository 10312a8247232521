import { isJob } from '../../../types/job-type.js'
import { useAgent } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Facts, Id, StateBadge, Time } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { handleWords } from '../../words/contacts.js'
import { type Up, addressOf } from '../../words/place.js'
import { whyWords } from '../../../api/words/reasons.js'
import { type Task, deliveryWords, endsByTime, titleOf } from '../../words/timeline.js'
import { typeName } from '../../words/types.js'
import { TaskDeeds } from './deeds.js'
import { JobTurn } from './job-turn.js'
import { Timeline } from './timeline.js'

interface TaskPageProps {
  readonly taskUid: string
  /** Whose it is, where more than one agent of the node holds it. */
  readonly agent: string | undefined
  readonly up: Up
}

/** One task: how it stands, and everything that both sides said. */
export function TaskPage({ taskUid, agent, up }: TaskPageProps) {
  const query = agent === undefined ? {} : { agent }
  const answer = useAnswer('owner.tasks.read', ['tasks', 'payments'], { params: { taskUid }, query })
  const task = answer.state === 'ready' ? answer.value.task : undefined
  return (
    <Page
      title={task === undefined ? 'Task' : titleOf(task)}
      up={up}
      aside={task === undefined ? undefined : <StateBadge list="task" state={task.status} />}
    >
      <Show of={answer}>
        {({ task: known }) => (
          <div class="stack">
            <Standing task={known} />
            <Timeline task={known} />
          </div>
        )}
      </Show>
    </Page>
  )
}

function Standing({ task }: { readonly task: Task }) {
  const own = useAgent(task.agent)
  return (
    <Card title="How it stands">
      <Facts
        rows={[
          [
            'With',
            <a key="with" href={addressOf(['contacts', task.participant])}>
              {handleWords(task.participantHandle)}
            </a>
          ],
          ['Begun by', task.role === 'inviter' ? `your agent ${own?.name ?? ''}` : 'the other side'],
          ['Why', task.statusReason === undefined ? undefined : whyWords(task.statusReason)],
          ['Messages', deliveryWords(task.delivery)],
          ['Waits for you', task.status === 'awaiting_approval' ? <a href="#/approvals">Approvals</a> : undefined],
          ['Begun', <Time key="begun" at={task.createdAt} />],
          ['Ends by itself', endsByTime(task) ? <Time key="ends" at={task.expiresAt} /> : undefined],
          [
            'Type',
            <a key="type" href={addressOf(['types', task.type.hash])}>
              {typeName(task.type)}
            </a>
          ],
          ['Task', <Id key="id">{task.taskUid}</Id>]
        ]}
      />
      {isJob(task.type) ? <JobTurn task={task} /> : null}
      <TaskDeeds task={task} />
    </Card>
  )
}
