import type { DetailCode, Refusal, RefusalCode } from '../../base/refusal.js'

/** What an agent may do after a result, in the words of its own node. No remote byte ever gets into one of these. */

const AFTER: Readonly<Record<RefusalCode, string>> = {
  bad_request:
    'Correct the member that details.field names; the input schema and the definition of the type say what is taken.',
  unauthorized: 'The token does not open this. Tell your owner; do not look for another one.',
  policy_denied:
    'Your owner denies what details.denied names. Leave those fields out; never put what they say anywhere else.',
  not_found: 'Check the id. A task that waits for an approval is not there until your owner approves.',
  conflict: 'The state has moved, or does not allow this. Read it again, then decide.',
  too_large: 'Send less.',
  unsupported_media_type: 'Tell your owner: the node and this program do not fit together.',
  rate_limited: 'Nothing was changed. Waiting alone does not help: something must end first, as error.rule says.',
  disk_full: "Nothing was changed. Tell your owner: the node's disk is full.",
  unavailable: 'Nothing was changed. Try again later.',
  internal: 'The node failed. Tell your owner; its log says why.'
}

const PROVE =
  'The task goes on: do the work, run the command of the contract, and record what you saw with agent_task_evidence. Never record what you did not see.'

/** Where a detail asks for something else than its code. */
const AFTER_DETAIL: { readonly [code in DetailCode]?: string } = {
  evidence_required: PROVE,
  evidence_command_mismatch: PROVE,
  acceptance_check_failed: PROVE,
  end_to_end_not_passed: PROVE,
  already_claimed: 'Read the task: it is being worked on, by you perhaps, or it has ended.',
  dependencies_unresolved:
    'Go on with other work: an envelope.resolve comes into your inbox when a dependency has ended.',
  task_id_taken: 'Read that task with agent_get_task, or choose another taskId.',
  task_id_ambiguous: 'Name the task by one of details.taskUids.'
}

/** After a refusal of the node. */
export function afterRefusal({ code, details }: Refusal): string {
  if (Array.isArray(details['faults']))
    return 'Correct every part that details.faults names, then submit the whole contract again.'
  if (code === 'rate_limited' && typeof details.retryAfter === 'number')
    return `Nothing was changed. Wait ${details.retryAfter} s before you call again.`
  return AFTER_DETAIL[details['code'] as DetailCode] ?? AFTER[code]
}

/** After an answer; undefined when there is nothing that the answer doesn't say itself. */
export function afterAnswer(answer: unknown): string | undefined {
  return isPending(answer)
    ? 'Nothing was sent yet: your owner must approve it first. Do not wait and do not send it again. Tell your owner that approvalId ' +
        'waits, go on with other work, and look at agentlink_approval or agent_inbox later.'
    : undefined
}

/** There is no node to ask. */
export const NODE_DOWN = 'Nothing was changed. Tell your owner that the node is not running, and call again later.'

/** The connection broke after the call had left: it may have taken effect. */
export function outcomeUnknown(key: string | undefined): string {
  if (key === undefined) return 'Call it again: that does no harm.'
  return `It is not known whether this took effect. Call it again with the same arguments and idempotencyKey ${key}.`
}

function isPending(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && (answer as { status?: unknown }).status === 'pending_approval'
}
