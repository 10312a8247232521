import { type AgentId, parseApprovalId } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import {
  type Answer,
  type Approval,
  type ApprovalKind,
  answer,
  grantsOf,
  isLive,
  markStale,
  markUsed,
  raisedBy,
  scopesOf,
  statusAt
} from '../policy/approval.js'
import type { Contract } from '../wire/envelope-bodies.js'
import type { AgentBook } from './agents.js'
import type { ApprovalKinds } from './approval-kinds.js'
import type { AskBook } from './ask-book.js'
import type { ContactBook } from './contact-book.js'
import type { EnvelopeBook } from './envelope-book.js'
import { applyGrants } from './grants.js'
import { putInInbox } from './inbox.js'
import type { KindRow } from './kind-row.js'
import { agentKey, approvalKey, pairKey, taskKey, typeKey } from './keys.js'
import type { Clock, Store, Tx } from './ports.js'
import type { StepTx, Steps } from './steps.js'
import type { ApprovalView, OwnerApprovalView } from './views/approvals.js'
import type { Page } from './views/pages.js'

/** The life of questions to the owner, whatever their kind: answered, expired, stale (protocols/policy.md, "Approvals"). */
export interface Approvals {
  forAgent(agent: AgentId, id: string): Promise<Result<ApprovalView>>
  /** What the agent itself asked and can still come to something, newest first. There are at most as many as may be open. */
  openOf(agent: AgentId): Promise<Page<ApprovalView>>
  /** Newest first: ids begin with the time they were made at. */
  list(options: {
    readonly limit: number
    readonly after?: string
    readonly status?: string
  }): Promise<Result<Page<OwnerApprovalView>>>
  show(id: string): Promise<Result<OwnerApprovalView>>
  /** The owner's answer. A yes that executes at once does so in the same step. */
  answer(id: string, given: Answer): Promise<Result<OwnerApprovalView>>
  /** Stages the end of one whose time has passed. */
  expire(tx: StepTx, id: string, now: Instant): void
  /** Stages the end of what an agent asked, answered or not: a restored node can't tell what of it was done already. */
  abandon(tx: StepTx, approval: Approval, now: Instant): void
  /** Stages as stale what a step made pointless; `touched`: keys of grants, contacts, tasks and types that it changed. */
  review(tx: StepTx, touched: ReadonlySet<string>, now: Instant): void
}

const NOT_THEIRS = refusal('not_found', 'There is no such approval of yours.', { field: 'approvalId' })

export function createApprovals(components: {
  readonly store: Store
  readonly steps: Steps
  readonly asks: AskBook
  readonly kinds: ApprovalKinds
  readonly agents: AgentBook
  readonly contacts: ContactBook
  readonly envelopes: Pick<EnvelopeBook, 'find' | 'contract'>
  readonly clock: Clock
}): Approvals {
  const { store, steps, asks, kinds, agents, contacts, envelopes, clock } = components

  function rowOf(approval: Approval): KindRow<ApprovalKind> {
    return kinds[approval.subject.kind] as KindRow<ApprovalKind>
  }

  function find(tx: Pick<Tx, 'get'>, id: string): Result<Approval> {
    const parsed = parseApprovalId(id)
    const approval = parsed.ok ? asks.find(tx, parsed.value) : undefined
    if (approval !== undefined) return ok(approval)
    return fail(
      refusal('not_found', 'There is no such approval. `agentlink approval list` shows them.', { field: 'approvalId' })
    )
  }

  function decide(tx: StepTx, id: string, given: Answer, now: Instant): Result<OwnerApprovalView> {
    const found = find(tx, id)
    if (!found.ok) return found
    const ready = rowOf(found.value).ready?.(tx, found.value) ?? ok()
    if (!ready.ok) return ready
    const answered = answer(found.value, given, now)
    if (!answered.ok) return answered
    // First the answer, then what follows from it: the log tells them in this order.
    asks.settle(tx, answered.value)
    applyGrants(tx, answered.value.agent, grantsOf(answered.value), {
      at: now,
      under: { approvalId: answered.value.id }
    })
    // A yes to what was stale already executes nothing: it stays as a permission.
    const settled = answered.value.status === 'approved' ? execute(tx, answered.value, now) : answered.value
    close(tx, settled, 'approval.answered', now)
    return ok(ownerView(tx, settled, now))
  }

  /** A yes is spent by what it executes; when the world moved it stays as a permission for exactly these bytes. */
  function execute(tx: StepTx, approval: Approval, now: Instant): Approval {
    const outcome = rowOf(approval).approve(tx, approval, now)
    if (outcome === 'kept') return approval
    if (outcome === 'moved') return markStale(approval)
    const used = markUsed(approval, now)
    if (!used.ok) throw new Error(`a fresh yes can't be spent: ${used.refusal.message}`)
    return used.value
  }

  /** Stages what became of an approval, and tells the agent; what its peers gave rise to does not concern it. */
  function close(tx: StepTx, approval: Approval, kind: string, now: Instant): void {
    asks.settle(tx, approval)
    if (!isLive(approval) && approval.status !== 'used') rowOf(approval).end(tx, approval, now)
    if (raisedBy(approval) === 'peer') return
    putInInbox(tx, {
      agent: approval.agent,
      kind,
      from: approval.agent,
      ...(approval.taskUid === undefined ? {} : { taskUid: approval.taskUid }),
      at: now,
      content: { approvalId: approval.id, status: approval.status }
    })
  }

  function expire(tx: StepTx, id: string, now: Instant): void {
    const found = find(tx, id)
    if (!found.ok || !isLive(found.value) || statusAt(found.value, now) !== 'expired') return
    close(tx, { ...found.value, status: 'expired' }, 'approval.expired', now)
  }

  function abandon(tx: StepTx, approval: Approval, now: Instant): void {
    if (raisedBy(approval) === 'peer') return
    const expired = { ...approval, status: 'expired' } as const
    if (isLive(approval)) close(tx, expired, 'approval.expired', now)
    // Its end was told when it became stale; a yes to it was still to be had, or to be spent.
    else if (approval.status === 'stale') asks.settle(tx, expired)
  }

  function review(tx: StepTx, touched: ReadonlySet<string>, now: Instant): void {
    for (const agent of agents.all()) {
      for (const approval of asks.live(tx, agent)) {
        if (concerns(approval, touched) && !stands(tx, approval, now)) {
          close(tx, markStale(approval), 'approval.stale', now)
        }
      }
    }
  }

  function stands(tx: Pick<Tx, 'get'>, approval: Approval, now: Instant): boolean {
    // What has expired is for the sweep to tell.
    return statusAt(approval, now) === 'expired' || rowOf(approval).standing(tx, approval, now)
  }

  function view(approval: Approval, now: Instant): ApprovalView {
    return {
      approvalId: approval.id,
      kind: approval.subject.kind,
      status: statusAt(approval, now),
      participant: approval.contact,
      ...(approval.taskUid === undefined ? {} : { taskUid: approval.taskUid }),
      createdAt: isoOf(approval.createdAt),
      expiresAt: isoOf(approval.expiresAt),
      capabilities: approval.capabilities.map((asked) => asked.capability)
    }
  }

  /** Before there is a task, what it would be about stands in the question itself. */
  function titleOf(tx: Pick<Tx, 'get'>, { agent, taskUid, subject, payload }: Approval): string | undefined {
    if (subject.kind === 'disclosure' && subject.title !== undefined) return subject.title
    if (subject.kind === 'envelope' && subject.action === 'envelope.submit') {
      return (JSON.parse(payload) as Contract).objective
    }
    if (taskUid === undefined) return undefined
    const work = envelopes.find(tx, agent, taskUid)
    return work === undefined ? tx.get('tasks', taskKey(agent, taskUid))?.title : envelopes.contract(tx, work).objective
  }

  function ownerView(tx: Pick<Tx, 'get'>, approval: Approval, now: Instant): OwnerApprovalView {
    const contact = contacts.find(tx, { agent: approval.agent, peer: approval.contact })
    const title = titleOf(tx, approval)
    return {
      ...view(approval, now),
      agent: approval.agent,
      participantHandle: contact?.alias ?? contact?.handle ?? '',
      ...(title === undefined ? {} : { title }),
      scopes: scopesOf(approval),
      ...rowOf(approval).view(tx, approval, now)
    }
  }

  return {
    forAgent: (agent, id) =>
      steps.read((tx) => {
        const found = find(tx, id)
        const isTheirs = found.ok && found.value.agent === agent && raisedBy(found.value) === 'agent'
        // One sentence for what is another's and for what is not there: nobody learns that it is.
        return isTheirs ? ok(view(found.value, clock.now())) : fail(NOT_THEIRS)
      }),
    openOf: (agent) =>
      steps.read((tx) => {
        const now = clock.now()
        const own = asks.live(tx, agent).filter((one) => raisedBy(one) === 'agent' && statusAt(one, now) !== 'expired')
        return { items: own.map((one) => view(one, now)).sort((a, b) => (a.approvalId < b.approvalId ? 1 : -1)) }
      }),
    async list({ limit, after, status }) {
      const items: OwnerApprovalView[] = []
      const now = clock.now()
      let at = after
      for (;;) {
        const page = await store.range('approvals', {
          prefix: '',
          reverse: true,
          limit: limit + 1,
          ...(at === undefined ? {} : { before: at })
        })
        for (const [, approval] of page) {
          if (items.length === limit) return ok({ items, next: items.at(-1)?.approvalId ?? '' })
          at = approvalKey(approval.id)
          if (status === undefined || statusAt(approval, now) === status) items.push(ownerView(store, approval, now))
        }
        if (page.length <= limit) return ok({ items })
      }
    },
    show: (id) =>
      steps.read((tx) => {
        const found = find(tx, id)
        return found.ok ? ok(ownerView(tx, found.value, clock.now())) : found
      }),
    answer: (id, given) => steps.run((tx) => decide(tx, id, given, clock.now())),
    expire,
    abandon,
    review
  }
}

/** Whether one of these records is what the approval rests on. */
function concerns({ agent, contact, taskUid, subject }: Approval, touched: ReadonlySet<string>): boolean {
  return (
    touched.has(agentKey(agent)) ||
    touched.has(pairKey(agent, contact)) ||
    (subject.kind === 'disclosure' && touched.has(typeKey(subject.type.hash))) ||
    (taskUid !== undefined && touched.has(taskKey(agent, taskUid)))
  )
}
