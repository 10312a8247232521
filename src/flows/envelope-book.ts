import type { AgentId, TaskUid } from '../base/ids.js'
import { type Result, fail } from '../base/result.js'
import type { Instant } from '../base/time.js'
import { type EnvelopeEntry, type EnvelopeLog, envelopeEntryOf, submitOf } from '../tasks/envelope/log.js'
import { isTerminal } from '../tasks/envelope/lifecycle.js'
import { type EnvelopeReport, type EnvelopeReportInput, reportEnvelope } from '../tasks/envelope/report.js'
import { type EnvelopeDraft, wouldApplyEnvelope } from '../tasks/envelope/rules.js'
import { coverOf, otherSide } from '../tasks/log.js'
import type { Contract } from '../wire/envelope-bodies.js'
import type { TaskPlace, VerifiedMessage } from '../wire/message.js'
import type { Receipt } from '../wire/receipt.js'
import { chainOf, onlyPair, receivedMessage, restoring, sentMessage } from './chain.js'
import { changeDesk } from './inbox.js'
import { dueKey, taskIdKey, taskKey, taskOrderKey } from './keys.js'
import type { Tx } from './ports.js'
import { countEnvelope } from './quotas.js'
import { Readings } from './readings.js'
import type { EnvelopeRecord } from './records/envelopes.js'

/**
 * Delegated tasks as this node holds them: records that point into the two chains. A state is always the fold of the log;
 * only the end that was reported first is kept (protocols/envelopes.md, "Report").
 */
export interface EnvelopeBook {
  find(tx: Pick<Tx, 'get'>, agent: AgentId, uid: TaskUid): EnvelopeRecord | undefined
  log(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): EnvelopeLog
  /** The contract as it came; the recipient's agent reads the bound copy alone. */
  contract(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): Contract
  nextPlace(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): TaskPlace
  report(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): EnvelopeReport
  /** Whether a message of ours, sealed now, would have effect. Refuses as `tasks/envelope/rules.ts` does. */
  wouldApply(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, draft: EnvelopeDraft, now: Instant): Result<void>
  /** Stages a new task with its first entry. */
  open(tx: Tx, record: EnvelopeRecord, first: VerifiedMessage, now: Instant): EnvelopeRecord
  /** Stages one more entry of our chain, or of the peer's. */
  add(tx: Tx, record: EnvelopeRecord, whose: 'mine' | 'theirs', message: VerifiedMessage, now: Instant): EnvelopeRecord
  /** Stages what a receipt says of the own entries that it is the first to cover. */
  cover(tx: Tx, record: EnvelopeRecord, receipt: Pick<Receipt, 'upTo' | 'head'>, now: Instant): EnvelopeRecord
  /** Whether an end is there that was not kept yet. */
  mustLatch(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): boolean
  /** Stages the end that is reported now, if there is one: no other ever follows it. */
  latch(tx: Tx, record: EnvelopeRecord, now: Instant): EnvelopeRecord
}

export function createEnvelopeBook(): EnvelopeBook {
  const logs = new Readings<EnvelopeRecord, EnvelopeLog>()

  function log(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): EnvelopeLog {
    const known = logs.of(record)
    if (known !== undefined) return known
    const mine = record.mine.map((seq, at) => envelopeEntryOf(sentMessage(tx, record, seq), record.covers[at]))
    const theirs = record.theirs.map((seq) => envelopeEntryOf(receivedMessage(tx, record, seq)))
    const made = record.role === 'inviter' ? { inviter: mine, invitee: theirs } : { inviter: theirs, invitee: mine }
    return logs.keep(record, made)
  }

  function inputOf(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): EnvelopeReportInput {
    const inSeq = chainOf(tx, record).in.seq
    return { log: log(tx, record), self: record.role, now, inSeq, ended: record.ended }
  }

  function report(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): EnvelopeReport {
    return reportEnvelope(inputOf(tx, record, now))
  }

  /** Stages the record with the badge that follows from its state. */
  function save(tx: Tx, draft: EnvelopeRecord, now: Instant): EnvelopeRecord {
    const key = taskKey(draft.agent, draft.uid)
    const before = tx.get('envelopes', key)?.turn ?? 'none'
    const state = report(tx, draft, now)
    const { open: wasOpen = false, ...rest } = draft
    const open = isOpen(draft, state)
    const record: EnvelopeRecord = { ...rest, turn: turnOf(draft, state), ...(open ? { open } : {}) }
    logs.keep(record, log(tx, draft))
    if (before !== record.turn) count(tx, record, before)
    if (open !== wasOpen) countEnvelope(tx, onlyPair(record), Number(open) - Number(wasOpen))
    tx.put('envelopes', key, record)
    return record
  }

  function count(tx: Tx, { agent, turn }: EnvelopeRecord, before: EnvelopeRecord['turn']): void {
    const change = (which: EnvelopeRecord['turn']): number => Number(turn === which) - Number(before === which)
    changeDesk(tx, agent, ({ envelopesQueued = 0, envelopesAsked = 0 }) => ({
      envelopesQueued: envelopesQueued + change('queued'),
      envelopesAsked: envelopesAsked + change('asked')
    }))
  }

  function withLog(record: EnvelopeRecord, next: EnvelopeLog): EnvelopeRecord {
    logs.keep(record, next)
    return record
  }

  function add(
    tx: Tx,
    record: EnvelopeRecord,
    whose: 'mine' | 'theirs',
    message: VerifiedMessage,
    now: Instant
  ): EnvelopeRecord {
    const before = log(tx, record)
    const side = whose === 'mine' ? record.role : otherSide(record.role)
    const entries: readonly EnvelopeEntry[] = [...before[side], envelopeEntryOf(message)]
    const next = { ...record, [whose]: [...record[whose], message.header.seq] }
    return save(tx, withLog(next, { ...before, [side]: entries }), now)
  }

  function mustLatch(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): boolean {
    if (record.ended !== undefined) return false
    const { state, cancelRequested } = report(tx, record, now)
    return !cancelRequested && isTerminal(state)
  }

  return {
    find: (tx, agent, uid) => tx.get('envelopes', taskKey(agent, uid)),
    log,
    contract: (tx, record) => submitOf(log(tx, record)).body.contract,
    nextPlace(tx, record) {
      const last = log(tx, record)[otherSide(record.role)].at(-1)
      return { uid: record.uid, n: record.mine.length + 1, seen: record.theirs.length, seenId: last?.id ?? '' }
    },
    report,
    wouldApply(tx, record, draft, now) {
      const input = inputOf(tx, record, now)
      // Our own messages count some of the peer's that are not here: they were lost with a restored backup.
      const counted = input.log[input.self].at(-1)?.seen ?? 0
      if (counted > input.log[otherSide(input.self)].length) return fail(restoring())
      return wouldApplyEnvelope(input, draft)
    },
    open(tx, record, first, now) {
      const { agent, uid, taskId } = record
      tx.put('envelopeOrder', taskOrderKey(agent, record.createdAt, uid), uid)
      const known = tx.get('envelopeIds', taskIdKey(agent, taskId)) ?? []
      tx.put('envelopeIds', taskIdKey(agent, taskId), [...known, uid])
      const due = { at: record.expiresAt, kind: 'envelope', key: taskKey(agent, uid) } as const
      tx.put('due', dueKey(due.at, due.kind, due.key), due)
      // Entries of ours that are older than their submit here come back from a restored backup: they follow it.
      const opened = withFirst(tx, record, first)
      return save(tx, opened, now)
    },
    add,
    cover(tx, record, receipt, now) {
      const first = record.covers.length
      const last = record.mine.filter((seq) => seq <= receipt.upTo.seq).length
      if (first >= last) return record
      const floor = coverOf(receipt.head, chainOf(tx, record).in.seq)
      const next = { ...record, covers: [...record.covers, ...Array<number>(last - first).fill(floor)] }
      const old = log(tx, record)
      const entries = old[record.role].map((entry, at) =>
        at < first || at >= last ? entry : { ...entry, coverHead: floor }
      )
      return save(tx, withLog(next, { ...old, [record.role]: entries }), now)
    },
    mustLatch,
    latch(tx, record, now) {
      if (!mustLatch(tx, record, now)) return record
      const { state, code, reason } = report(tx, record, now)
      if (!isTerminal(state)) throw new Error('only an end is latched')
      const ended = { state, ...(code === undefined ? {} : { code }), ...(reason === undefined ? {} : { reason }) }
      return save(tx, withLog({ ...record, ended }, log(tx, record)), now)
    }
  }

  function withFirst(tx: Tx, record: EnvelopeRecord, first: VerifiedMessage): EnvelopeRecord {
    const isOurs = first.header.from === record.agent
    const whose = isOurs ? 'mine' : 'theirs'
    const next = { ...record, [whose]: [...record[whose], first.header.seq] }
    const entry = envelopeEntryOf(first)
    const mine = record.mine.map((seq) => envelopeEntryOf(sentMessage(tx, record, seq)))
    return withLog(next, isOurs ? { inviter: [entry], invitee: [] } : { inviter: [entry], invitee: mine })
  }
}

/** What our agent submitted, as long as it has not ended and nobody has asked for its end. */
function isOpen({ role }: EnvelopeRecord, { state, cancelRequested }: EnvelopeReport): boolean {
  return role === 'inviter' && !cancelRequested && !isTerminal(state)
}

function turnOf(record: EnvelopeRecord, { state, reduced, cancelRequested }: EnvelopeReport): EnvelopeRecord['turn'] {
  if (record.hidden === true || cancelRequested) return 'none'
  if (record.role === 'invitee') return state === 'submitted' ? 'queued' : 'none'
  const isOpen = state === 'input_required' || state === 'auth_required'
  return isOpen && reduced.questions.at(-1)?.answer === undefined ? 'asked' : 'none'
}
