import { turnOf } from '../../../api/words/jobs.js'
import { JOB_TYPE } from '../../../types/job-type.js'
import { type Loaded, useAnswer } from '../../client/use-answer.js'
import { Badge, StateBadge, Time } from '../../parts/basics.js'
import { Listed, useExtent } from '../../parts/listed.js'
import { OfAgent } from '../../parts/of-agent.js'
import { Empty, Refused } from '../../parts/states.js'
import { type Approval, stepOf } from '../../words/approvals.js'
import { jobPrice, jobTitle } from '../../words/job-plans.js'
import { hiringWords, isLate, questionOf, questionsBeside } from '../../words/jobs.js'
import { addressOf } from '../../words/place.js'
import type { Task } from '../../words/timeline.js'
import { ApprovalCard } from '../approvals/approval-card.js'

/** Questions that are looked through for those about a job. */
const ASKED = 200

/** What is asked about jobs that are not there yet, then the jobs of all agents, newest first, each with what it waits for. */
export function Jobs() {
  const extent = useExtent()
  const page = useAnswer('owner.tasks.list', ['tasks', 'payments'], {
    query: { type: JOB_TYPE.name, limit: extent.limit }
  })
  const asked = useAnswer('owner.approvals.list', ['approvals'], { query: { status: 'pending', limit: ASKED } })
  const approvals = asked.state === 'ready' ? asked.value.items : []
  const beside = page.state === 'ready' ? questionsBeside(page.value.items, approvals) : []
  return (
    <>
      <h2>Jobs</h2>
      {asked.state === 'failed' ? <Refused refusal={asked.refusal} again={asked.again} /> : null}
      <Questions approvals={beside} />
      <Listed
        of={until(asked, page)}
        extent={extent}
        keyOf={(task) => `${task.agent} ${task.taskUid}`}
        empty={beside.length > 0 ? null : <NoJobs />}
      >
        {(task) => <JobCard task={task} question={questionOf(task, approvals)} />}
      </Listed>
    </>
  )
}

/** The second, once the first is known or refused: before that nobody can say that nothing is there. */
function until<T>(first: Loaded<unknown>, second: Loaded<T>): Loaded<T> {
  return first.state === 'loading' ? first : second
}

function NoJobs() {
  return (
    <Empty title="No jobs yet.">
      <p>When an agent of yours hires another, or is hired, the job stands here from its first plan on.</p>
    </Empty>
  )
}

function Questions({ approvals }: { readonly approvals: readonly Approval[] }) {
  if (approvals.length === 0) return null
  return (
    <ul class="stack plain-list">
      {approvals.map((approval) => (
        <li key={approval.approvalId}>
          <ApprovalCard approval={approval} heading="h3" from="money" />
        </li>
      ))}
    </ul>
  )
}

function JobCard({ task, question }: { readonly task: Task; readonly question: Approval | undefined }) {
  const detail = task.job?.detail
  return (
    <article class={`card line-card${question === undefined ? '' : ' card-wait'}`}>
      <div class="line-card-text">
        <h3 class="line-title">
          <a class="cover" href={addressOf(['tasks', task.taskUid], { agent: task.agent, from: 'money' })}>
            {jobTitle(task)}
          </a>
        </h3>
        <p class="small">
          {hiringWords(task)}
          <OfAgent id={task.agent} /> · <Time at={task.createdAt} />
        </p>
        <p class="small">{turnOf(task, question?.approvalId).says}</p>
      </div>
      <div class="line-card-aside">
        <strong class="price">{jobPrice(task)}</strong>
        {isLate(detail) ? <Badge tone="bad">Late</Badge> : null}
        <StateBadge list="task" state={task.status} />
      </div>
      {question === undefined ? null : (
        <p class="line-card-deeds">
          <a href={addressOf(['approvals', question.approvalId], { from: 'money' })}>
            Your answer is needed: {stepOf(question)}
          </a>
        </p>
      )}
    </article>
  )
}
