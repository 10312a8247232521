import { turnOf } from '../../../api/words/jobs.js'
import { useAnswer } from '../../client/use-answer.js'
import { Note } from '../../parts/basics.js'
import { Refused } from '../../parts/states.js'
import { questionOf } from '../../words/jobs.js'
import { addressOf } from '../../words/place.js'
import type { Task } from '../../words/timeline.js'

/** Questions that are looked through for one about the job. */
const ASKED = 200

/** Who acts next in a paid job and how, or that nothing more happens. */
export function JobTurn({ task }: { readonly task: Task }) {
  const asked = useAnswer('owner.approvals.list', ['approvals'], { query: { status: 'pending', limit: ASKED } })
  if (asked.state === 'failed') return <Refused refusal={asked.refusal} again={asked.again} />
  if (asked.state === 'loading') return null
  const question = questionOf(task, asked.value.items)?.approvalId
  const { whose, says, command } = turnOf(task, question)
  return (
    <Note tone={whose === 'owner' ? 'wait' : 'quiet'}>
      <p>
        {says} {question === undefined ? null : <a href={addressOf(['approvals', question])}>Look at the question</a>}
        {whose !== 'own' || command === undefined ? null : (
          <>
            At the command line: <code class="id">agentlink {command}</code>
          </>
        )}
      </p>
    </Note>
  )
}
