import type { AnswerOf } from '../../api/contract.js'
import { isJob } from '../../types/job-type.js'
import { shortened } from './fit.js'

type Task = AnswerOf<'tasks.read'>['task']
type Types = AnswerOf<'taskTypes.list'>['items']

/** Columns of a brief that stand for all of it. */
const BRIEF_HEAD = 40

/** The label that the owner's agent gave it, or else what its newest plan or its type says that it is about. */
export function taskTitle(task: Pick<Task, 'title' | 'type' | 'proposals'>, types: Types): string {
  if (task.title !== undefined) return task.title
  const brief = isJob(task.type) ? task.proposals.at(-1)?.proposal['brief'] : undefined
  if (typeof brief === 'string') return shortened(brief, BRIEF_HEAD)
  const title = types.find(({ hash }) => hash === task.type.hash)?.definition['title']
  return typeof title === 'string' ? title : ''
}
