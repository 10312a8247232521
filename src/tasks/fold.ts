import type { MessageId } from '../base/ids.js'
import { Notes } from '../base/notes.js'
import type { Instant } from '../base/time.js'
import { type Effect, withEffect } from './effects.js'
import { isJob } from '../types/job-type.js'
import { type Side, type TaskEntry, type TaskLog, expiryOf, inviteOf, otherSide } from './log.js'
import { merge } from './merge.js'
import { type Draft, type Reduced, apply, begin, copyOf, isPerishable, reducedOf } from './negotiation.js'
import { type Refusals, refusalsIn } from './refusals.js'

/**
 * The negotiation as a pure function of its log and a time, and the two ways in which a log grows. Logs are immutable, so
 * what a log says is worked out once, and for a longer log from the shorter one where that gives the same (a property of
 * the tests). Source: protocols/tasks.md, "Fold".
 */

interface Folded {
  readonly draft: Draft
  readonly reduced: Reduced
  /** Whether the log holds a refusal: those reach back, so what follows is folded from the start. */
  readonly refuses: boolean
}

const known = new Notes<TaskLog, Folded>()

/** Reduces a log at `now`. The log opens with its invite; every entry has its place (`checkPlace`). */
export function fold(log: TaskLog, now: Instant): Reduced {
  let folded = known.of(log)
  if (folded === undefined) {
    folded = foldAll(log)
    known.write(log, folded)
  }
  const { reduced } = folded
  return isPerishable(reduced) && now > reduced.expiresAt ? expired(reduced) : reduced
}

/** The log with one more entry, which has its place in the chain of `side`. */
export function extend(log: TaskLog, side: Side, entry: TaskEntry): TaskLog {
  const longer = withSide(log, side, [...log[side], entry])
  const folded = known.of(log)
  if (folded !== undefined && !folded.refuses && comesLast(log, side, entry))
    known.write(longer, goOn(folded, side, entry))
  return longer
}

/** The log with `coverHead` for the entries of `side` from `first` to before `last`, which a receipt is the first to cover. */
export function covered(log: TaskLog, side: Side, first: number, last: number, coverHead: number): TaskLog {
  const chain = log[side].map((entry, at) => (at < first || at >= last ? entry : { ...entry, coverHead }))
  const next = withSide(log, side, chain)
  const folded = known.of(log)
  // Only whether a refusal is late depends on it.
  if (folded !== undefined && !folded.refuses) known.write(next, folded)
  return next
}

function withSide({ inviter, invitee }: TaskLog, side: Side, chain: readonly TaskEntry[]): TaskLog {
  return side === 'inviter' ? { inviter: chain, invitee } : { inviter, invitee: chain }
}

function expired({ pendingProposalId: _, ...rest }: Reduced): Reduced {
  return { ...rest, status: 'expired' }
}

function foldAll(log: TaskLog): Folded {
  const invite = inviteOf(log)
  const refusals = refusalsIn(log)
  const effects = effectsBeforeMerge(log, refusals)
  const draft = begin(refusals.refused.get(invite.id), isJob(invite.body.type) ? 'job' : 'plan')
  for (const { side, entry } of merge(log, refusals.refused)) effects.set(entry.id, apply(draft, side, entry))
  return { draft, reduced: reducedOf(draft, effects, expiryOf(invite)), refuses: refusals.verdicts.size > 0 }
}

function effectsBeforeMerge(log: TaskLog, { refused, verdicts }: Refusals): Map<MessageId, Effect> {
  const effects = new Map<MessageId, Effect>()
  for (const [id, verdict] of verdicts) effects.set(id, verdict)
  for (const [id, code] of refused) effects.set(id, `refused:${code}`)
  for (const chain of [log.inviter, log.invitee]) {
    for (const entry of chain) if (entry.kind === 'opaque' && !refused.has(entry.id)) effects.set(entry.id, 'opaque')
  }
  return effects
}

/** Whether an entry that is added to the log is the last in merged order: it waits for all others, and none for it. */
function comesLast(log: TaskLog, side: Side, entry: TaskEntry): boolean {
  if (entry.kind === 'task.refuse' || entry.kind === 'opaque') return false
  const other = log[otherSide(side)]
  return entry.seen === other.length && (other.at(-1)?.seen ?? 0) < entry.n
}

function goOn({ draft, reduced, refuses }: Folded, side: Side, entry: TaskEntry): Folded {
  const next = copyOf(draft)
  const effects = withEffect(reduced.effects, entry.id, apply(next, side, entry))
  return { draft: next, reduced: reducedOf(next, effects, reduced.expiresAt), refuses }
}
