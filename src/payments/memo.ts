import type { MessageId, TaskUid } from '../base/ids.js'

/**
 * What a payment says that it is for: the task, and the plan that was agreed (`planHash`, the `proposalId` of the agreed
 * proposal). 109 characters. Source: protocols/payments.md, "Memo".
 */
export function memoOf(taskUid: TaskUid, planHash: MessageId): string {
  return `agentlink:1:${taskUid}:${planHash}`
}
