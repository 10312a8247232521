import type { DetailCode } from '../base/refusal.js'
import { HOUR, type Instant, instantOf } from '../base/time.js'
import { bind } from '../policy/bind.js'
import { faultsOf } from '../tasks/envelope/contract.js'
import { leadsTo } from '../tasks/envelope/dependencies.js'
import { EMPTY_ENVELOPE_LOG, envelopeEntryOf, envelopeExpiry } from '../tasks/envelope/log.js'
import { envelopeUid } from '../tasks/envelope/uid.js'
import { checkPlace, otherSide } from '../tasks/log.js'
import { isBackdated } from '../tasks/rules.js'
import type { Json } from '../base/json.js'
import { NODE_REJECT_CODES, type NodeRejectCode } from '../wire/envelope-bodies.js'
import { LIMITS } from '../wire/limits.js'
import type { BodyOf } from '../wire/kinds.js'
import type { VerifiedMessage } from '../wire/message.js'
import type { Receipt } from '../wire/receipt.js'
import { auditTheirs } from './audit-tasks.js'
import { type Pair, onlyPair, sentMessage } from './chain.js'
import type { EnvelopeBook } from './envelope-book.js'
import type { EnvelopeDesk } from './envelope-desk.js'
import { liveFrom, ownerOf, take as takeOwned } from './envelope-owned.js'
import { putInInbox } from './inbox.js'
import { agentKey, taskIdKey, taskKey } from './keys.js'
import type { Tx } from './ports.js'
import type { EnvelopeRecord } from './records/envelopes.js'
import type { StepTx } from './steps.js'
import { MAX_TASK_HOURS } from './invite-judge.js'

/** What a peer's message does to our copy of a delegated task: into the log, and what the node itself rejects. */
export interface EnvelopeIntake {
  /** Whether a message in a task speaks of a delegated one here. */
  concerns(tx: Pick<Tx, 'get'>, pair: Pair, message: VerifiedMessage): boolean
  /** Stages the effects of a stored message. Answers why it has none, if so. */
  take(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): DetailCode | undefined
  /** What a receipt says of a task's own messages. */
  covered(tx: StepTx, pair: Pair, uid: EnvelopeRecord['uid'], receipt: Receipt, now: Instant): void
  /** Something of the pair arrived: own cancels may be settled by it. */
  heard(tx: StepTx, pair: Pair, now: Instant): void
  /** Rebuilds our side from a message of ours that the peer showed us after we lost it. */
  adopt(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): void
}

type Submit = BodyOf<'envelope.submit'>
interface Verdict {
  readonly code: NodeRejectCode
  readonly conflictsWith?: string
}

export function createEnvelopeIntake(components: {
  readonly book: EnvelopeBook
  readonly desk: EnvelopeDesk
}): EnvelopeIntake {
  const { book, desk } = components

  function take(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): DetailCode | undefined {
    const uid = message.header.task?.uid
    const record = uid === undefined ? undefined : book.find(tx, pair.agent, uid)
    if (record === undefined) {
      const { content } = message
      if (content?.kind !== 'envelope.submit') return 'malformed_message'
      return open(tx, pair, message, content.body, now)
    }
    return record.peer === pair.peer ? proceed(tx, record, message, now) : 'malformed_message'
  }

  function proceed(tx: StepTx, record: EnvelopeRecord, message: VerifiedMessage, now: Instant): DetailCode | undefined {
    const entry = envelopeEntryOf(message)
    const log = book.log(tx, record)
    if (!checkPlace(log, otherSide(record.role), entry).ok) return 'malformed_message'
    const ours = log[record.role]
    // What we counted before we had judged before: a second judgement, after a restore, would contradict the first.
    const judged = ours.some((own) => own.seen >= entry.n)
    const readable = entry.kind !== 'opaque' && entry.kind !== 'task.refuse'
    const backdated = readable && !judged && isBackdated(ours, entry)
    const next = book.add(tx, record, 'theirs', message, now)
    if (backdated) {
      desk.write(tx, next, { kind: 'task.refuse', body: { of: message.id, code: 'backdated' } }, now)
      return 'backdated'
    }
    const effect = book.report(tx, next, now).reduced.effects.get(message.id)
    auditTheirs(tx, onlyPair(record), message, effect, now)
    if (effect === 'applied') tellAgent(tx, next, message, now)
    const settled = desk.settle(tx, next, now)
    if (settled.role === 'inviter') desk.catchUp(tx, settled, now)
    return undefined
  }

  function open(
    tx: StepTx,
    pair: Pair,
    message: VerifiedMessage,
    submit: Submit,
    now: Instant
  ): DetailCode | undefined {
    const entry = envelopeEntryOf(message)
    const uid = message.header.task?.uid
    if (uid === undefined || entry.kind !== 'envelope.submit') return 'malformed_message'
    if (!checkPlace(EMPTY_ENVELOPE_LOG, 'inviter', entry).ok) return 'malformed_message'
    const mine = takeOrphans(tx, taskKey(pair.agent, uid))
    const before = rejectIn(tx, pair, mine)
    const verdict = mine.length > 0 ? undefined : judge(tx, pair, message, submit, now)
    const rejected = before ?? verdict?.code
    const draft: EnvelopeRecord = {
      ...onlyPair(pair),
      uid,
      role: 'invitee',
      taskId: submit.taskId,
      createdAt: now,
      expiresAt: envelopeExpiry(entry),
      mine,
      covers: [],
      theirs: [],
      toolsGranted: rejected === undefined ? bind(submit.contract, ledgerOf(tx, pair)).toolsGranted : [],
      turn: 'none',
      ...(isKeptFromAgent(rejected) ? { hidden: true as const } : {})
    }
    const record = book.open(tx, draft, message, now)
    auditTheirs(tx, pair, message, undefined, now)
    if (verdict !== undefined) {
      desk.write(tx, record, { kind: 'envelope.reject', body: verdict }, now)
      return undefined
    }
    if (rejected === undefined) takeOwned(tx, record, submit.contract)
    if (!isByNode(rejected)) tellAgent(tx, record, message, now)
    desk.settle(tx, record, now)
    return undefined
  }

  /** protocols/envelopes.md, "What a node rejects", in its order. */
  function judge(tx: StepTx, pair: Pair, message: VerifiedMessage, submit: Submit, now: Instant): Verdict | undefined {
    const { taskId, contract } = submit
    const expiresAt = Math.max(0, instantOf(submit.expiresAt) ?? 0)
    if (now > expiresAt) return { code: 'expired' }
    const codes = faultsOf(contract as unknown as Json, taskId).map((fault) => fault.code)
    const own: readonly DetailCode[] = ['self_dependency', 'duplicate_dependency']
    const tooLong = expiresAt - (instantOf(message.header.at) ?? now) > MAX_TASK_HOURS * HOUR
    const isForeign = message.header.task?.uid !== envelopeUid(pair.peer, pair.agent, taskId)
    if (tooLong || isForeign || codes.some((code) => !own.includes(code))) return { code: 'invalid_contract' }
    if (codes.includes('self_dependency')) return { code: 'self_dependency' }
    if (codes.length > 0) return { code: 'duplicate_dependency' }
    if (isCycle(tx, pair, submit)) return { code: 'dependency_cycle' }
    if (liveFrom(tx, pair.agent, pair.peer) >= LIMITS.liveEnvelopes) return { code: 'too_many_tasks' }
    const owner = ownerOf(tx, contract, now)
    if (owner === undefined) return undefined
    // Another sender's task is named to nobody.
    const isTheirs = owner.peer === pair.peer && owner.agent === pair.agent
    return { code: 'ownership_conflict', ...(isTheirs ? { conflictsWith: owner.taskId } : {}) }
  }

  function isCycle(tx: StepTx, pair: Pair, { taskId, contract }: Submit): boolean {
    const known = (id: string): readonly string[] | undefined => {
      const record = book.find(tx, pair.agent, envelopeUid(pair.peer, pair.agent, id))
      return record?.role === 'invitee' ? book.contract(tx, record).dependsOn : undefined
    }
    return (contract.dependsOn ?? []).some((id) => leadsTo(id, taskId, known))
  }

  /** The agent reads the message itself; the inbox item only points to it. */
  function tellAgent(tx: StepTx, record: EnvelopeRecord, message: VerifiedMessage, now: Instant): void {
    if (message.content === undefined || record.hidden === true) return
    const { agent, peer: from, uid: taskUid } = record
    putInInbox(tx, { agent, kind: message.content.kind, from, taskUid, seq: message.header.seq, at: now })
  }

  function adopt(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): void {
    const uid = message.header.task?.uid
    if (uid === undefined) return
    const known = book.find(tx, pair.agent, uid)
    if (known !== undefined) {
      if (known.peer === pair.peer) desk.settle(tx, book.add(tx, known, 'mine', message, now), now)
      return
    }
    const entry = envelopeEntryOf(message)
    const key = taskKey(pair.agent, uid)
    if (entry.kind !== 'envelope.submit') return tx.put('orphans', key, [...(tx.get('orphans', key) ?? []), entry.seq])
    const record: EnvelopeRecord = {
      ...onlyPair(pair),
      uid,
      role: 'inviter',
      taskId: entry.body.taskId,
      createdAt: instantOf(message.header.at) ?? now,
      expiresAt: envelopeExpiry(entry),
      mine: [],
      covers: [],
      theirs: [],
      turn: 'none'
    }
    book.open(tx, record, message, now)
    noteDependencies(tx, record, entry.body.contract.dependsOn)
  }

  return {
    concerns(tx, pair, message) {
      const uid = message.header.task?.uid
      if (uid === undefined || tx.get('tasks', taskKey(pair.agent, uid)) !== undefined) return false
      return message.header.kind.startsWith('envelope.') || book.find(tx, pair.agent, uid) !== undefined
    },
    take,
    covered(tx, pair, uid, receipt, now) {
      const record = book.find(tx, pair.agent, uid)
      if (record !== undefined && record.peer === pair.peer) desk.settle(tx, book.cover(tx, record, receipt, now), now)
    },
    heard: desk.heard,
    adopt
  }
}

/** Stages which tasks wait for which: the end of one is told to the others. */
export function noteDependencies(tx: Tx, record: EnvelopeRecord, dependsOn: readonly string[] = []): void {
  for (const taskId of new Set(dependsOn)) {
    const key = taskIdKey(record.agent, taskId)
    tx.put('dependents', key, [...(tx.get('dependents', key) ?? []), record.uid])
  }
}

function ledgerOf(tx: Pick<Tx, 'get'>, { agent }: Pair): readonly string[] {
  return tx.get('ledgers', agentKey(agent)) ?? []
}

/** The code of a reject among messages of ours that are older here than the task: they came back to a restored home. */
function rejectIn(tx: Tx, pair: Pair, mine: readonly number[]): string | undefined {
  for (const seq of mine) {
    const { content } = sentMessage(tx, pair, seq)
    if (content?.kind === 'envelope.reject') return content.body.code
  }
  return undefined
}

function isByNode(code: string | undefined): boolean {
  return (NODE_REJECT_CODES as readonly (string | undefined)[]).includes(code)
}

/** What the node itself rejected does not exist for its agent; but a sound contract it may read, to see what collides. */
function isKeptFromAgent(code: string | undefined): boolean {
  return isByNode(code) && code !== 'ownership_conflict'
}

function takeOrphans(tx: Tx, key: string): readonly number[] {
  const orphans = tx.get('orphans', key) ?? []
  if (orphans.length > 0) tx.del('orphans', key)
  return orphans
}
