import { visible } from '../../../base/visible.js'
import { useAgent, useHere } from '../../client/here.js'
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
  const { pickAgent } = useHere()
  const { badge, why, next } = waitWords(waiting)
  const own = useAgent(waiting.agent)
  return (
    <>
      <div class="card-head">
        <p>
          {messagesWords(waiting.pending)} for{' '}
          <a href={addressOf(['contacts', waiting.contact])} onClick={() => own !== undefined && pickAgent(own.name)}>
            {visible(waiting.participantHandle)}
          </a>
          , {waiting.pending === 1 ? '' : 'the oldest '}written <Time at={waiting.since} />
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

interface WorksProps {
  readonly waiting: Waiting
}

type Titles = ReadonlyMap<string, string>

/** The tasks that the messages belong to; a message about the contact itself belongs to none, and nothing is asked. */
function Works({ waiting }: WorksProps) {
  return waiting.taskUids.length === 0 ? null : <Tasks waiting={waiting} />
}

/** What is no task is delegated work, which is asked for only then. */
function Tasks({ waiting }: WorksProps) {
  const tasks = useAnswer('owner.tasks.list', ['tasks'], { query: listOf(waiting) })
  if (tasks.state !== 'ready') return null
  const titles = new Map(tasks.value.items.map((task) => [task.taskUid, titleOf(task)]))
  const known = waiting.taskUids.every((uid) => titles.has(uid))
  return (
    <ul class="small">
      <Links page="tasks" waiting={waiting} titles={titles} />
      {known ? null : <Envelopes waiting={waiting} />}
    </ul>
  )
}

function Envelopes({ waiting }: WorksProps) {
  const envelopes = useAnswer('owner.envelopes.list', ['envelopes'], { query: listOf(waiting) })
  if (envelopes.state !== 'ready') return null
  const titles = new Map(envelopes.value.items.map((envelope) => [envelope.taskUid, objectiveOf(envelope)]))
  return <Links page="envelopes" waiting={waiting} titles={titles} />
}

interface LinksProps extends WorksProps {
  readonly page: 'tasks' | 'envelopes'
  readonly titles: Titles
}

function Links({ page, waiting, titles }: LinksProps) {
  return (
    <>
      {waiting.taskUids.map((uid) =>
        titles.has(uid) ? (
          <li key={uid}>
            <a href={addressOf([page, uid], { agent: waiting.agent })}>{titles.get(uid)}</a>
          </li>
        ) : null
      )}
    </>
  )
}

function listOf({ agent, contact }: Waiting) {
  return { agent, contact, limit: 200 }
}
