import type { Instant } from '../base/time.js'
import { otherSide } from '../tasks/log.js'
import { onlyPair, receivedMessage } from './chain.js'
import { putInInbox } from './inbox.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx } from './steps.js'
import { type TaskBook, sideOf } from './task-book.js'
import type { VerifiedMessage } from '../wire/message.js'

/** What an agent's inbox is told of the messages of a task. */

/** One message of the peer. The agent reads the message itself; the inbox item only points to it. */
export function tellAgent(tx: StepTx, record: TaskRecord, message: VerifiedMessage, now: Instant): void {
  if (message.content === undefined) return
  putInInbox(tx, {
    agent: record.agent,
    kind: message.content.kind,
    from: record.peer,
    taskUid: record.uid,
    seq: message.header.seq,
    at: now
  })
}

/** All that the peer has written in a task that the agent did not know of, but for what has no effect. */
export function tellOfAll(tx: StepTx, book: TaskBook, record: TaskRecord, now: Instant): void {
  const { effects } = book.report(tx, record, now).reduced
  for (const entry of book.log(tx, record)[otherSide(sideOf(record))]) {
    if (effects.get(entry.id) === 'applied')
      tellAgent(tx, record, receivedMessage(tx, onlyPair(record), entry.seq), now)
  }
}
