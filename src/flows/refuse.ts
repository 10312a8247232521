import type { MessageId } from '../base/ids.js'
import type { Instant } from '../base/time.js'
import type { RefuseCode } from '../tasks/log.js'
import { record as audit } from './audit.js'
import { appendOwn, onlyPair } from './chain.js'
import type { Keyring } from './ports.js'
import type { TaskRecord } from './records/tasks.js'
import type { StepTx } from './steps.js'
import type { TaskBook } from './task-book.js'

/**
 * Seals and stages a `task.refuse` of a message of the peer in this task, and answers the record with it. It belongs into
 * the commit that stores the refused message, except where it answers a held invite (protocols/tasks.md, "Refusal").
 */
export type Refuse = (tx: StepTx, record: TaskRecord, of: MessageId, code: RefuseCode, now: Instant) => TaskRecord

export function createRefuse(components: { readonly book: TaskBook; readonly keyring: Keyring }): Refuse {
  const { book, keyring } = components
  return (tx, record, of, code, now) => {
    const pair = onlyPair(record)
    const draft = { content: { kind: 'task.refuse', body: { of, code } }, task: book.nextPlace(tx, record) } as const
    const sealed = appendOwn(tx, pair, draft, { signer: keyring.signer(pair.agent), now })
    if (!sealed.ok) throw new Error(`a refusal does not fit into a message: ${sealed.refusal.message}`)
    const about = { agent: pair.agent, contact: pair.peer, taskUid: record.uid, messageId: of, code }
    audit(tx, { at: now, who: { kind: 'node' }, what: 'task.refused', about })
    tx.after({ do: 'deliver', pair, seq: sealed.value.header.seq })
    return book.add(tx, record, 'mine', sealed.value, now)
  }
}
