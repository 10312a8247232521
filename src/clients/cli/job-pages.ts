import type { AnswerOf } from '../../api/contract.js'
import { isJob } from '../../types/job-type.js'
import type { Run } from './context.js'

/** Jobs among all tasks: the node lists tasks of every type, so pages are read until there are enough jobs. */

type TaskPage = AnswerOf<'tasks.list'>
export type JobPage = Pick<TaskPage, 'items' | 'next'>

/** Jobs on one page at the most, and from how many on no more are looked for. */
const MOST = 200
const ENOUGH = 100
/** Calls that one look takes at the most; what lies behind is reached by `next`. */
const MOST_CALLS = 50

/** The next jobs, newest first, after a place that an earlier page ended at. None with a `next`: it goes on behind. */
export async function jobPage(run: Pick<Run, 'session' | 'agentName'>, after: string | undefined): Promise<JobPage> {
  const items: TaskPage['items'][number][] = []
  let place = after
  for (let calls = 0; calls < MOST_CALLS && items.length < ENOUGH; calls++) {
    const query = { limit: String(MOST - items.length), ...(place === undefined ? {} : { after: place }) }
    const page = await run.session.agent(run.agentName, 'tasks.list', { query })
    items.push(...page.items.filter(({ type }) => isJob(type)))
    place = page.next
    if (place === undefined) return { items }
  }
  return { items, ...(place === undefined ? {} : { next: place }) }
}
