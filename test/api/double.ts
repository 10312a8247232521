import type { JsonObject } from '../../src/base/json.js'
import { badRequest, conflict, refusal } from '../../src/base/refusal.js'
import { type Result, fail, ok } from '../../src/base/result.js'
import type { AgentDoor, Once, OwnerDoor } from '../../src/flows/doors.js'
import type { ChangedRoom } from '../../src/flows/views/pages.js'
import type { ActionAnswer, TaskView, TranscriptView, WriteAnswer } from '../../src/flows/views/tasks.js'
import { parseContract } from '../../src/tasks/envelope/contract.js'
import { createOwnerDouble } from './double-owner.js'
import {
  ALICE,
  AT,
  BOB,
  OFFER,
  PROPOSAL_ID,
  TASK_ID,
  UID,
  agentApproval,
  contactView,
  envelopeView,
  taskView
} from './views.js'

/**
 * Doors with scripted answers, to test the API by itself. Tasks live in a map; what a real node decides (types, grants,
 * contacts) is decided by marker values in the call.
 */

/** What the doors were called with, newest last. */
interface Calls {
  readonly names: string[]
  readonly inputs: unknown[]
}

export interface DoubleDoors {
  readonly agent: AgentDoor
  readonly owner: OwnerDoor
  readonly calls: Calls
  /** Wakes every waiting inbox read. */
  arrive(): void
  /** Tells every stream of changes. */
  change(...rooms: ChangedRoom[]): void
  /** Streams of changes that are open. */
  watching(): number
  /** Inbox reads that wait now. */
  waiting(): number
}

export function createDoubleDoors(): DoubleDoors {
  const calls: Calls = { names: [], inputs: [] }
  const tasks = new Map<string, TaskView>()
  const stored = new Map<string, { bodyHash: string; answer: unknown }>()
  const waiters = new Set<() => void>()
  const note = (name: string, input: unknown): void => {
    calls.names.push(name)
    calls.inputs.push(input)
  }

  function write<A>(
    name: string,
    input: { readonly proposal?: JsonObject; readonly action?: string },
    once: Once | undefined,
    make: () => A
  ) {
    note(name, input)
    if (input.proposal?.homeAddress !== undefined) {
      return fail(badRequest('undeclared_field', 'the type does not declare this field', 'proposal.homeAddress'))
    }
    if (input.proposal?.dietaryNotes !== undefined && name === 'createTask') {
      const more = { denied: ['disclose.dietary'], fields: ['dietaryNotes'] }
      return fail(refusal('policy_denied', 'your owner denies this: leave the fields out', more))
    }
    const before = once === undefined ? undefined : stored.get(once.key)
    if (before !== undefined && before.bodyHash !== once?.bodyHash) {
      return fail(conflict('idempotency_conflict', 'this key was used with another body'))
    }
    if (before !== undefined) return ok({ answer: before.answer as A, replayed: true })
    const answer = make()
    if (once !== undefined) stored.set(once.key, { bodyHash: once.bodyHash, answer })
    return ok({ answer, replayed: false })
  }

  function change(name: string, uid: string, input: { proposal?: JsonObject }, once: Once | undefined) {
    const task = tasks.get(uid)
    if (task === undefined) return fail(refusal('not_found', 'there is no such task'))
    return write<WriteAnswer>(name, input, once, () => ({ status: 'sent', task }))
  }

  function transcriptOf(uid: string): Result<TranscriptView> {
    if (!tasks.has(uid)) return fail(refusal('not_found', 'there is no such task'))
    const side = { agent: ALICE, messages: ['AA'] }
    const rest = { exportedBy: 'inviter', exportedAt: AT, receipts: [], covers: [], seal: 'AA' } as const
    return ok({ format: 'agentlink-transcript', v: 1, task: uid, inviter: side, invitee: side, ...rest })
  }

  const agent: AgentDoor = {
    taskTypes: async () => ({
      items: [
        { name: 'dinner.coordination', version: 1, hash: 'cd'.repeat(32), builtin: true, definition: {}, actions: [] }
      ]
    }),
    createTask: async (_agent, command, once) =>
      write<WriteAnswer>('createTask', command, once, () => {
        if (command.participant === '@ask') return { status: 'pending_approval', approvalId: UID, taskUid: UID }
        const task = taskView(command.proposal, command.title)
        tasks.set(UID, task)
        return { status: 'sent', task, created: true }
      }),
    pay: async (_agent, uid, once) => change('pay', uid, {}, once),
    deliverJob: async (_agent, uid, delivery, once) => change('deliverJob', uid, delivery, once),
    completeJob: async (_agent, uid, once) => change('completeJob', uid, {}, once),
    runAction: async (_agent, command, once) =>
      write<ActionAnswer>('runAction', command, once, () =>
        command.approvalId === undefined
          ? { status: 'pending_approval', approvalId: UID, taskUid: UID }
          : { status: 'recorded', simulated: true, recordId: UID }
      ),
    listTasks: async (_agent, options) => {
      note('listTasks', options)
      return ok(options.after === undefined ? { items: [...tasks.values()], next: UID } : { items: [] })
    },
    getTask: async (_agent, uid) => {
      const task = tasks.get(uid)
      return task === undefined ? fail(refusal('not_found', 'there is no such task')) : ok(task)
    },
    transcript: async (_agent, uid) => transcriptOf(uid),
    propose: async (_agent, uid, command, once) => change('propose', uid, command, once),
    respond: async (_agent, uid, command, once) => {
      if (command.proposalId !== PROPOSAL_ID) return fail(conflict('version_conflict', 'read the task again'))
      return change('respond', uid, {}, once)
    },
    cancel: async (_agent, uid, _command, once) => change('cancel', uid, {}, once),
    envelope: async (_agent, command) => {
      note('envelope', command)
      if (command.do === 'submit') {
        const read = parseContract(command.envelope, command.taskId ?? 'new')
        if (!read.ok) return read
      }
      if (command.do === 'claim' && command.taskId === TASK_ID) {
        return ok({ replayed: false, answer: { status: 'sent', envelope: { ...envelopeView(), state: 'working' } } })
      }
      return fail(refusal('not_found', 'there is no such task'))
    },
    listEnvelopes: async () => ok({ items: [] }),
    getEnvelope: async (_agent, taskId) =>
      taskId === TASK_ID
        ? ok(envelopeView())
        : fail(refusal('not_found', 'There is no such task. GET /v1/agent/envelopes lists them.')),
    envelopeTranscript: async (_agent, taskId) => transcriptOf(taskId),
    ownedEnvelopes: async () => ({ items: [] }),
    stageArtifacts: async () => fail(refusal('not_found', 'there is no such task')),
    stageEvidence: async () => fail(refusal('not_found', 'there is no such task')),
    inbox: async (_agent, options, signal) => {
      note('inbox', options)
      if (options.waitSeconds > 0) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiters.delete(wake)
            resolve()
          }
          waiters.add(wake)
          signal?.addEventListener('abort', wake)
          if (signal?.aborted === true) wake()
        })
      }
      return ok({ items: [], next: options.after ?? 0 })
    },
    ackInbox: async (_agent, upTo) => ok({ ackedUpTo: upTo }),
    counters: async () => ({
      unread: 1,
      tasksWaitingForMe: 2,
      envelopesQueued: 0,
      approvalsPending: 0,
      undelivered: 0
    }),
    contacts: async () => ({ items: [contactView()] }),
    offers: async () => ({ items: [OFFER] }),
    contactOffers: async (_agent, contact) => {
      note('contactOffers', contact)
      return ok({ contact: BOB, items: [OFFER], receivedAt: AT })
    },
    capabilities: async (_agent, participant) => {
      note('capabilities', participant)
      return ok({ items: [{ capability: 'disclose.budget', effect: 'ask', because: 'default' }] })
    },
    approvals: async () => ({ items: [agentApproval()] }),
    approval: async () => ok(agentApproval())
  }
  const watchers = new Set<(rooms: readonly ChangedRoom[]) => void>()
  const owner = createOwnerDouble({ note, tasks, transcriptOf, watchers })

  return {
    agent,
    owner,
    calls,
    arrive: () => [...waiters].forEach((wake) => wake()),
    change: (...rooms) => [...watchers].forEach((told) => told(rooms)),
    watching: () => watchers.size,
    waiting: () => waiters.size
  }
}
