import type { MessageId } from '../../base/ids.js'
import { type DetailCode, conflict } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import type { EnvelopeState } from '../../wire/envelope-bodies.js'
import { isFull, otherSide } from '../log.js'
import { type EnvelopeEffect, foldEnvelope } from './fold.js'
import { isTerminal } from './lifecycle.js'
import { type EnvelopeContent, type EnvelopeEntry, type EnvelopeLog } from './log.js'
import { type EnvelopeReport, type EnvelopeReportInput, reportEnvelope } from './report.js'

/** What a side may write next in a delegated task. Source: protocols/envelopes.md, "What a node writes". */

/** What may be written into a task that is there: `envelope.submit` opens one, and `task.refuse` is the node's own. */
export type EnvelopeDraft = Exclude<EnvelopeContent, { kind: 'envelope.submit' | 'task.refuse' }>

/** Stands for the message that is not sealed yet; no digest is ever all zeros. */
const DRAFT_ID = '0'.repeat(64) as MessageId

/**
 * Whether a message of ours, sealed now, would have effect: the fold itself is asked. Refuses with a `conflict` whose
 * code says the exact lack.
 */
export function wouldApplyEnvelope(
  input: EnvelopeReportInput,
  draft: EnvelopeDraft,
  reported: EnvelopeReport = reportEnvelope(input)
): Result<void> {
  if (reported.cancelRequested) {
    return no(
      'illegal_transition',
      'A cancel of this task is under way: nothing more can be written. Read it again later.'
    )
  }
  const { log, self, now } = input
  if (isTerminal(reported.state) && draft.kind !== 'envelope.verdict') return ended(reported)
  if (now > reported.reduced.expiresAt && draft.kind !== 'envelope.cancel' && !isTerminal(reported.state)) {
    return no('task_expired', 'This task is past its time: its sender cancels it.')
  }
  const effect = effectOf(log, self, draft)
  if (effect !== 'applied') return refusalOf(effect, draft, reported)
  if (!isFull(log[self], draft.kind)) return ok()
  return no('task_full', 'This side has used up its messages in this task. Open a new task.')
}

/** What the fold makes of a draft that counts everything held. */
function effectOf(
  log: EnvelopeLog,
  self: EnvelopeReportInput['self'],
  draft: EnvelopeDraft
): EnvelopeEffect | undefined {
  const own = log[self]
  const other = log[otherSide(self)]
  const entry: EnvelopeEntry = {
    ...draft,
    id: DRAFT_ID,
    seq: (own.at(-1)?.seq ?? 0) + 1,
    n: own.length + 1,
    seen: other.length,
    seenId: other.at(-1)?.id ?? '',
    at: ''
  }
  return foldEnvelope({ ...log, [self]: [...own, entry] }).effects.get(DRAFT_ID)
}

function refusalOf(
  effect: EnvelopeEffect | undefined,
  draft: EnvelopeDraft,
  reported: EnvelopeReport
): ReturnType<typeof fail> {
  const { state } = reported
  switch (effect) {
    case 'dependencies_unresolved':
      return unresolved(reported)
    case 'evidence_command_mismatch':
      return no(
        effect,
        "The evidence ran another command than the contract's passFailCommand, which counts byte for byte."
      )
    case 'acceptance_check_failed':
      return no(
        effect,
        'The recorded acceptance check did not pass: its exit status is not 0. Mend the work and check again.'
      )
    case 'end_to_end_not_passed':
      return no(effect, 'The end-to-end verification is not recorded as passed. Do it, and record it in the evidence.')
    default:
      if (draft.kind === 'envelope.claim' && state !== 'submitted') {
        return no('already_claimed', `This task is ${state}: it was claimed before. One claim wins.`)
      }
      return no('illegal_transition', `The task is ${state}. ${ALLOWED[state]}`)
  }
}

function unresolved({ dependencies }: EnvelopeReport): ReturnType<typeof fail> {
  const open = dependencies.filter((one) => one.outcome !== 'completed')
  const names = open.map((one) => (one.outcome === undefined ? one.taskId : `${one.taskId} (${one.outcome})`))
  const message = `This task waits for ${names.join(', ')}. Its sender's node says when they are done.`
  return fail(conflict('dependencies_unresolved', message, { dependencies: open }))
}

function ended(reported: EnvelopeReport): ReturnType<typeof fail> {
  const why = reported.code === undefined ? '' : ` (${reported.code})`
  return no('illegal_transition', `The task is ${reported.state}${why}. It has ended and is never reopened.`)
}

/** What may be done instead, by state. */
const ALLOWED: Readonly<Record<EnvelopeState, string>> = {
  submitted: 'The recipient claims, rejects or fails it; the sender may cancel it.',
  working: 'The recipient completes or fails it, or asks for input; the sender may cancel it.',
  input_required: 'The sender answers, the recipient goes on or fails it; the sender may cancel it.',
  auth_required: 'The sender answers, the recipient goes on or fails it; the sender may cancel it.',
  completed: 'It has ended and is never reopened.',
  failed: 'It has ended and is never reopened.',
  canceled: 'It has ended and is never reopened.',
  rejected: 'It has ended and is never reopened.'
}

function no(code: DetailCode, message: string): ReturnType<typeof fail> {
  return fail(conflict(code, message))
}
