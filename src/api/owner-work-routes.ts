import type { Route } from './route.js'

/** What the owner sees of the work of all agents, and its end: rows of the route table (`routes.ts`). */
export const OWNER_WORK_ROUTES = {
  'owner.tasks.list': {
    method: 'GET',
    path: '/v1/owner/tasks',
    auth: 'owner',
    summary: 'Tasks of one agent or of all, newest first'
  },
  'owner.tasks.read': {
    method: 'GET',
    path: '/v1/owner/tasks/:taskUid',
    auth: 'owner',
    summary: 'One task: proposals of both sides, what was agreed, what waits'
  },
  'owner.tasks.cancel': {
    method: 'POST',
    path: '/v1/owner/tasks/:taskUid/cancel',
    auth: 'owner',
    summary: 'End a task, or ask for it, in place of the agent'
  },
  'owner.tasks.calendar': {
    method: 'GET',
    path: '/v1/owner/tasks/:taskUid/calendar',
    auth: 'owner',
    summary: 'An agreed plan as a calendar file, once an action on it is recorded'
  },
  'owner.tasks.transcript': {
    method: 'GET',
    path: '/v1/owner/tasks/:taskUid/transcript',
    auth: 'owner',
    summary: 'The signed messages of a task as a file that proves itself'
  },
  'owner.envelopes.list': {
    method: 'GET',
    path: '/v1/owner/envelopes',
    auth: 'owner',
    summary: 'Delegated tasks of one agent or of all, newest first'
  },
  'owner.envelopes.read': {
    method: 'GET',
    path: '/v1/owner/envelopes/:taskId',
    auth: 'owner',
    summary: 'One delegated task: contract, state, questions, result and proof'
  },
  'owner.envelopes.cancel': {
    method: 'POST',
    path: '/v1/owner/envelopes/:taskId/cancel',
    auth: 'owner',
    summary: 'Call off a task that an agent of yours delegated'
  },
  'owner.owned.list': {
    method: 'GET',
    path: '/v1/owner/owned',
    auth: 'owner',
    summary: 'What received tasks that live own of their contexts'
  },
  'owner.health.read': {
    method: 'GET',
    path: '/v1/owner/health',
    auth: 'owner',
    summary: 'From how far the node can be reached, and who is connected'
  },
  'owner.undelivered.list': {
    method: 'GET',
    path: '/v1/owner/undelivered',
    auth: 'owner',
    summary: 'What waits for the nodes of contacts, and why'
  },
  'owner.capabilities.list': {
    method: 'GET',
    path: '/v1/owner/capabilities',
    auth: 'owner',
    summary: 'What an agent may let a contact learn now, and under which rule'
  }
} as const satisfies Record<string, Route>
