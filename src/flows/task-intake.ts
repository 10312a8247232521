import type { TaskUid } from '../base/ids.js'
import type { DetailCode } from '../base/refusal.js'
import { HOUR, type Instant, instantOf } from '../base/time.js'
import { EMPTY_LOG, type RefuseCode, type TaskEntry, checkPlace, entryOf, otherSide } from '../tasks/log.js'
import { judge } from '../tasks/rules.js'
import type { InstalledType } from '../types/catalog.js'
import { hashOf, parseDefinition } from '../types/definition.js'
import { checkProposal } from '../types/proposal.js'
import type { Content, VerifiedMessage } from '../wire/message.js'
import { record as audit } from './audit.js'
import { auditTheirs } from './audit-tasks.js'
import { type Pair, appendOwn, onlyPair, sentMessage } from './chain.js'
import { putInInbox } from './inbox.js'
import type { Keyring } from './ports.js'
import { taskKey } from './keys.js'
import type { TaskRecord } from './records.js'
import type { StepTx } from './steps.js'
import { type TaskBook, sideOf } from './task-book.js'
import type { TypeBook } from './type-book.js'

/** What a peer's task message does to our copy of the task: into the log, and a signed refusal where the rules ask for it. */
export interface TaskIntake {
  /** Stages the effects of a stored message that names a task. Answers why it has none, if so. */
  take(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): DetailCode | undefined
}

/** Longest life of a task in hours, both ways of the wire (protocols/tasks.md, clause 7). */
export const MAX_TASK_HOURS = 720

type Invite = Extract<Content, { kind: 'task.invite' }>['body']

export function createTaskIntake(components: {
  readonly book: TaskBook
  readonly keyring: Keyring
  readonly types: TypeBook
}): TaskIntake {
  const { book, keyring, types } = components

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
    const definition = types.byHash(tx, record.type.hash)?.definition
    const judged = wasJudged(log[sideOf(record)], entry)
    const code = judged
      ? undefined
      : judge({ log, side, entry, now, expired: record.expiredAt !== undefined, definition })
    const next = book.add(tx, record, 'theirs', message, now)
    if (code !== undefined) return refuse(tx, pair, next, message, code, now)
    auditTheirs(tx, pair, message, book.report(tx, next, now).reduced.effects.get(message.id), now)
    // A second invite opens nothing, and of a task that was refused the agent knows nothing.
    if (next.hidden !== true && entry.kind !== 'task.invite') tellAgent(tx, pair, message, now)
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
    const code = wasJudged(before, entry) ? undefined : judgeInvite(tx, message, invite, now)
    const hidden = code !== undefined || before.some((own) => isRefusalOf(own, entry))
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
        ...(hidden ? { hidden: true } : {})
      },
      message,
      now
    )
    if (code !== undefined) return refuse(tx, pair, record, message, code, now)
    auditTheirs(tx, pair, message, undefined, now)
    if (!hidden) tellAgent(tx, pair, message, now)
    return undefined
  }

  function judgeInvite(tx: StepTx, message: VerifiedMessage, invite: Invite, now: Instant): RefuseCode | undefined {
    const at = instantOf(message.header.at) ?? now
    const expiresAt = expiryOfInvite(invite)
    if (now > expiresAt) return 'task_expired'
    if (expiresAt - at > MAX_TASK_HOURS * HOUR) return 'invalid_proposal'
    const known = judgeType(tx, invite)
    if (known.code !== undefined) return known.code
    return checkProposal(known.type.definition, invite.proposal).ok ? undefined : 'invalid_proposal'
  }

  /** The installed definition says what the type is called; the invite's own words count only where there is none. */
  function typeOf(tx: StepTx, invite: Invite): TaskRecord['type'] {
    const { name, version, hash } = types.byHash(tx, invite.type.hash) ?? invite.type
    return { name, version, hash }
  }

  /** protocols/types.md, "Types between two nodes". */
  function judgeType(tx: StepTx, invite: Invite): { code: RefuseCode } | { code: undefined; type: InstalledType } {
    const { name, version, hash, definition } = invite.type
    const installed = types.byHash(tx, hash)
    if (installed !== undefined)
      return installed.retired ? { code: 'type_retired' } : { code: undefined, type: installed }
    if (types.all(tx).some((type) => type.name === name && type.version === version)) return { code: 'type_mismatch' }
    const parsed = parseDefinition(definition)
    const sound = parsed.ok && hashOf(parsed.value) === hash
    return { code: sound ? 'type_not_installed' : 'type_mismatch' }
  }

  /** The refusal is sealed in the commit that stores the refused message, so that the receipt's head covers it. */
  function refuse(
    tx: StepTx,
    pair: Pair,
    record: TaskRecord,
    of: VerifiedMessage,
    code: RefuseCode,
    now: Instant
  ): RefuseCode {
    const content: Content = { kind: 'task.refuse', body: { of: of.id, code } }
    const sealed = appendOwn(
      tx,
      pair,
      { content, task: book.nextPlace(tx, record) },
      { signer: keyring.signer(pair.agent), now }
    )
    if (!sealed.ok) throw new Error(`a refusal does not fit into a message: ${sealed.refusal.message}`)
    book.add(tx, record, 'mine', sealed.value, now)
    const about = { agent: pair.agent, contact: pair.peer, taskUid: record.uid, messageId: of.id, code }
    audit(tx, { at: now, who: { kind: 'node' }, what: 'task.refused', about })
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
    return code
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

/** Before 1970 is long past, and no key of a deadline can hold it. */
function expiryOfInvite(invite: Invite): Instant {
  return Math.max(0, instantOf(invite.expiresAt) ?? 0)
}

/** The agent reads the message itself; the inbox item only points to it. */
function tellAgent(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): void {
  if (message.content === undefined || message.header.task === undefined) return
  putInInbox(tx, {
    agent: pair.agent,
    kind: message.content.kind,
    from: pair.peer,
    taskUid: message.header.task.uid,
    seq: message.header.seq,
    at: now
  })
}

/** Rebuilds our own side of a task from a message of ours that the peer showed us after we lost it. */
export function adoptOwnTask(tx: StepTx, book: TaskBook, pair: Pair, message: VerifiedMessage, now: Instant): void {
  const place = message.header.task
  if (place === undefined) return
  const known = book.find(tx, pair.agent, place.uid)
  if (known !== undefined && known.peer === pair.peer) {
    book.add(tx, known, 'mine', message, now)
    return
  }
  if (known !== undefined) return
  if (message.content?.kind !== 'task.invite') return keepOrphan(tx, pair, message, place.uid)
  const { type } = message.content.body
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
