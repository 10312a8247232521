import { codeWords } from '../../api/words/known.js'

/** Why a task ended or a message of ours waits, in the words of an owner. */

const REASONS: Readonly<Record<string, string>> = {
  task_expired: 'its time had passed before both sides agreed',
  backdated: 'it claimed not to know what its writer had received already',
  invalid_proposal: 'its plan is not as the task type wants it',
  task_full: 'the task has as many messages as one can have',
  too_many_tasks: 'too many tasks are open between you; some have to end first',
  type_mismatch: 'the other node has another task type under this name',
  type_retired: 'the other side uses this task type no more',
  type_not_installed: 'the other side does not want this task type',
  unreachable: 'the other node does not answer; it is tried again',
  not_contact: 'you are no contact there, or not any more',
  busy: 'the other node can’t take more at the moment; it is tried again'
}

/** What is no code of a node is what a person or an agent wrote. */
export function whyWords(reason: string): string {
  return codeWords(REASONS, reason)
}
