import type { Route } from './route.js'

/** Paid jobs after their plan was agreed: rows of the route table (`routes.ts`). */
export const JOB_ROUTES = {
  'jobs.pay': {
    method: 'POST',
    path: '/v1/agent/tasks/:taskUid/payments',
    auth: 'agent',
    once: true,
    summary: 'Pay for an agreed job',
    help:
      'The hirer’s step. What is paid, and to whom, stands in the agreed plan: you give nothing. Your owner approves each payment ' +
      'unless a grant says otherwise, and limits hold in any case. The node signs once the other node has stored the promise; ' +
      'watch job.detail. There are no refunds.',
    tool: { name: 'agentlink_pay', final: true }
  },
  'jobs.deliver': {
    method: 'POST',
    path: '/v1/agent/tasks/:taskUid/deliveries',
    auth: 'agent',
    once: true,
    summary: 'Deliver a job that is paid',
    help: 'The provider’s step, once: references to what was made, and what proves it. Never before the status is paid.',
    tool: { name: 'agentlink_deliver', final: true }
  },
  'jobs.complete': {
    method: 'POST',
    path: '/v1/agent/tasks/:taskUid/completion',
    auth: 'agent',
    once: true,
    summary: 'Complete a job that was delivered',
    help: 'The hirer’s step: what was delivered is what was agreed. It ends the job.',
    tool: { name: 'agentlink_complete', final: true }
  },
  'owner.payments.list': {
    method: 'GET',
    path: '/v1/owner/payments',
    auth: 'owner',
    summary: 'The money of every job: paid, received, and what was odd about it'
  },
  'owner.wallet.read': {
    method: 'GET',
    path: '/v1/owner/wallet',
    auth: 'owner',
    summary: 'The wallet of the node: balance, limits, and what counts against them'
  }
} as const satisfies Record<string, Route>
