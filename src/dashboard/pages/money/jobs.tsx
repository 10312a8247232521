import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, StateBadge, Time } from '../../parts/basics.js'
import { Listed, useExtent } from '../../parts/listed.js'
import { Empty } from '../../parts/states.js'
import { type Approval, deedOf } from '../../words/approvals.js'
import { JOB_TYPE, detailWords, hiringWords, isLate, jobPrice, jobTitle, questionOf } from '../../words/jobs.js'
import { addressOf } from '../../words/place.js'
import type { Task } from '../../words/timeline.js'

/** Questions that are looked through for those about a job. */
const ASKED = 200

/** Jobs of all agents, newest first, each with what it waits for. */
export function Jobs() {
  const extent = useExtent()
  const page = useAnswer('owner.tasks.list', ['tasks', 'payments'], {
    query: { type: JOB_TYPE, limit: extent.limit }
  })
  const asked = useAnswer('owner.approvals.list', ['approvals'], { query: { status: 'pending', limit: ASKED } })
  const approvals = asked.state === 'ready' ? asked.value.items : []
  return (
    <>
      <h2>Jobs</h2>
      <Listed
        of={page}
        extent={extent}
        keyOf={(task) => `${task.agent} ${task.taskUid}`}
        empty={
          <Empty title="No jobs yet.">
            <p>When an agent of yours hires another, or is hired, the job stands here from its first plan on.</p>
          </Empty>
        }
      >
        {(task) => <JobCard task={task} question={questionOf(task, approvals)} />}
      </Listed>
    </>
  )
}

function JobCard({ task, question }: { readonly task: Task; readonly question: Approval | undefined }) {
  const { agents } = useHere()
  const own = agents.length < 2 ? undefined : agents.find((one) => one.agent === task.agent)
  const detail = task.job?.detail
  return (
    <article class={`card line-card${question === undefined ? '' : ' card-wait'}`}>
      <div class="line-card-text">
        <h3 class="line-title">
          <a class="cover" href={addressOf(['tasks', task.taskUid], { agent: task.agent })}>
            {jobTitle(task)}
          </a>
        </h3>
        <p class="small">
          {hiringWords(task)}
          {own === undefined ? null : ` · your agent ${own.name}`} · <Time at={task.createdAt} />
        </p>
        {detail === undefined ? null : <p class="small">{detailWords(detail)}</p>}
      </div>
      <div class="line-card-aside">
        <strong class="price">{jobPrice(task)}</strong>
        {isLate(detail) ? <Badge tone="bad">Late</Badge> : null}
        <StateBadge list="task" state={task.status} />
      </div>
      {question === undefined ? null : (
        <p class="line-card-deeds">
          <a href={addressOf(['approvals', question.approvalId])}>Your answer is needed: {deedOf(question)}</a>
        </p>
      )}
    </article>
  )
}
