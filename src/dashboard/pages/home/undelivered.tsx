import { visible } from '../../../base/visible.js'
import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Card, Time } from '../../parts/basics.js'
import { Refused } from '../../parts/states.js'
import { objectiveOf } from '../../words/envelopes.js'
import { type Waiting, messagesWords, waitWords } from '../../words/health.js'
import { addressOf } from '../../words/place.js'
import { titleOf } from '../../words/timeline.js'

/** What has not arrived, for whom, why, and what happens next; nothing when everything has. */
export function Undelivered() {
  const answer = useAnswer('owner.undelivered.list', ['status', 'contacts', 'tasks', 'envelopes'])
  if (answer.state === 'failed') return <Refused refusal={answer.refusal} again={answer.again} />
  if (answer.state === 'loading' || answer.value.items.length === 0) return null
  return (
    <Card title="Not delivered yet">
      <ul class="plain-list divided">
        {answer.value.items.map((waiting) => (
          <li key={`${waiting.agent} ${waiting.contact}`}>
            <One waiting={waiting} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function One({ waiting }: { readonly waiting: Waiting }) {
  const { agents, pickAgent } = useHere()
  const { badge, why, next } = waitWords(waiting)
  const own = agents.find((one) => one.agent === waiting.agent)
  return (
    <>
      <div class="card-head">
        <p>
          {messagesWords(waiting.pending)} for{' '}
          <a href={addressOf(['contacts', waiting.contact])} onClick={() => own !== undefined && pickAgent(own.name)}>
            {visible(waiting.participantHandle)}
          </a>
          , the oldest written <Time at={waiting.since} />
        </p>
        <Badge tone={badge.tone}>{badge.text}</Badge>
      </div>
      <p class="small">
        {why} {next}
      </p>
      <Works waiting={waiting} />
    </>
  )
}

/** The tasks that the messages belong to; a message about the contact itself belongs to none. */
function Works({ waiting }: { readonly waiting: Waiting }) {
  const query = { agent: waiting.agent, contact: waiting.contact, limit: 200 }
  const tasks = useAnswer('owner.tasks.list', ['tasks'], { query })
  const envelopes = useAnswer('owner.envelopes.list', ['envelopes'], { query })
  const uids = new Set(waiting.taskUids)
  const found = [
    ...(tasks.state === 'ready' ? tasks.value.items : []).map(
      (task) => ['tasks', task.taskUid, titleOf(task)] as const
    ),
    ...(envelopes.state === 'ready' ? envelopes.value.items : []).map(
      (envelope) => ['envelopes', envelope.taskUid, objectiveOf(envelope)] as const
    )
  ].filter(([, uid]) => uids.has(uid))
  if (found.length === 0) return null
  return (
    <ul class="small">
      {found.map(([page, uid, title]) => (
        <li key={uid}>
          <a href={addressOf([page, uid], { agent: waiting.agent })}>{title}</a>
        </li>
      ))}
    </ul>
  )
}
