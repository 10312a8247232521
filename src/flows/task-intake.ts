import type { TaskUid } from '../base/ids.js'
import type { DetailCode } from '../base/refusal.js'
import { type Instant, instantOf } from '../base/time.js'
import {
  EMPTY_LOG,
  type RefuseCode,
  type TaskEntry,
  type TaskLog,
  checkPlace,
  entryOf,
  inviteOf,
  otherSide
} from '../tasks/log.js'
import { isNegotiable } from '../tasks/negotiation.js'
import { judge } from '../tasks/rules.js'
import type { Definition } from '../types/definition.js'
import type { VerifiedMessage } from '../wire/message.js'
import { auditTheirs } from './audit-tasks.js'
import { type Pair, onlyPair, sentMessage } from './chain.js'
import { forgiveDecline, noteDecline } from './declines.js'
import type { HeldInvites } from './held-invites.js'
import { type Invite, type InviteVerdict, createInviteJudge, definitionOf, expiryOfInvite } from './invite-judge.js'
import type { JobBook } from './job-book.js'
import { taskKey } from './keys.js'
import type { QuotaOptions } from './quotas.js'
import type { TaskRecord } from './records/tasks.js'
import type { Refuse } from './refuse.js'
import type { StepTx } from './steps.js'
import { type TaskBook, sideOf } from './task-book.js'
import { tellAgent } from './task-news.js'
import type { TypeBook } from './type-book.js'

/** What a peer's task message does to our copy of the task: into the log, and a signed refusal where the rules ask for it. */
export interface TaskIntake {
  /** Stages the effects of a stored message that names a task. Answers why it has none, if so. */
  take(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): DetailCode | undefined
}

/** Refusals of an invite that speak of its type: none of it is sent to this contact again. */
const TYPE_CODES: ReadonlySet<RefuseCode> = new Set<RefuseCode>(['type_mismatch', 'type_retired', 'type_not_installed'])

export function createTaskIntake(
  components: {
    readonly book: TaskBook
    readonly types: TypeBook
    readonly held: HeldInvites
    readonly refuse: Refuse
    readonly jobs: JobBook
  },
  options: { readonly quotas: QuotaOptions }
): TaskIntake {
  const { book, types, held, refuse, jobs } = components
  const judgeInvite = createInviteJudge(components, options.quotas)

  function take(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): DetailCode | undefined {
    const place = message.header.task
    if (place === undefined) return 'malformed_message'
    const record = book.find(tx, pair.agent, place.uid)
    if (record === undefined)
      return message.content?.kind === 'task.invite'
        ? openTask(tx, pair, message, message.content.body, now)
        : 'not_contact'
    // A uid is scoped to its contact: another contact that uses it speaks of nothing that we hold with it.
    if (record.peer !== pair.peer) return 'malformed_message'
    return proceed(tx, pair, record, message, now)
  }

  /** One more message in a task that we hold. */
  function proceed(
    tx: StepTx,
    pair: Pair,
    record: TaskRecord,
    message: VerifiedMessage,
    now: Instant
  ): DetailCode | undefined {
    const entry = entryOf(message)
    const log = book.log(tx, record)
    const side = otherSide(sideOf(record))
    if (!checkPlace(log, side, entry).ok) return 'malformed_message'
    const definition = types.byHash(tx, record.type.hash)?.definition ?? heldDefinition(record, log)
    const judged = wasJudged(log[sideOf(record)], entry)
    const code = judged
      ? undefined
      : judge({ log, side, entry, now, expired: record.expiredAt !== undefined, definition })
    const next = book.add(tx, record, 'theirs', message, now)
    if (code !== undefined) {
      refuse(tx, next, message.id, code, now)
      return code
    }
    noteRefusal(tx, next, entry, now)
    jobs.noted(tx, next, entry, now)
    // The peer took it back, or time did: nobody is asked any more.
    if (next.held === true && !isNegotiable(book.report(tx, next, now).reduced.status)) held.drop(tx, next, now)
    auditTheirs(tx, pair, message, book.report(tx, next, now).reduced.effects.get(message.id), now)
    // A second invite opens nothing, and of a task that was refused the agent knows nothing.
    if (next.hidden !== true && entry.kind !== 'task.invite') tellAgent(tx, next, message, now)
    return undefined
  }

  /** The first message of a task: the invite decides whether there is one. */
  function openTask(
    tx: StepTx,
    pair: Pair,
    message: VerifiedMessage,
    invite: Invite,
    now: Instant
  ): DetailCode | undefined {
    const place = message.header.task
    const entry = entryOf(message)
    if (place === undefined || !checkPlace(EMPTY_LOG, 'inviter', entry).ok) return 'malformed_message'
    const mine = takeOrphans(tx, pair, place.uid)
    const before = mine.map((seq) => entryOf(sentMessage(tx, pair, seq)))
    const judged = wasJudged(before, entry)
    const verdict: InviteVerdict = judged ? { is: 'open' } : judgeInvite(tx, pair, message, invite, now)
    const hidden = verdict.is !== 'open' || before.some((own) => isRefusalOf(own, entry))
    if (judged && !hidden) keepType(tx, invite, now)
    const record = book.open(
      tx,
      {
        ...onlyPair(pair),
        uid: place.uid,
        role: 'invitee',
        type: typeOf(tx, invite),
        createdAt: now,
        expiresAt: expiryOfInvite(invite),
        mine,
        covers: [],
        theirs: [],
        waiting: false,
        ...(hidden ? { hidden: true } : {}),
        ...(verdict.is === 'held' ? { held: true } : {})
      },
      message,
      now
    )
    const code = verdict.is === 'held' ? hold(tx, record, now) : codeOf(verdict)
    if (code !== 'type_mismatch') forgiveDecline(tx, pair, invite.type.hash)
    if (code !== undefined) {
      refuse(tx, book.find(tx, pair.agent, place.uid) ?? record, message.id, code, now)
      return code
    }
    auditTheirs(tx, pair, message, undefined, now)
    if (!hidden) tellAgent(tx, record, message, now)
    return undefined
  }

  /** Asks the owner; the code by which the invite is refused when nobody can be asked. */
  function hold(tx: StepTx, record: TaskRecord, now: Instant): RefuseCode | undefined {
    if (held.ask(tx, record, now).ok) return undefined
    book.unhold(tx, record, now)
    return 'type_not_installed'
  }

  /** What we wrote in this task shows that its type was installed here, before this home lost it. */
  function keepType(tx: StepTx, invite: Invite, now: Instant): void {
    const type = types.byHash(tx, invite.type.hash) === undefined ? definitionOf(invite) : undefined
    if (type !== undefined) types.install(tx, type, now)
  }

  /** Whether the peer's node refused our invite for its type: the same is not sent again. */
  function noteRefusal(tx: StepTx, record: TaskRecord, entry: TaskEntry, now: Instant): void {
    if (entry.kind !== 'task.refuse' || record.role !== 'inviter' || !TYPE_CODES.has(entry.body.code)) return
    const isOfInvite = book.log(tx, record).inviter[0]?.id === entry.body.of
    const { effects } = book.report(tx, record, now).reduced
    if (!isOfInvite || effects.get(entry.id) !== 'applied') return
    noteDecline(tx, record, { by: 'peer', type: record.type, code: entry.body.code, at: now })
  }

  /** The installed definition says what the type is called; the invite's own words count only where there is none. */
  function typeOf(tx: StepTx, invite: Invite): TaskRecord['type'] {
    const { name, version, hash } = types.byHash(tx, invite.type.hash) ?? invite.type
    return { name, version, hash }
  }

  return { take }
}

/**
 * Whether we judged a message of the peer before: we refused it, or counted it in a message of ours. So it is when a
 * restored backup makes the peer send it again; a second judgement, by another time, would contradict the first.
 */
function wasJudged(own: readonly TaskEntry[], entry: TaskEntry): boolean {
  return own.some((mine) => isRefusalOf(mine, entry) || (mine.kind !== 'task.refuse' && mine.seen >= entry.n))
}

function isRefusalOf(mine: TaskEntry, entry: TaskEntry): boolean {
  return mine.kind === 'task.refuse' && mine.body.of === entry.id
}

function codeOf(verdict: InviteVerdict): RefuseCode | undefined {
  return verdict.is === 'refused' ? verdict.code : undefined
}

/** What a held task's proposals are checked against: the definition that its invite carries, and that may be installed. */
function heldDefinition(record: TaskRecord, log: TaskLog): Definition | undefined {
  return record.held === true ? definitionOf(inviteOf(log).body)?.definition : undefined
}

/** Rebuilds our own side of a task from a message of ours that the peer showed us after we lost it. */
export function adoptOwnTask(
  tx: StepTx,
  { book, types, jobs }: { readonly book: TaskBook; readonly types: TypeBook; readonly jobs: JobBook },
  pair: Pair,
  message: VerifiedMessage,
  now: Instant
): void {
  const place = message.header.task
  if (place === undefined) return
  const known = book.find(tx, pair.agent, place.uid)
  if (known !== undefined && known.peer === pair.peer) {
    jobs.noted(tx, book.add(tx, known, 'mine', message, now), entryOf(message), now)
    return
  }
  if (known !== undefined) return
  if (message.content?.kind !== 'task.invite') return keepOrphan(tx, pair, message, place.uid)
  const { type } = message.content.body
  const definition = definitionOf(message.content.body)
  // We invited with it, so it was installed here.
  if (definition !== undefined && types.byHash(tx, type.hash) === undefined) types.install(tx, definition, now)
  book.open(
    tx,
    {
      ...onlyPair(pair),
      uid: place.uid,
      role: 'inviter',
      type: { name: type.name, version: type.version, hash: type.hash },
      createdAt: instantOf(message.header.at) ?? now,
      expiresAt: expiryOfInvite(message.content.body),
      mine: [],
      covers: [],
      theirs: [],
      waiting: false
    },
    message,
    now
  )
}

/** Our part of a task whose invite was lost with it: it waits for the peer to send the invite again. */
function keepOrphan(tx: StepTx, pair: Pair, message: VerifiedMessage, uid: TaskUid): void {
  const key = taskKey(pair.agent, uid)
  tx.put('orphans', key, [...(tx.get('orphans', key) ?? []), message.header.seq])
}

function takeOrphans(tx: StepTx, pair: Pair, uid: TaskUid): readonly number[] {
  const key = taskKey(pair.agent, uid)
  const orphans = tx.get('orphans', key)
  if (orphans === undefined) return []
  tx.del('orphans', key)
  return orphans
}
