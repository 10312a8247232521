import { TASK_STATUSES } from '../../../api/words.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, StateBadge, Time } from '../../parts/basics.js'
import { Select } from '../../parts/form.js'
import { Listed, useExtent } from '../../parts/listed.js'
import { OfAgent } from '../../parts/of-agent.js'
import { Page } from '../../parts/page.js'
import { Empty } from '../../parts/states.js'
import { badgeOf } from '../../words/badges.js'
import { handleWords } from '../../words/contacts.js'
import { addressOf } from '../../words/place.js'
import { type Task, titleOf } from '../../words/timeline.js'
import { typeName } from '../../words/types.js'

const FILTERS = [['', 'All'] as const, ...TASK_STATUSES.map((name) => [name, badgeOf('task', name).text] as const)]

export function TasksList({ status }: { readonly status: string | undefined }) {
  const extent = useExtent()
  const { limit } = extent
  const known = TASK_STATUSES.find((one) => one === status)
  const query = known === undefined ? { limit } : { limit, status: known }
  const page = useAnswer('owner.tasks.list', ['tasks'], { query })
  return (
    <Page title="Tasks" lead="What your agents settle with other people’s agents.">
      <div class="stack">
        <Select
          label="Show"
          value={known ?? ''}
          options={FILTERS}
          onInput={(next) => {
            window.location.replace(addressOf(['tasks'], { status: next }))
          }}
        />
        <Listed
          of={page}
          extent={extent}
          keyOf={(task) => `${task.agent} ${task.taskUid}`}
          empty={
            <Empty title={known === undefined ? 'No tasks yet.' : 'None of this kind.'}>
              <p>When an agent of yours, or a contact, proposes a plan, it stands here.</p>
            </Empty>
          }
        >
          {(task) => <TaskCard task={task} />}
        </Listed>
      </div>
    </Page>
  )
}

function TaskCard({ task }: { readonly task: Task }) {
  return (
    <article class={`card line-card${task.status === 'awaiting_approval' ? ' card-wait' : ''}`}>
      <div class="line-card-text">
        <h2 class="line-title">
          <a class="cover" href={addressOf(['tasks', task.taskUid], { agent: task.agent })}>
            {titleOf(task)}
          </a>
        </h2>
        <p class="small">
          With {handleWords(task.participantHandle)} · {typeName(task.type)}
          <OfAgent id={task.agent} /> · <Time at={task.createdAt} />
        </p>
      </div>
      <div class="line-card-aside">
        {task.delivery.state === 'delivered' ? null : <StateBadge list="delivery" state={task.delivery.state} />}
        {task.cancelRequested === true ? <Badge tone="busy">Asked to cancel</Badge> : null}
        <StateBadge list="task" state={task.status} />
      </div>
    </article>
  )
}
