import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../../api/contract.js'
import { TASK_STATUSES } from '../../../api/words.js'
import { visible } from '../../../base/visible.js'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Button, StateBadge, Time } from '../../parts/basics.js'
import { Select } from '../../parts/form.js'
import { Page } from '../../parts/page.js'
import { Empty, Show } from '../../parts/states.js'
import { badgeOf } from '../../words/badges.js'
import { addressOf } from '../../words/place.js'
import { typeName } from '../../words/types.js'

type Item = AnswerOf<'owner.tasks.list'>['items'][number]

/** Tasks on one page, and the most that one call answers. */
const PAGE = 25
const MOST = 200

const FILTERS = [['', 'All'] as const, ...TASK_STATUSES.map((name) => [name, badgeOf('task', name).text] as const)]

export function TasksList({ status }: { readonly status: string | undefined }) {
  const [limit, setLimit] = useState(PAGE)
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
        <Show of={page}>
          {({ items, next }) =>
            items.length === 0 ? (
              <Empty title={known === undefined ? 'No tasks yet.' : 'None of this kind.'}>
                <p>When an agent of yours, or a contact, proposes a plan, it stands here.</p>
              </Empty>
            ) : (
              <>
                <ul class="stack plain-list">
                  {items.map((task) => (
                    <li key={`${task.agent} ${task.taskUid}`}>
                      <TaskCard task={task} />
                    </li>
                  ))}
                </ul>
                {next === undefined || limit >= MOST ? null : (
                  <Button onClick={() => setLimit(Math.min(MOST, limit + PAGE))}>Show more</Button>
                )}
              </>
            )
          }
        </Show>
      </div>
    </Page>
  )
}

function TaskCard({ task }: { readonly task: Item }) {
  const { agents } = useHere()
  const own = agents.length < 2 ? undefined : agents.find((one) => one.agent === task.agent)
  return (
    <article class={`card line-card${task.status === 'awaiting_approval' ? ' card-wait' : ''}`}>
      <div class="line-card-text">
        <h2 class="line-title">
          <a class="cover" href={addressOf(['tasks', task.taskUid], { agent: task.agent })}>
            {titleOf(task)}
          </a>
        </h2>
        <p class="small">
          With {visible(task.participantHandle)} · {typeName(task.type)}
          {own === undefined ? null : ` · your agent ${own.name}`} · <Time at={task.createdAt} />
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

/** The label that its agent gave it, or else what it is about. */
export function titleOf(task: Item): string {
  return visible(task.title ?? task.typeTitle ?? task.type.name)
}
