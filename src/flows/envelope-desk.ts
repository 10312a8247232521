import type { TaskUid } from '../base/ids.js'
import { type Result, ok } from '../base/result.js'
import { HOUR, type Instant } from '../base/time.js'
import type { EnvelopeContent } from '../tasks/envelope/log.js'
import { isTerminal } from '../tasks/envelope/lifecycle.js'
import type { Outcome } from '../wire/envelope-bodies.js'
import type { Content } from '../wire/message.js'
import { auditOwn } from './audit-tasks.js'
import { type Pair, appendOwn, onlyPair } from './chain.js'
import type { EnvelopeBook } from './envelope-book.js'
import { release } from './envelope-owned.js'
import { putInInbox } from './inbox.js'
import { dueKey, pairKey, taskIdKey, taskKey } from './keys.js'
import type { Keyring, Tx } from './ports.js'
import type { EnvelopeRecord } from './records/envelopes.js'
import type { StepTx } from './steps.js'

/** What a node itself does in delegated tasks: seals, keeps ends, tells how dependencies ended, cancels what is over. */
export interface EnvelopeDesk {
  /** Seals one more message of ours, and what follows from it. Refuses as `appendOwn` does. */
  write(
    tx: StepTx,
    record: EnvelopeRecord,
    content: EnvelopeContent,
    now: Instant,
    disclosed?: Parameters<typeof auditOwn>[3],
    by?: 'owner'
  ): Result<EnvelopeRecord>
  /** Keeps the end that is reported now, if there is one, with all that follows from an end. */
  settle(tx: StepTx, record: EnvelopeRecord, now: Instant): EnvelopeRecord
  /** As the sender's node: resolves what has ended meanwhile, and cancels what can not go on. */
  catchUp(tx: StepTx, record: EnvelopeRecord, now: Instant): EnvelopeRecord
  /** Something of the pair arrived: own cancels may be settled by it. */
  heard(tx: StepTx, pair: Pair, now: Instant): void
  /** The time of a task is over. */
  expire(tx: StepTx, key: string, now: Instant): void
}

export function createEnvelopeDesk(components: {
  readonly book: EnvelopeBook
  readonly keyring: Keyring
}): EnvelopeDesk {
  const { book, keyring } = components

  const write: EnvelopeDesk['write'] = (tx, record, content, now, disclosed, by) => {
    const pair = onlyPair(record)
    const draft = { content: content as Content, task: book.nextPlace(tx, record) }
    const sealed = appendOwn(tx, pair, draft, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) return sealed
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
    auditOwn(tx, pair, sealed.value, disclosed, now, by)
    const next = book.add(tx, record, 'mine', sealed.value, now)
    if (content.kind === 'envelope.cancel') close(tx, next)
    return ok(settle(tx, next, now))
  }

  function settle(tx: StepTx, record: EnvelopeRecord, now: Instant): EnvelopeRecord {
    const latched = book.latch(tx, record, now)
    if (latched.ended === undefined || record.ended !== undefined) return latched
    if (record.role === 'invitee') endReceived(tx, latched, now)
    else resolveDependents(tx, latched, now)
    return latched
  }

  function endReceived(tx: StepTx, record: EnvelopeRecord, now: Instant): void {
    tx.del('staged', taskKey(record.agent, record.uid))
    if (record.hidden === true) return
    release(tx, record, book.contract(tx, record).contextID)
    if (!isTerminal(book.report(tx, record, now).reduced.state)) tell(tx, record, now)
  }

  /** The node itself ended it: no message of the peer says so. */
  function tell(tx: StepTx, record: EnvelopeRecord, now: Instant): void {
    const { state, code } = book.report(tx, record, now)
    putInInbox(tx, {
      agent: record.agent,
      kind: 'envelope.ended',
      from: record.peer,
      taskUid: record.uid,
      at: now,
      content: { taskId: record.taskId, state, ...(code === undefined ? {} : { code }) }
    })
  }

  function resolveDependents(tx: StepTx, record: EnvelopeRecord, now: Instant): void {
    const closing = tx.get('closing', pairKey(record.agent, record.peer)) ?? []
    if (closing.includes(record.uid)) {
      const left = closing.filter((uid) => uid !== record.uid)
      tx.put('closing', pairKey(record.agent, record.peer), left)
    }
    for (const uid of tx.get('dependents', taskIdKey(record.agent, record.taskId)) ?? []) {
      const dependent = book.find(tx, record.agent, uid)
      if (dependent !== undefined) catchUp(tx, dependent, now)
    }
  }

  function catchUp(tx: StepTx, record: EnvelopeRecord, now: Instant): EnvelopeRecord {
    let current = record
    for (const { taskId, outcome } of book.report(tx, record, now).dependencies) {
      if (!mayGoOn(tx, current, now)) return current
      const ended = outcome === undefined ? endOf(tx, record, taskId) : undefined
      if (ended !== undefined) current = resolve(tx, current, taskId, ended, now)
    }
    const isOver = now > current.expiresAt && mayGoOn(tx, current, now)
    return isOver ? cancel(tx, current, 'expired', now) : current
  }

  function mayGoOn(tx: StepTx, record: EnvelopeRecord, now: Instant): boolean {
    const { state, cancelRequested } = book.report(tx, record, now)
    return record.role === 'inviter' && !cancelRequested && !isTerminal(state)
  }

  /** How the task of that id ended that this agent submitted itself. */
  function endOf(tx: StepTx, { agent }: EnvelopeRecord, taskId: string): Outcome | undefined {
    const named = tx.get('envelopeIds', taskIdKey(agent, taskId)) ?? []
    const own = named.map((uid) => book.find(tx, agent, uid)).find((one) => one?.role === 'inviter')
    return own?.ended?.state
  }

  function resolve(tx: StepTx, record: EnvelopeRecord, taskId: string, outcome: Outcome, now: Instant): EnvelopeRecord {
    const said = write(tx, record, { kind: 'envelope.resolve', body: { taskId, outcome } }, now)
    if (!said.ok) return later(tx, record, now)
    return outcome === 'completed' ? said.value : cancel(tx, said.value, `dependency_${outcome}`, now)
  }

  function cancel(
    tx: StepTx,
    record: EnvelopeRecord,
    code: Extract<EnvelopeContent, { kind: 'envelope.cancel' }>['body']['code'],
    now: Instant
  ): EnvelopeRecord {
    const said = write(tx, record, { kind: 'envelope.cancel', body: { code } }, now)
    if (!said.ok) return later(tx, record, now)
    tell(tx, said.value, now)
    return said.value
  }

  /** Nothing may be written just now (a restored home fetches what it lost): the sweep comes round again. */
  function later(tx: StepTx, record: EnvelopeRecord, now: Instant): EnvelopeRecord {
    const due = { at: now + HOUR, kind: 'envelope', key: taskKey(record.agent, record.uid) } as const
    tx.put('due', dueKey(due.at, due.kind, due.key), due)
    return record
  }

  function close(tx: Tx, { agent, peer, uid }: EnvelopeRecord): void {
    const known: readonly TaskUid[] = tx.get('closing', pairKey(agent, peer)) ?? []
    if (!known.includes(uid)) tx.put('closing', pairKey(agent, peer), [...known, uid])
  }

  return {
    write,
    settle,
    catchUp,
    heard(tx, pair, now) {
      for (const uid of tx.get('closing', pairKey(pair.agent, pair.peer)) ?? []) {
        const record = book.find(tx, pair.agent, uid)
        if (record !== undefined) settle(tx, record, now)
      }
    },
    expire(tx, key, now) {
      const record = tx.get('envelopes', key)
      if (record === undefined) return
      if (record.role === 'inviter') catchUp(tx, record, now)
      else settle(tx, record, now)
    }
  }
}
