import type { Instant } from '../base/time.js'
import { MINUTE, hasPassed } from '../base/time.js'
import type { Signature } from '../payments/address.js'

/**
 * Which of the transactions that name a reference are looked at next. Anybody can make as many as it pays fees for, so one
 * look takes a few, and the next goes on where it stopped (protocols/jobs.md, "Receipt of a payment").
 */
export interface Candidates {
  /** Those of one look, oldest first. `all`: what names the reference now, newest first. */
  take(all: readonly Signature[], now: Instant): readonly Signature[]
  /** There was no answer about one: it is taken again with the next look. */
  unanswered(signature: Signature): void
}

/** Of one look. */
const AT_ONCE = 50
/** After this long all are looked at again: what an RPC node tells around the signed bytes it may have told wrong. */
export const AGAIN = 10 * MINUTE

export function createCandidates(): Candidates {
  let last: Signature | undefined
  let begun: Instant | undefined
  let open: readonly Signature[] = []

  return {
    take(all, now) {
      if (begun === undefined || hasPassed(now, begun, AGAIN)) {
        begun = now
        last = undefined
      }
      const end = last === undefined ? -1 : all.indexOf(last)
      const fresh = (end === -1 ? all : all.slice(0, end)).slice(-AT_ONCE).reverse()
      last = fresh.at(-1) ?? last
      const before = open.filter((one) => !fresh.includes(one))
      open = []
      return [...before, ...fresh]
    },
    unanswered(signature) {
      if (open.length < AT_ONCE) open = [...open, signature]
    }
  }
}
