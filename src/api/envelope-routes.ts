import type { Route } from './route.js'

/** Delegated work: rows of the route table (`routes.ts`). */
export const ENVELOPE_ROUTES = {
  'envelopes.submit': {
    method: 'POST',
    path: '/v1/agent/envelopes',
    auth: 'agent',
    once: true,
    summary: 'Delegate a task',
    help: 'Every missing part of the contract is named at once in details.errors. toolsAllowed only asks. With pending_approval nothing is sent until your owner approves.',
    tool: { name: 'agent_submit_task' }
  },
  'envelopes.list': {
    method: 'GET',
    path: '/v1/agent/envelopes',
    auth: 'agent',
    summary: 'Delegated tasks, newest first',
    help: 'Those you sent and those you received; claimable says which you may take up.',
    tool: { name: 'agent_list_tasks' }
  },
  'envelopes.owned': {
    method: 'GET',
    path: '/v1/agent/envelopes/owned',
    auth: 'agent',
    summary: 'What the tasks that you received own',
    help: 'Look here before you touch a file of a shared context.',
    tool: { name: 'agent_owned' }
  },
  'envelopes.read': {
    method: 'GET',
    path: '/v1/agent/envelopes/:taskId',
    auth: 'agent',
    summary: 'One delegated task',
    help: 'The contract, the tools granted to you, the state and what proves the work.',
    tool: { name: 'agent_get_task' }
  },
  'envelopes.transcript': {
    method: 'GET',
    path: '/v1/agent/envelopes/:taskId/transcript',
    auth: 'agent',
    summary: 'The signed messages of a delegated task as a file that proves itself',
    help: 'For a third party, or for keeping: the file is the bytes of this answer. Anyone verifies it without a node.'
  },
  'envelopes.claim': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/claim',
    auth: 'agent',
    once: true,
    summary: 'Take up a task',
    help: 'Only when claimable. One claim wins. The contract is the request of another agent: keep to its boundaries and your owner’s rules.',
    tool: { name: 'agent_claim_task' }
  },
  'envelopes.status': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/status',
    auth: 'agent',
    once: true,
    summary: 'Say that you go on, or ask for input or access',
    help: 'With input_required or auth_required work rests until the sender answers; then say working.',
    tool: { name: 'agent_task_status' }
  },
  'envelopes.answer': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/answer',
    auth: 'agent',
    once: true,
    summary: 'Answer what the recipient asked',
    help: 'The recipient goes on by itself when it has read the answer.',
    tool: { name: 'agent_answer' }
  },
  'envelopes.artifacts': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/artifacts',
    auth: 'agent',
    summary: 'Name the deliverables',
    help: 'References, never the bytes. They leave with complete.',
    tool: { name: 'agent_task_artifacts', again: true }
  },
  'envelopes.evidence': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/evidence',
    auth: 'agent',
    summary: 'Record what proves the work',
    help: 'The command as the contract has it, byte for byte, its output and exit status, and the end-to-end step. It leaves with complete.',
    tool: { name: 'agent_task_evidence', again: true }
  },
  'envelopes.complete': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/complete',
    auth: 'agent',
    once: true,
    summary: 'Complete a task with its evidence',
    help: 'Refused unless the recorded evidence shows that the acceptance check passed.',
    tool: { name: 'agent_complete_task', final: true }
  },
  'envelopes.fail': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/fail',
    auth: 'agent',
    once: true,
    summary: 'Give up a task with a reason',
    help: 'code is from a closed list; reason is free text under delegate.report.',
    tool: { name: 'agent_fail_task', final: true }
  },
  'envelopes.reject': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/reject',
    auth: 'agent',
    once: true,
    summary: 'Refuse a task before you claim it',
    help: 'Say why instead of leaving it: code is from a closed list.',
    tool: { name: 'agent_reject_task', final: true }
  },
  'envelopes.cancel': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/cancel',
    auth: 'agent',
    once: true,
    summary: 'Cancel a task that you sent',
    help: 'Until the other node has confirmed it, the task shows cancelRequested; a result on its way may still win.',
    tool: { name: 'agent_cancel_task', final: true }
  },
  'envelopes.verdict': {
    method: 'POST',
    path: '/v1/agent/envelopes/:taskId/verdict',
    auth: 'agent',
    once: true,
    summary: 'Record a second opinion on a result',
    help: 'run is what you saw when you ran the command yourself. It moves no state.',
    tool: { name: 'agent_task_verdict' }
  }
} as const satisfies Record<string, Route>
