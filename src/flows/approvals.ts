import { type AgentId, parseApprovalId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import { type Answer, type Approval, answer, grantsOf, markStale, markUsed, statusAt } from '../policy/approval.js'
import type { AskBook } from './ask-book.js'
import type { ContactBook } from './contact-book.js'
import { applyGrants } from './grants.js'
import { putInInbox } from './inbox.js'
import { approvalKey } from './keys.js'
import type { Clock, Store, Tx } from './ports.js'
import type { StepTx, Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'
import type { ApprovalView, OwnerApprovalView, Page } from './views.js'

/** The owner's answers: a yes re-enters the outbound journey at once, in the same step that stores it. */
export interface Approvals {
  forAgent(agent: AgentId, id: string): Promise<Result<ApprovalView>>
  /** Newest first: ids begin with the time they were made at. */
  list(options: {
    readonly limit: number
    readonly after?: string
    readonly status?: string
  }): Promise<Result<Page<OwnerApprovalView>>>
  show(id: string): Promise<Result<OwnerApprovalView>>
  answer(id: string, given: Answer): Promise<Result<OwnerApprovalView>>
}

export function createApprovals(components: {
  readonly store: Store
  readonly steps: Steps
  readonly asks: AskBook
  readonly submit: Submit
  readonly contacts: ContactBook
  readonly book: TaskBook
  readonly clock: Clock
}): Approvals {
  const { store, steps, asks, submit, contacts, book, clock } = components

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
    const answered = answer(found.value, given, now)
    if (!answered.ok) return answered
    applyGrants(tx, answered.value.agent, grantsOf(answered.value))
    const settled = given.decision === 'approve' ? execute(tx, answered.value, now) : answered.value
    asks.settle(tx, settled)
    putInInbox(tx, {
      agent: settled.agent,
      kind: 'approval.answered',
      from: settled.agent,
      taskUid: settled.taskUid,
      at: now,
      content: { approvalId: settled.id, status: settled.status }
    })
    return ok(ownerView(tx, settled, now))
  }

  /** A yes is spent by what it executes; when the world moved it stays as a permission for exactly these bytes. */
  function execute(tx: StepTx, approval: Approval, now: Instant): Approval {
    if (!submit.resume(tx, asks.asked(approval), now).ok) return markStale(approval)
    const used = markUsed(approval, now)
    if (!used.ok) throw new Error(`a fresh yes can't be spent: ${used.refusal.message}`)
    return used.value
  }

  function view(approval: Approval, now: Instant): ApprovalView {
    return {
      approvalId: approval.id,
      kind: approval.kind,
      status: statusAt(approval, now),
      participant: approval.contact,
      taskUid: approval.taskUid,
      createdAt: isoOf(approval.createdAt),
      expiresAt: isoOf(approval.expiresAt),
      capabilities: approval.capabilities.map((asked) => asked.capability)
    }
  }

  function ownerView(tx: Pick<Tx, 'get'>, approval: Approval, now: Instant): OwnerApprovalView {
    const contact = contacts.find(tx, { agent: approval.agent, peer: approval.contact })
    const replaces = replaced(tx, approval, now)
    return {
      ...view(approval, now),
      agent: approval.agent,
      participantHandle: contact?.alias ?? contact?.handle ?? '',
      action: approval.action,
      type: approval.type,
      proposal: JSON.parse(approval.payload) as JsonObject,
      ...(replaces === undefined ? {} : { replaces })
    }
  }

  /** The plan that was the latest when the question was asked. */
  function replaced(tx: Pick<Tx, 'get'>, approval: Approval, now: Instant): JsonObject | undefined {
    const record = book.find(tx, approval.agent, approval.taskUid)
    if (record === undefined || approval.baseProposalId === undefined) return undefined
    const { proposals } = book.report(tx, record, now)
    return proposals.find((proposal) => proposal.proposalId === approval.baseProposalId)?.proposal
  }

  return {
    forAgent: (agent, id) =>
      steps.read((tx) => {
        const found = find(tx, id)
        if (found.ok && found.value.agent === agent) return ok(view(found.value, clock.now()))
        return found.ok ? fail(refusal('not_found', 'There is no such approval.', { field: 'approvalId' })) : found
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
    answer: (id, given) => steps.run((tx) => decide(tx, id, given, clock.now()))
  }
}
