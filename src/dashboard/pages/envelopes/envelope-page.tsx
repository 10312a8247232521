import { workWords } from '../../../api/words/reasons.js'
import { visible } from '../../../base/visible.js'
import { useAgent } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Card, Facts, Id, StateBadge, Theirs, Time } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Plan } from '../../parts/plan.js'
import { Show } from '../../parts/states.js'
import { type Envelope, directionWords, endsByTime, objectiveOf } from '../../words/envelopes.js'
import { addressOf } from '../../words/place.js'
import { deliveryWords } from '../../words/timeline.js'
import { EnvelopeDeeds } from './deeds.js'
import { Evidence } from './evidence.js'

interface EnvelopePageProps {
  readonly taskUid: string
  readonly agent: string | undefined
}

/** One piece of delegated work: how it stands, its contract, what was asked, and what proves it. */
export function EnvelopePage({ taskUid, agent }: EnvelopePageProps) {
  const query = agent === undefined ? {} : { agent }
  const answer = useAnswer('owner.envelopes.read', ['envelopes'], { params: { taskId: taskUid }, query })
  const envelope = answer.state === 'ready' ? answer.value.envelope : undefined
  return (
    <Page
      title={envelope === undefined ? 'Delegated work' : objectiveOf(envelope)}
      up={{ href: '#/envelopes', text: 'Delegated work' }}
      aside={envelope === undefined ? undefined : <StateBadge list="envelope" state={envelope.state} />}
    >
      <Show of={answer}>
        {({ envelope: known }) => (
          <div class="stack">
            <Standing envelope={known} />
            <Card title="The contract">
              <Plan caption="The contract" plan={known.contract} known />
            </Card>
            <Questions envelope={known} />
            <Evidence envelope={known} />
          </div>
        )}
      </Show>
    </Page>
  )
}

function Standing({ envelope }: { readonly envelope: Envelope }) {
  const own = useAgent(envelope.agent)
  return (
    <Card title="How it stands">
      <Facts
        rows={[
          [
            'Who',
            <a key="who" href={addressOf(['contacts', envelope.participant])}>
              {directionWords(envelope)}
            </a>
          ],
          ['Your agent', own?.name],
          ['Why', envelope.code === undefined ? undefined : workWords(envelope.code)],
          ['In the words of the agent', envelope.reason === undefined ? undefined : <Theirs>{envelope.reason}</Theirs>],
          ['Conflicts with', envelope.conflictsWith === undefined ? undefined : <Id>{envelope.conflictsWith}</Id>],
          ['Delivery', deliveryWords(envelope.delivery)],
          ['Waits for work', envelope.dependencies.length === 0 ? undefined : <Dependencies envelope={envelope} />],
          ['Tools granted', envelope.toolsGranted?.map(visible).join(', ')],
          ['Delegated', <Time key="at" at={envelope.createdAt} />],
          ['Ends by itself', endsByTime(envelope) ? <Time key="ends" at={envelope.expiresAt} /> : undefined],
          ['Id of the work', <Id key="name">{envelope.taskId}</Id>],
          ['Task id', <Id key="id">{envelope.taskUid}</Id>]
        ]}
      />
      <EnvelopeDeeds envelope={envelope} />
    </Card>
  )
}

function Dependencies({ envelope }: { readonly envelope: Envelope }) {
  return (
    <ul class="plain-list">
      {envelope.dependencies.map(({ taskId, outcome }) => (
        <li key={taskId}>
          {visible(taskId)}{' '}
          {outcome === undefined ? (
            <Badge tone="quiet">not ended yet</Badge>
          ) : (
            <StateBadge list="envelope" state={outcome} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Questions({ envelope }: { readonly envelope: Envelope }) {
  if (envelope.questions.length === 0) return null
  return (
    <Card title="Questions about the work">
      <ol class="timeline plain-list">
        {envelope.questions.map((question) => (
          <li key={question.questionId} class="moment">
            <p class="moment-head">
              <StateBadge list="envelope" state={question.state} />{' '}
              <span class="small">
                <Time at={question.at} />
                {question.code === undefined ? null : ` · ${workWords(question.code)}`}
              </span>
            </p>
            {question.reason === undefined ? null : (
              <p>
                <Theirs>{question.reason}</Theirs>
              </p>
            )}
            {question.answer === undefined ? null : <p>Answered: {visible(question.answer.text)}</p>}
          </li>
        ))}
      </ol>
    </Card>
  )
}
