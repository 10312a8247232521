import { conflict } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import type { Content } from '../../wire/message.js'
import type { Side } from '../log.js'
import type { Report } from '../report.js'
import type { JobState } from './steps.js'

/** What a side of a paid job may write next. Source: protocols/jobs.md, "What a node writes". */

type JobContent = Extract<Content, { kind: `job.${string}` }>

/** Whether a step of ours, sealed now, would have effect. Refuses with a `conflict`. */
export function checkJobStep(self: Side, reported: Report, draft: JobContent): Result<void> {
  const { job } = reported.reduced
  if (job === undefined) return illegal('This task is no paid job (job.request@1).')
  switch (draft.kind) {
    case 'job.pay':
      return self === 'inviter' ? checkPay(reported, job, draft.body) : notYours('The hirer pays')
    case 'job.unpaid':
      return self === 'inviter' ? checkUnpaid(reported, job, draft.body.attempt) : notYours('The hirer takes it back')
    case 'job.paid':
      return self === 'invitee' ? checkPaid(reported, job, draft.body.attempt) : notYours('The provider says so')
    case 'job.deliver':
      return self === 'invitee' ? stands(reported, 'paid', 'delivered') : notYours('The provider delivers')
    case 'job.complete':
      return self === 'inviter' ? stands(reported, 'delivered', 'completed') : notYours('The hirer completes')
  }
}

type Pay = Extract<JobContent, { kind: 'job.pay' }>['body']

function checkPay(reported: Report, job: JobState, body: Pay): Result<void> {
  const agreed = reported.status === 'agreed' || reported.status === 'awaiting_approval'
  if (!agreed) return illegal(`The task is ${reported.status}: it can't be paid. Read the task again.`)
  if (reported.agreedProposalId !== body.proposalId) {
    return fail(conflict('version_conflict', 'This is not the agreed proposal. Read the task again.'))
  }
  if (!reported.settled) {
    const message = 'The other node has not yet stored the acceptance. Try again when it is delivered.'
    return fail(conflict('agreement_not_settled', message))
  }
  if (body.attempt !== job.attempts.length + 1)
    return illegal('Another payment was tried meanwhile. Read the task again.')
  const reused = job.attempts.some((earlier) => earlier.reference === body.reference)
  return reused ? illegal('This reference was used before: each attempt has its own.') : ok()
}

function checkUnpaid(reported: Report, job: JobState, attempt: number): Result<void> {
  return reported.status === 'paying' && attempt === job.attempts.length
    ? ok()
    : illegal(`The task is ${reported.status}: no payment of that number is under way.`)
}

function checkPaid(reported: Report, job: JobState, attempt: number): Result<void> {
  const open = reported.status === 'paying' || reported.status === 'agreed' || reported.status === 'awaiting_approval'
  return open && attempt <= job.attempts.length
    ? ok()
    : illegal(`The task is ${reported.status}: it takes no payment any more.`)
}

function stands(reported: Report, wanted: 'paid' | 'delivered', what: string): Result<void> {
  if (reported.status === wanted) return ok()
  return illegal(`The task is ${reported.status}: only a job that is ${wanted} can be ${what}.`)
}

function notYours(who: string): ReturnType<typeof fail> {
  return illegal(`${who}, not this side.`)
}

function illegal(message: string): ReturnType<typeof fail> {
  return fail(conflict('illegal_transition', message))
}
