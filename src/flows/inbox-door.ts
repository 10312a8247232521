import type { AgentId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { type Refusal, badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { SECOND, isoOf } from '../base/time.js'
import type { VerifiedMessage } from '../wire/message.js'
import { receivedMessage } from './chain.js'
import type { AgentDoor } from './doors.js'
import type { EnvelopeBook } from './envelope-book.js'
import type { EnvelopeViews } from './envelope-view.js'
import { changeDesk, deskOf } from './inbox.js'
import { agentPrefix, countPart } from './keys.js'
import type { Clock, Store } from './ports.js'
import type { InboxRecord } from './records/desk.js'
import type { EnvelopeRecord } from './records/envelopes.js'
import type { TaskRecord } from './records/tasks.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import type { InboxItem } from './views/pages.js'

/** An agent reads its inbox: by cursor, waiting if it is empty; reading changes nothing, acknowledging is its own call. */
export interface InboxDoor extends Pick<AgentDoor, 'inbox' | 'ackInbox'> {
  /** Something arrived for the agent and is on disk. */
  arrived(agent: AgentId): void
  /** Ends all waits. */
  stop(): void
}

export function createInboxDoor(components: {
  readonly store: Store
  readonly steps: Steps
  readonly book: TaskBook
  readonly envelopes: { readonly book: EnvelopeBook; readonly views: EnvelopeViews }
  readonly clock: Clock
}): InboxDoor {
  const { store, steps, book, envelopes, clock } = components
  const waiters = new Map<AgentId, Set<() => void>>()

  /** Resolves when something arrives, the time is over, or the caller is gone. */
  function arrival(agent: AgentId, waitSeconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const group = waiters.get(agent) ?? new Set()
      waiters.set(agent, group)
      const done = (): void => {
        callOff()
        group.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const callOff = clock.wake(waitSeconds * SECOND, done)
      group.add(done)
      signal?.addEventListener('abort', done)
    })
  }

  async function read(agent: AgentId, after: number, limit: number): Promise<InboxItem[]> {
    const found = await store.range('inbox', { prefix: agentPrefix(agent), after: countPart(after), limit })
    return found.map(([, record]) => view(agent, record))
  }

  function view(agent: AgentId, record: InboxRecord): InboxItem {
    const message =
      record.seq === undefined ? undefined : receivedMessage(store, { agent, peer: record.from }, record.seq)
    return {
      cursor: record.cursor,
      kind: record.kind,
      from: record.from,
      ...(record.taskUid === undefined ? {} : { taskUid: record.taskUid }),
      at: isoOf(record.at),
      content: message === undefined ? (record.content ?? {}) : contentOf(agent, message)
    }
  }

  /** What an agent needs of a message: never the definition of a type, which it reads at `task-types`. */
  function contentOf(agent: AgentId, message: VerifiedMessage): JsonObject {
    const content = message.content
    const uid = message.header.task?.uid
    const delegated = uid === undefined ? undefined : envelopes.book.find(store, agent, uid)
    if (delegated !== undefined) return delegatedContent(delegated, message)
    const record = uid === undefined ? undefined : book.find(store, agent, uid)
    if (content?.kind === 'task.invite') {
      const { expiresAt, proposal } = content.body
      const { name, version, hash } = record?.type ?? content.body.type
      return {
        type: { name, version, hash },
        expiresAt,
        initialProposal: { proposalId: message.id, version: 1, proposal }
      }
    }
    if (content?.kind === 'task.propose') {
      const version = record === undefined ? undefined : versionOf(record, message)
      return {
        proposal: {
          proposalId: message.id,
          ...(version === undefined ? {} : { version }),
          proposal: content.body.proposal
        }
      }
    }
    return (content?.body ?? {}) as JsonObject
  }

  /** Which task, and what was said in it; of a submit the bound copy alone. */
  function delegatedContent(record: EnvelopeRecord, { content }: VerifiedMessage): JsonObject {
    const { taskId } = record
    switch (content?.kind) {
      case 'envelope.submit': {
        const { contract, toolsGranted = [] } = envelopes.views.contract(store, record)
        return { taskId, expiresAt: isoOf(record.expiresAt), contract, toolsGranted }
      }
      case 'envelope.resolve':
        return { taskId, dependency: content.body.taskId, outcome: content.body.outcome }
      default:
        return { taskId, ...((content?.body ?? {}) as JsonObject) }
    }
  }

  /** Versions follow the merged order, so a proposal that lost a crossing may have been renumbered. */
  function versionOf(record: TaskRecord, message: VerifiedMessage): number | undefined {
    return book.report(store, record, clock.now()).proposals.find((one) => one.proposalId === message.id)?.version
  }

  return {
    async inbox(agent, { after, waitSeconds, limit }, signal) {
      const { nextCursor, ackedCursor } = deskOf(store, agent)
      if (after !== undefined && after >= nextCursor) return fail(beyond(after, nextCursor - 1))
      const from = after ?? ackedCursor
      let items = await read(agent, from, limit)
      // What was staged while this looked is answered by the next look: nobody would wake us for it.
      const missed = deskOf(store, agent).nextCursor - 1 > from
      if (items.length === 0 && !missed && waitSeconds > 0 && signal?.aborted !== true) {
        await arrival(agent, waitSeconds, signal)
      }
      if (items.length === 0 && waitSeconds > 0) items = await read(agent, from, limit)
      return ok({ items, next: items.at(-1)?.cursor ?? from })
    },
    ackInbox(agent, upTo): Promise<Result<{ readonly ackedUpTo: number }>> {
      return steps.run((tx) => {
        const desk = deskOf(tx, agent)
        if (upTo >= desk.nextCursor) {
          return fail(badRequest('invalid_field', `upTo is beyond the newest item, ${desk.nextCursor - 1}.`, 'upTo'))
        }
        // Acknowledging twice, or an older cursor, changes nothing.
        if (upTo > desk.ackedCursor) changeDesk(tx, agent, () => ({ ackedCursor: upTo }))
        return ok({ ackedUpTo: Math.max(upTo, desk.ackedCursor) })
      })
    },
    arrived(agent) {
      for (const wake of [...(waiters.get(agent) ?? [])]) wake()
    },
    stop() {
      for (const group of waiters.values()) for (const wake of [...group]) wake()
    }
  }
}

function beyond(after: number, newest: number): Refusal {
  const message = `after, ${after}, is beyond the newest item, ${newest}. Read without it: you get what is not acknowledged.`
  return badRequest('invalid_field', message, 'after')
}
