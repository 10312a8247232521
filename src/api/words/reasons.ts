import { codeWords, rowIn } from './known.js'

/** Why something ended, stopped or waits, in the words of an owner. Source of the codes: protocols/tasks.md, protocols/envelopes.md. */

/** Of a task, or of a message of ours on its way. What is no code of a node is what a person or an agent wrote. */
export function whyWords(reason: string): string {
  return codeWords(REASONS, reason)
}

/** Of delegated work. */
export function workWords(code: string): string {
  return rowIn(WORK, code) === undefined ? whyWords(code) : codeWords(WORK, code)
}

const REASONS: Readonly<Record<string, string>> = {
  task_expired: 'its time had passed before both sides agreed',
  backdated: 'it claimed not to know what its writer had received already',
  invalid_proposal: 'its plan is not as the task type wants it',
  task_full: 'the task has as many messages as one can have',
  too_many_tasks: 'too many tasks are open between you; some have to end first',
  type_mismatch: 'the other node has another task type under this name',
  type_retired: 'the other side uses this task type no more',
  type_not_installed: 'the other side does not want this task type',
  changed_plans: 'whoever cancelled has other plans now',
  no_longer_needed: 'whoever cancelled does not need it any more',
  unavailable: 'whoever cancelled is not free for it',
  other: 'whoever ended it gave no reason',
  unreachable: 'the other node does not answer; it is tried again',
  not_contact: 'you are no contact there, or not any more',
  busy: 'the other node can’t take more at the moment; it is tried again'
}

const WORK: Readonly<Record<string, string>> = {
  declined: 'the agent does not want to do it',
  cannot: 'the agent is not able to do it',
  out_of_scope: 'it is not what the agent is there for',
  unsafe: 'the agent holds it for unsafe',
  busy: 'the agent has too much to do',
  acceptance_failed: 'the check of the contract does not pass',
  blocked: 'something else has to happen first',
  needs_decision: 'somebody has to decide something',
  needs_material: 'something that the work needs is missing',
  needs_access: 'the agent needs a right that it does not have',
  expired: 'its time had passed before it was done',
  invalid_contract: 'its contract is not as one has to be',
  self_dependency: 'it waits for itself',
  duplicate_dependency: 'it names the same work twice as what it waits for',
  dependency_cycle: 'it waits for work that waits for it',
  ownership_conflict: 'other work has some of its files for itself',
  dependency_failed: 'work that it waited for failed',
  dependency_canceled: 'work that it waited for was cancelled',
  dependency_rejected: 'work that it waited for was rejected'
}
