import type { PageProps } from '../../parts/page.js'
import { upFrom } from '../../words/place.js'
import { TaskPage } from './task-page.js'
import { TasksList } from './tasks-list.js'

/** What the agents negotiate, with whom, and what came of it. */
export function Tasks({ rest, query }: PageProps) {
  const [taskUid] = rest
  return taskUid === undefined ? (
    <TasksList status={query['status']} />
  ) : (
    <TaskPage taskUid={taskUid} agent={query['agent']} up={upFrom(query['from'], { href: '#/tasks', text: 'Tasks' })} />
  )
}
