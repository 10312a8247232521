import { type AgentId, parseTaskUid } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import { type Side, type TaskEntry, otherSide } from '../tasks/log.js'
import type { ReducedProposal } from '../tasks/negotiation.js'
import type { Report } from '../tasks/report.js'
import { type Pair, chainOf } from './chain.js'
import { jobView } from './job-view.js'
import { taskKey } from './keys.js'
import type { Tx } from './ports.js'
import type { TaskRecord } from './records/tasks.js'
import { type TaskBook, sideOf } from './task-book.js'
import type { ConfirmView, DeliveryView, ProposalView, TaskView } from './views/tasks.js'

/** Tasks as the API shows them (protocols/socket-api.md). */
export interface TaskViews {
  /** Of a record whose expiry, if it shows one, is latched: see `TaskBook.latch`. */
  task(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): TaskView
}

export function createTaskViews(components: {
  readonly book: TaskBook
  /** Why nothing gets through to a contact, when something waits. */
  readonly obstacle: (pair: Pair) => string | undefined
}): TaskViews {
  const { book, obstacle } = components

  function task(tx: Pick<Tx, 'get'>, record: TaskRecord, now: Instant): TaskView {
    const state = book.report(tx, record, now)
    const { name, version, hash } = record.type
    return {
      taskUid: record.uid,
      type: { name, version, hash },
      participant: record.peer,
      role: record.role,
      ...(record.title === undefined ? {} : { title: record.title }),
      status: state.status,
      ...(state.statusReason === undefined ? {} : { statusReason: state.statusReason }),
      ...(state.cancelRequested ? { cancelRequested: true } : {}),
      createdAt: isoOf(record.createdAt),
      expiresAt: isoOf(record.expiresAt),
      proposals: state.proposals.map((proposal) => proposalView(record, proposal)),
      ...(state.agreedProposalId === undefined ? {} : { agreedProposalId: state.agreedProposalId }),
      ...confirms(tx, record, state),
      ...job(tx, record, state, now),
      delivery: delivery(tx, record, state)
    }
  }

  function job(tx: Pick<Tx, 'get'>, record: TaskRecord, state: Report, now: Instant): Pick<TaskView, 'job'> {
    const view = jobView(tx.get('jobs', taskKey(record.agent, record.uid)), state, now)
    return view === undefined ? {} : { job: view }
  }

  function confirms(tx: Pick<Tx, 'get'>, record: TaskRecord, state: Report): Pick<TaskView, 'confirms'> {
    if (state.reduced.confirms.length === 0) return {}
    const log = book.log(tx, record)
    const found = state.reduced.confirms.flatMap(({ side, n }) => {
      const entry = log[side][n - 1]
      return entry?.kind === 'task.confirm' ? [confirmView(record, side, entry)] : []
    })
    return { confirms: found }
  }

  function delivery(tx: Pick<Tx, 'get'>, record: TaskRecord, state: Report): DeliveryView {
    const acked = chainOf(tx, record).acked
    const pending = record.mine.filter((seq) => seq > acked).length
    const reason = pending === 0 ? undefined : obstacle(record)
    if (pending > 0) return { state: 'queued', pending, ...(reason === undefined ? {} : { reason }) }
    const refused = lastRefusal(tx, record, state)
    return refused === undefined ? { state: 'delivered', pending } : { state: 'refused', pending, reason: refused }
  }

  /** The code by which the peer's node refused our last message, if it did. */
  function lastRefusal(tx: Pick<Tx, 'get'>, record: TaskRecord, state: Report): string | undefined {
    const log = book.log(tx, record)
    const own = log[sideOf(record)].filter((entry) => entry.kind !== 'task.refuse').at(-1)
    for (const entry of log[otherSide(sideOf(record))]) {
      if (entry.kind !== 'task.refuse' || entry.body.of !== own?.id) continue
      if (state.reduced.effects.get(entry.id) === 'applied') return entry.body.code
    }
    return undefined
  }

  return { task }
}

function confirmView(record: TaskRecord, side: Side, entry: Extract<TaskEntry, { kind: 'task.confirm' }>): ConfirmView {
  const { recordId, action, summary, params } = entry.body
  return { recordId, action, by: side === sideOf(record) ? 'self' : 'peer', summary, params, at: entry.at }
}

function proposalView(record: TaskRecord, proposal: ReducedProposal): ProposalView {
  return {
    proposalId: proposal.proposalId,
    version: proposal.version,
    by: proposal.side === sideOf(record) ? 'self' : 'peer',
    status: proposal.status,
    proposal: proposal.proposal,
    at: proposal.at
  }
}

/**
 * The task as far as it exists for the agent: an invite that this node refused does not, nor does a task whose creation
 * waits for the owner. Refuses with `not_found`.
 */
export function findVisible(tx: Pick<Tx, 'get'>, book: TaskBook, agent: AgentId, uid: string): Result<TaskRecord> {
  const parsed = parseTaskUid(uid)
  const record = parsed.ok ? book.find(tx, agent, parsed.value) : undefined
  if (record !== undefined && record.hidden === undefined) return ok(record)
  return fail(refusal('not_found', 'There is no such task. GET /v1/agent/tasks lists them.', { field: 'taskUid' }))
}
