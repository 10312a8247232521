import type { DetailCode, Refusal, RefusalCode } from '../../base/refusal.js'
import type { ToolRoute } from '../../api/tools.js'

/** What an agent may do after a result, in the words of its own node. No remote byte ever gets into one of these. */

const AFTER: Readonly<Record<RefusalCode, string>> = {
  bad_request:
    'Correct what remote.error.details.field names; the input schema and the definition of the type say what is taken.',
  unauthorized: 'The token does not open this. Tell your owner; do not look for another one.',
  policy_denied:
    'Your owner denies what remote.error.details.denied names. Leave the fields out that remote.error.details.fields names; never put what they say anywhere else.',
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
const OVER_LIMIT =
  "Nothing was paid: your owner's limit on payments does not allow it. Tell your owner, who alone can change it."
const ASK_AGAIN =
  'Read the task. If this still makes sense, make the call again without approvalId: your owner is asked anew.'

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
  task_id_ambiguous: 'Name the task by one of remote.error.details.taskUids.',
  type_ambiguous: 'Name the type by one of remote.error.details.hashes.',
  idempotency_conflict: 'That idempotencyKey belongs to another call. Leave it out.',
  agreement_not_settled: 'The other node has not stored the acceptance yet. Make the same call again later.',
  approval_mismatch:
    'This is not what your owner approved. Make exactly the call that was approved, or leave approvalId out: your owner is asked anew.',
  approval_expired: ASK_AGAIN,
  approval_stale: ASK_AGAIN,
  invite_refused: 'Do not send this again, nor under another type. Tell your owner.',
  over_job_limit: OVER_LIMIT,
  over_day_limit: OVER_LIMIT,
  too_many_tasks:
    'Nothing was changed. You have as many open tasks as you may: bring some to an end (agentlink_tasks lists them, agentlink_cancel_task ends one), then call again.',
  too_many_envelopes:
    'Nothing was changed. You have as many delegated tasks under way as you may: wait until some have ended, or cancel some (agent_list_tasks, agent_cancel_task), then call again.',
  too_many_approvals:
    'Nothing was changed. Too many questions wait for your owner: tell them, and call again when some are answered (agentlink_approvals lists them).',
  queue_full:
    'Nothing was changed. Too much waits for this contact: call again when agentlink_contacts shows less undelivered.'
}

/** What else than waiting helps, where `retryAfter` is said. */
const BESIDE_WAITING: { readonly [code in DetailCode]?: string } = {
  too_many_calls: ' To hear of news, call agent_inbox with wait instead of asking again and again.',
  too_many_waits: ' You have too many waiting calls open: let one end, or call agent_inbox without wait.'
}

/** After a refusal of the node. */
export function afterRefusal({ code, details }: Refusal): string {
  const rule = details.code as DetailCode
  if (Array.isArray(details['faults']))
    return 'Correct every part that remote.error.details.faults names, then submit the whole contract again.'
  if (code === 'rate_limited' && typeof details.retryAfter === 'number')
    return `Nothing was changed. Wait ${details.retryAfter} s before you call again.${BESIDE_WAITING[rule] ?? ''}`
  if (code === 'policy_denied' && isEmpty(details['fields']) && AFTER_DETAIL[rule] === undefined)
    return 'Your owner does not allow this, and no field can be left out to make it pass. Tell your owner; do not try it another way.'
  return AFTER_DETAIL[rule] ?? AFTER[code]
}

/** After arguments that this program itself could not send on. */
export const WRONG_ARGUMENT = 'Correct the argument that error.field names; the input schema says what is taken.'

/** After an answer; undefined when there is nothing that the answer doesn't say itself. */
export function afterAnswer(route: ToolRoute, answer: unknown): string | undefined {
  const { status, approval } = (answer ?? {}) as { status?: unknown; approval?: { kind?: unknown; status?: unknown } }
  if (status === 'pending_approval') return `${ASKED} ${route === 'actions.run' ? THEN_REPEAT : THEN_DONE}`
  if (approval?.kind === 'action' && approval.status === 'approved')
    return 'Your owner said yes, and nothing is recorded yet: make the same call of agentlink_run_action again, with this approvalId.'
  return undefined
}

const ASKED =
  'Nothing was done yet: your owner must approve it first. Do not wait. Tell your owner that approvalId waits, and go on with other work.'
/** The kinds of questions whose yes is carried out by the node, and the one that waits for the agent (protocols/policy.md). */
const THEN_DONE =
  'After a yes your node does it by itself: do not send it again. An approval.answered comes into agent_inbox; agentlink_approval says how it stands.'
const THEN_REPEAT =
  'After a yes you must act: when agentlink_approval says approved (an approval.answered comes into agent_inbox), make the same call again, with this approvalId.'

/** There is no node to ask. */
export const NODE_DOWN = 'Nothing was changed. Tell your owner that the node is not running, and call again later.'

/** The connection broke after the call had left: it may have taken effect. */
export function outcomeUnknown(key: string | undefined): string {
  if (key === undefined) return 'Call it again: that does no harm.'
  return `It is not known whether this took effect. Call it again with the same arguments and idempotencyKey ${key}.`
}

function isEmpty(fields: unknown): boolean {
  return Array.isArray(fields) && fields.length === 0
}
