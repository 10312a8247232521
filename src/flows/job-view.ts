import type { Json, JsonObject } from '../base/json.js'
import type { Instant } from '../base/time.js'
import { isoOf } from '../base/time.js'
import { jobDetail } from '../tasks/job/detail.js'
import type { Report } from '../tasks/report.js'
import { agreedPlan } from './job-terms.js'
import type { JobRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { JobView, PaymentsView } from './views/jobs.js'

/** Paid jobs as the API shows them (protocols/socket-api.md). */

/** What a task shows of its job, once its plan is agreed; undefined for any other. */
export function jobView(record: JobRecord | undefined, reported: Report, now: Instant): JobView | undefined {
  const { job } = reported.reduced
  if (job === undefined || reported.agreedProposalId === undefined) return undefined
  const { receipt, delivery, completedAt } = job
  const own = new Map(record?.attempts.map((one) => [one.attempt, one]))
  const landed = record?.attempts.some(({ state }) => state === 'landed') === true ? 'landed' : 'unseen'
  const detail = jobDetail(reported, landed, now)
  return {
    ...(detail === undefined ? {} : { detail }),
    attempts: job.attempts.map(({ attempt, reference, payer, at, state }) => {
      const signature = own.get(attempt)?.signed?.signature
      const code = own.get(attempt)?.code
      const known = { ...(signature === undefined ? {} : { signature }), ...(code === undefined ? {} : { code }) }
      return { attempt, reference, payer, at, state, ...known }
    }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(delivery === undefined ? {} : { delivery: { at: delivery.at, ...plain(delivery.body) } }),
    ...(completedAt === undefined ? {} : { completedAt })
  }
}

/** All that a node knows of the money of one job, for its owner. */
export function paymentsView(task: TaskRecord, record: JobRecord, reported: Report, now: Instant): PaymentsView {
  const view = jobView(record, reported, now)
  const { price, cluster } = agreedPlan(reported)?.plan ?? {}
  return {
    agent: task.agent,
    participant: task.peer,
    taskUid: task.uid,
    role: task.role === 'inviter' ? 'hirer' : 'provider',
    status: reported.status,
    ...(view?.detail === undefined ? {} : { detail: view.detail }),
    price: String(price),
    cluster: String(cluster),
    paid: record.attempts.map(({ attempt, terms, state, signed, code, sealedAt }) => ({
      attempt,
      state,
      terms: { ...terms },
      at: isoOf(sealedAt),
      ...(signed === undefined ? {} : { signature: signed.signature }),
      ...(code === undefined ? {} : { code })
    })),
    received: record.findings.map(({ signature, attempt, code, received, at }) => ({
      signature,
      attempt,
      code,
      lamports: received,
      at: isoOf(at)
    }))
  }
}

function plain(body: object): { readonly artifacts: readonly JsonObject[]; readonly evidence?: JsonObject } {
  return body as Json as never
}
