import { visible } from '../../../base/visible.js'
import { isJob } from '../../../types/job-type.js'
import { Badge, Card, StateBadge, Theirs, Time, When } from '../../parts/basics.js'
import { Plan } from '../../parts/plan.js'
import { type Moment, type Task, timelineOf } from '../../words/timeline.js'
import { compare, countWords } from '../../words/values.js'
import { JobMoment } from './job-moment.js'

/** Both sides' plans in their order, each with what it changes, and what was recorded. */
export function Timeline({ task }: { readonly task: Task }) {
  const moments = timelineOf(task)
  return (
    <Card title="What was said">
      <ol class="timeline plain-list">
        {moments.map((moment, at) => (
          <li key={`${moment.kind} ${moment.at} ${at}`} class={`moment moment-${sideOf(moment)}`}>
            <MomentView moment={moment} task={task} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

function sideOf(moment: Moment): 'self' | 'peer' | 'both' {
  if (moment.kind === 'proposal') return moment.proposal.by
  return moment.kind === 'confirm' ? moment.confirm.by : 'both'
}

function MomentView({ moment, task }: { readonly moment: Moment; readonly task: Task }) {
  switch (moment.kind) {
    case 'proposal':
      return <ProposalMoment moment={moment} task={task} />
    case 'confirm':
      return <ConfirmMoment moment={moment} task={task} />
    default:
      return <JobMoment moment={moment} task={task} />
  }
}

type OfKind<K extends Moment['kind']> = Extract<Moment, { readonly kind: K }>

function ProposalMoment({ moment, task }: { readonly moment: OfKind<'proposal'>; readonly task: Task }) {
  const { proposal, before } = moment
  const agreed = proposal.proposalId === task.agreedProposalId
  const newest = task.proposals.at(-1)?.proposalId === proposal.proposalId
  return (
    <details open={agreed || newest}>
      <summary class="moment-head">
        <span>
          Plan {proposal.version} by {whoOf(proposal.by, task)}
        </span>{' '}
        {agreed ? <Badge tone="good">Agreed</Badge> : <StateBadge list="proposal" state={proposal.status} />}{' '}
        <span class="small">
          <Time at={proposal.at} />
          {before === undefined ? null : ` · ${countWords(compare(before.proposal, proposal.proposal))}`}
        </span>
      </summary>
      <Plan
        caption={`Plan ${proposal.version}, marked against the plan before`}
        plan={proposal.proposal}
        against={before?.proposal}
        known={isJob(task.type)}
      />
    </details>
  )
}

function ConfirmMoment({ moment, task }: { readonly moment: OfKind<'confirm'>; readonly task: Task }) {
  const { confirm } = moment
  return (
    <details>
      <summary class="moment-head">
        {visible(confirm.action)} recorded by {whoOf(confirm.by, task)} <When at={confirm.at} />
      </summary>
      <p>{confirm.by === 'peer' ? <Theirs>{confirm.summary}</Theirs> : visible(confirm.summary)}</p>
      <Plan caption="What was recorded" plan={confirm.params} />
    </details>
  )
}

function whoOf(by: 'self' | 'peer', task: Task): string {
  return by === 'self' ? 'your agent' : visible(task.participantHandle) || 'the other side'
}
