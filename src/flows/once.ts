import type { Json } from '../base/json.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { DAY, type Instant } from '../base/time.js'
import type { Answered, Once } from './doors.js'
import { dueKey } from './keys.js'
import type { Tx } from './ports.js'

/** Longer than the longest wait for an owner's answer and the longest task (protocols/socket-api.md). */
const KEEP_DAYS = 31

/**
 * Runs `act` at most once for a key: the same key with the same body answers the stored result. A refusal had no effect,
 * so it isn't stored and the call may be made again. Refuses with `idempotency_conflict`.
 */
export function runOnce<T>(tx: Tx, once: Once | undefined, now: Instant, act: () => Result<T>): Result<Answered<T>> {
  const known = once === undefined ? undefined : tx.get('once', once.key)
  if (once !== undefined && known !== undefined) {
    if (known.bodyHash === once.bodyHash) return ok({ answer: known.answer as T, replayed: true })
    return fail(
      conflict(
        'idempotency_conflict',
        'This Idempotency-Key was used with another body. Use a new key for a new request.'
      )
    )
  }
  const done = act()
  if (!done.ok) return done
  if (once !== undefined) {
    tx.put('once', once.key, { bodyHash: once.bodyHash, answer: done.value as Json, at: now })
    const due = { at: now + KEEP_DAYS * DAY, kind: 'once', key: once.key } as const
    tx.put('due', dueKey(due.at, due.kind, due.key), due)
  }
  return ok({ answer: done.value, replayed: false })
}
