import type { AgentId, TypeHash } from '../base/ids.js'
import type { Result } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { canonicalText } from '../base/canonical.js'
import { type Approval, type TypeSubject } from '../policy/approval.js'
import { inviteOf } from '../tasks/log.js'
import { isNegotiable } from '../tasks/negotiation.js'
import type { AgentBook } from './agents.js'
import type { AskBook, Question } from './ask-book.js'
import { mayWrite, onlyPair } from './chain.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { noteDecline } from './declines.js'
import { agentKey, pairKey } from './keys.js'
import type { Tx } from './ports.js'
import type { HeldInvite, TaskRecord } from './records/tasks.js'
import type { Refuse } from './refuse.js'
import type { StepTx } from './steps.js'
import type { TaskBook } from './task-book.js'
import { tellOfAll } from './task-news.js'
import type { TypeBook } from './type-book.js'

/**
 * Invites of types that this node does not hold. Such a task waits for the owner and does not exist for the agent until
 * then: a yes installs the type and opens it, a no refuses it, the peer's cancel and its own end take it away
 * (protocols/types.md, "Held invites").
 */
export interface HeldInvites {
  /** Whether one more may wait: what a peer can make us keep, and ask our owner, has bounds. */
  hasRoom(tx: Pick<Tx, 'get'>, pair: Pick<HeldInvite, 'agent' | 'peer'>, hash: TypeHash): boolean
  /** Stages the question about a task that was just stored as held. Refuses when too many questions are open. */
  ask(tx: StepTx, record: TaskRecord, now: Instant): Result<Approval>
  /** Stages what became of a held task by itself: it ended, so nobody needs to be asked about it. */
  drop(tx: StepTx, record: TaskRecord, now: Instant): TaskRecord
  /** Stages what a change of the installed types means for all that wait: opened, refused, or still waiting. */
  settle(tx: StepTx, now: Instant): void
  /** The same for those of contacts that became active again, and the question anew; `touched`: keys of contacts that changed. */
  resume(tx: StepTx, touched: ReadonlySet<string>, now: Instant): void
  /** Stages the owner's no to this type from this contact. */
  decline(tx: StepTx, approval: Approval<TypeSubject>, now: Instant): void
  /** Stages another question for tasks that outlive the one that expired. */
  askAgain(tx: StepTx, approval: Approval<TypeSubject>, now: Instant): void
  /** The tasks that an approval is about. */
  of(tx: Pick<Tx, 'get'>, approval: Approval<TypeSubject>): readonly HeldInvite[]
}

/** Tasks of one contact that may wait, definitions they may be of, and tasks of one agent in all. */
const MOST = { tasks: 8, definitions: 3, all: 64 } as const

export function createHeldInvites(components: {
  readonly agents: AgentBook
  readonly contacts: ContactBook
  readonly book: TaskBook
  readonly types: TypeBook
  readonly asks: AskBook
  readonly refuse: Refuse
}): HeldInvites {
  const { agents, contacts, book, types, asks, refuse } = components

  function listOf(tx: Pick<Tx, 'get'>, agent: AgentId): readonly HeldInvite[] {
    return tx.get('held', agentKey(agent)) ?? []
  }

  const hasRoom: HeldInvites['hasRoom'] = (tx, { agent, peer }, hash) => {
    const all = listOf(tx, agent)
    const theirs = all.filter((one) => one.peer === peer)
    const definitions = new Set([...theirs.map((one) => one.type.hash), hash])
    return all.length < MOST.all && theirs.length < MOST.tasks && definitions.size <= MOST.definitions
  }

  function ask(tx: StepTx, record: TaskRecord, now: Instant): Result<Approval> {
    const { agent, peer, uid, type, expiresAt } = record
    const held: HeldInvite = { agent, peer, uid, type, expiresAt }
    const raised = raise(tx, held, record, now)
    if (raised.ok) tx.put('held', agentKey(agent), [...listOf(tx, agent), held])
    return raised
  }

  /** The question is bound to the definition that the invite carries. */
  function raise(tx: StepTx, held: HeldInvite, record: TaskRecord, now: Instant): Result<Approval> {
    const { definition } = inviteOf(book.log(tx, record)).body.type
    return asks.raise(tx, questionOf(held, canonicalText(definition)), [], now)
  }

  /** Each definition is asked about once, as long as the longest task that waits for it. */
  function askAnew(tx: StepTx, waiting: readonly HeldInvite[], now: Instant): void {
    for (const one of [...waiting].sort((a, b) => b.expiresAt - a.expiresAt)) {
      const record = recordOf(tx, one)
      // The owner has too many questions open: what can't be asked can't wait either.
      if (!raise(tx, one, record, now).ok) refuseTask(tx, record, 'type_not_installed', now)
    }
  }

  function recordOf(tx: Pick<Tx, 'get'>, { agent, uid }: HeldInvite): TaskRecord {
    const record = book.find(tx, agent, uid)
    if (record === undefined) throw new Error(`task ${uid} is held and not there`)
    return record
  }

  function isHeard(tx: Pick<Tx, 'get'>, held: HeldInvite): boolean {
    const contact = contacts.find(tx, onlyPair(held))
    return contact !== undefined && requireActive(contact).ok
  }

  /** Takes it off the list, and for the task it is held no more; it stays hidden. */
  function drop(tx: StepTx, record: TaskRecord, now: Instant): TaskRecord {
    const others = listOf(tx, record.agent).filter((one) => one.uid !== record.uid)
    tx.put('held', agentKey(record.agent), others)
    return book.unhold(tx, record, now)
  }

  function settle(tx: StepTx, now: Instant): void {
    const all = agents.all().flatMap((agent) => listOf(tx, agent))
    for (const one of all) if (isHeard(tx, one)) settleOne(tx, one, now)
  }

  function resume(tx: StepTx, touched: ReadonlySet<string>, now: Instant): void {
    for (const agent of agents.all()) {
      const all = listOf(tx, agent)
      // Nearly always, and this is asked at the end of each step that touches a task.
      if (all.length === 0) continue
      const theirs = all.filter((one) => touched.has(pairKey(agent, one.peer)) && isHeard(tx, one))
      for (const one of theirs) settleOne(tx, one, now)
      const left = listOf(tx, agent).filter((one) => theirs.includes(one))
      if (left.length > 0)
        askAnew(
          tx,
          left.filter((one) => one.expiresAt > now),
          now
        )
    }
  }

  function settleOne(tx: StepTx, held: HeldInvite, now: Instant): void {
    const record = recordOf(tx, held)
    const { type } = held
    const installed = types.byHash(tx, type.hash)
    if (installed?.retired === false) return openTask(tx, record, now)
    const sameName = types.all(tx).some(({ name, version }) => name === type.name && version === type.version)
    if (installed === undefined && !sameName) return
    refuseTask(tx, record, installed === undefined ? 'type_mismatch' : 'type_retired', now)
  }

  function openTask(tx: StepTx, record: TaskRecord, now: Instant): void {
    const latched = drop(tx, book.latch(tx, record, now), now)
    if (!isNegotiable(book.report(tx, latched, now).status as 'open')) return
    const shown = book.reveal(tx, latched, now)
    tellOfAll(tx, book, shown, now)
  }

  function refuseTask(
    tx: StepTx,
    record: TaskRecord,
    code: 'type_mismatch' | 'type_retired' | 'type_not_installed',
    now: Instant
  ): void {
    // While what we lost is being fetched nothing can be written: it goes on waiting.
    if (!mayWrite(tx, record).ok) return
    const latched = drop(tx, book.latch(tx, record, now), now)
    if (book.report(tx, latched, now).status === 'expired') return
    refuse(tx, latched, inviteOf(book.log(tx, latched)).id, code, now)
  }

  const of: HeldInvites['of'] = (tx, { agent, contact, subject }) =>
    listOf(tx, agent).filter((one) => one.peer === contact && one.type.hash === subject.type.hash)

  return {
    hasRoom,
    ask,
    drop,
    settle,
    of,
    resume,
    decline(tx, approval, now) {
      for (const one of of(tx, approval)) refuseTask(tx, recordOf(tx, one), 'type_not_installed', now)
      const pair = { agent: approval.agent, peer: approval.contact }
      noteDecline(tx, pair, { by: 'owner', type: approval.subject.type, code: 'type_not_installed', at: now })
    },
    askAgain: (tx, approval, now) =>
      askAnew(
        tx,
        of(tx, approval).filter((one) => one.expiresAt > now),
        now
      )
  }
}

function questionOf(held: HeldInvite, payload: string): Question {
  return {
    agent: held.agent,
    contact: onlyPair(held).peer,
    subject: { kind: 'type', type: held.type },
    payload,
    needs: new Map(),
    until: held.expiresAt,
    task: 'known'
  }
}
