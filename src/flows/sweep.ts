import type { Instant } from '../base/time.js'
import type { Approvals } from './approvals.js'
import { record as audit } from './audit.js'
import { closeDenials } from './denials.js'
import type { EnvelopeDesk } from './envelope-desk.js'
import type { HeldInvites } from './held-invites.js'
import { putInInbox } from './inbox.js'
import { dueKey, dueUntil } from './keys.js'
import type { Clock, Log, Store } from './ports.js'
import type { DueRecord } from './records/desk.js'
import type { StepTx, Steps } from './steps.js'
import type { TaskBook } from './task-book.js'

/**
 * Deadlines are stored and polled by one sweep: a timer of 720 hours overflows, and a timer does not survive a restart.
 * Whoever reads a record compares its time as well, so nothing depends on how soon the sweep comes round.
 */
export interface Sweep {
  start(): void
  stop(): void
}

/** Deadlines handled in one round: a pile-up after a long sleep must not hold up the loop. */
const ROUND = 200

export function createSweep(
  components: {
    readonly store: Store
    readonly steps: Steps
    readonly approvals: Approvals
    readonly envelopes: EnvelopeDesk
    readonly book: TaskBook
    readonly held: HeldInvites
    /** Tells of a job that somebody lets wait. */
    readonly jobs: (tx: StepTx, key: string, now: Instant) => void
    readonly clock: Clock
    readonly log: Log
  },
  options: { readonly sweepMs: number }
): Sweep {
  const { store, steps, approvals, envelopes, book, held, jobs, clock, log } = components
  let callOff: (() => void) | undefined
  let stopped = false

  async function round(): Promise<void> {
    const due = await store.range('due', { prefix: '', before: dueUntil(clock.now()), limit: ROUND })
    // Staged together, they share a commit; a round ends when all of it is on disk.
    if (!stopped) await Promise.all(due.map(([, record]) => steps.run((tx) => settle(tx, record))))
  }

  function settle(tx: StepTx, due: DueRecord): void {
    tx.del('due', dueKey(due.at, due.kind, due.key))
    switch (due.kind) {
      case 'task':
        return expireTask(tx, due.key)
      case 'envelope':
        return envelopes.expire(tx, due.key, clock.now())
      case 'job':
        return jobs(tx, due.key, clock.now())
      case 'approval':
        return approvals.expire(tx, due.key, clock.now())
      case 'denials':
        return closeDenials(tx, due.key, clock.now())
      case 'once':
        return tx.del('once', due.key)
      case 'invite':
        return tx.del('invites', due.key)
    }
  }

  /** The agent learns that time ran out; an agreement that was reached in time goes on. */
  function expireTask(tx: StepTx, key: string): void {
    const record = tx.get('tasks', key)
    if (record === undefined) return
    // Whoever read the task before may have latched it: the item comes once all the same, for this runs once.
    const latched = book.latch(tx, record, clock.now())
    if (latched.held === true) held.drop(tx, latched, clock.now())
    if (latched.expiredAt === undefined || latched.hidden === true) return
    const { agent, peer: contact, uid: taskUid } = record
    audit(tx, { at: clock.now(), who: { kind: 'node' }, what: 'task.expired', about: { agent, contact, taskUid } })
    putInInbox(tx, {
      agent: record.agent,
      kind: 'task.expired',
      from: record.peer,
      taskUid: record.uid,
      at: clock.now(),
      content: {}
    })
  }

  function again(): void {
    if (stopped) return
    callOff = clock.wake(options.sweepMs, () => {
      round()
        .catch((error: unknown) =>
          log.warn('sweep failed', { why: error instanceof Error ? error.message : 'unknown' })
        )
        .finally(again)
    })
  }

  return {
    start: again,
    stop() {
      stopped = true
      callOff?.()
    }
  }
}
