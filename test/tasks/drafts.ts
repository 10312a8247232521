import type { MessageId } from '../../src/base/ids.js'
import type { Report } from '../../src/tasks/report.js'
import type { TaskDraft } from '../../src/tasks/rules.js'
import { PLAN, recordOf } from './entries.js'

/** What an agent may think of writing in a task that stands so, sensible or not. */
export function draftsFor({ reduced }: Report, pick: number): TaskDraft[] {
  const target =
    reduced.pendingProposalId ?? reduced.proposals[pick % Math.max(1, reduced.proposals.length)]?.proposalId
  const agreed = reduced.agreedProposalId ?? target
  const propose: TaskDraft = { kind: 'task.propose', body: { proposal: PLAN } }
  const drafts: TaskDraft[] = [propose, propose, propose]
  if (target !== undefined) {
    const accept: TaskDraft = { kind: 'task.respond', body: { proposalId: target, decision: 'accept' } }
    drafts.push(accept, accept, { kind: 'task.respond', body: { proposalId: target, decision: 'reject' } })
  }
  if (agreed !== undefined) drafts.push(confirmOf(agreed, pick), confirmOf(agreed, pick))
  if (pick % 2 === 0) drafts.push({ kind: 'task.cancel', body: {} })
  return drafts
}

function confirmOf(proposalId: MessageId, pick: number): TaskDraft {
  return {
    kind: 'task.confirm',
    body: { proposalId, action: 'calendar.hold', recordId: recordOf(pick % 5), summary: 'held', params: {} }
  }
}
