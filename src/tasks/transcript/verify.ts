/**
 * Verification of a transcript by anyone: no node, no network, nothing but the file and a time. Every signature, every
 * place in the task, every receipt, then the state anew. Source: protocols/transcripts.md, "Verification".
 */
import { equalBytes, fromBase64url } from '../../base/bytes.js'
import { badRequest } from '../../base/refusal.js'
import { type Result, ok } from '../../base/result.js'
import type { Instant } from '../../base/time.js'
import { agentIdOf } from '../../wire/keys.js'
import type { VerifiedMessage } from '../../wire/message.js'
import { openEnvelope } from '../../wire/signed-envelope.js'
import { type EnvelopeEntry, envelopeEntryOf, submitOf } from '../envelope/log.js'
import { type EnvelopeReport, reportEnvelope } from '../envelope/report.js'
import { envelopeUid } from '../envelope/uid.js'
import { fold } from '../fold.js'
import { type LogEntry, type TaskEntry, entryOf } from '../log.js'
import type { Reduced } from '../negotiation.js'
import { checkCovers, withCovers } from './covers.js'
import { type Opened, type Placed, openBoth, placeAll } from './place.js'
import { faultAt, readTranscript } from './read.js'
import { TRANSCRIPT_PURPOSE, type Transcript, digestToSeal } from './transcript.js'

/** What the transcript of a negotiation proves. */
export interface VerifiedNegotiation extends Placed<TaskEntry> {
  readonly kind: 'task'
  readonly transcript: Transcript
  /** The state at the time that was asked for. */
  readonly reduced: Reduced
}

/** What the transcript of a delegated task proves. */
export interface VerifiedEnvelope extends Placed<EnvelopeEntry> {
  readonly kind: 'envelope'
  readonly transcript: Transcript
  /** What the recipient's node reports at the time that was asked for. */
  readonly report: EnvelopeReport
}

/**
 * Verifies the bytes of a transcript and folds its log at `at`. A refusal names what does not hold: `details.field` is
 * its path in the file, `details.offset` the byte at which it begins. Codes: `too_large`, those of strict JSON,
 * `malformed_transcript`, and those of `wire/open.ts` and `wire/receipt.ts` for a message or a receipt.
 */
export function verifyTranscript(bytes: Uint8Array, at: Instant): Result<VerifiedNegotiation | VerifiedEnvelope> {
  const read = readTranscript(bytes)
  if (!read.ok) return read
  const opened = openBoth(read.value)
  if (!opened.ok) return opened
  const isEnvelope = opened.value.inviter[0]?.header.kind === 'envelope.submit'
  return isEnvelope ? verifyEnvelope(read.value, opened.value, at) : verifyNegotiation(read.value, opened.value, at)
}

function verifyNegotiation(transcript: Transcript, opened: Opened, at: Instant): Result<VerifiedNegotiation> {
  const placed = verifyLog(transcript, opened, entryOf)
  if (!placed.ok) return placed
  return ok({ kind: 'task', transcript, ...placed.value, reduced: fold(placed.value.log, at) })
}

function verifyEnvelope(transcript: Transcript, opened: Opened, now: Instant): Result<VerifiedEnvelope> {
  const placed = verifyLog(transcript, opened, envelopeEntryOf)
  if (!placed.ok) return placed
  const { log } = placed.value
  const { taskId } = submitOf(log).body
  if (transcript.task !== envelopeUid(transcript.inviter.agent, transcript.invitee.agent, taskId)) {
    return faultAt(transcript, ['task'], badRequest('malformed_transcript', `is not the uid of the task ${taskId}`))
  }
  // No cancel is under way for the recipient, so nothing hangs on how much of the sender's chain is here.
  const report = reportEnvelope({ log, self: 'invitee', now, inSeq: 0, ended: undefined })
  return ok({ kind: 'envelope', transcript, ...placed.value, report })
}

/** All but the opening of the messages and the state: places, receipts, covers, seal. */
function verifyLog<E extends LogEntry>(
  transcript: Transcript,
  opened: Opened,
  read: (message: VerifiedMessage) => E
): Result<Placed<E>> {
  const placed = placeAll(transcript, opened, read)
  if (!placed.ok) return placed
  const covered = checkCovers(transcript, placed.value.log)
  if (!covered.ok) return covered
  const sealed = checkSeal(transcript)
  return sealed.ok ? ok({ ...placed.value, log: withCovers(transcript, placed.value.log) }) : sealed
}

function checkSeal(transcript: Transcript): Result<void> {
  const { domain, payloadType } = TRANSCRIPT_PURPOSE
  const opened = openEnvelope(fromBase64url(transcript.seal) as Uint8Array, domain, payloadType)
  if (!opened.ok) return faultAt(transcript, ['seal'], opened.refusal)
  if (agentIdOf(opened.value.publicKey) !== transcript[transcript.exportedBy].agent) {
    return faultAt(transcript, ['seal'], badRequest('wrong_sender', 'signed by another agent than the exporter'))
  }
  if (equalBytes(opened.value.payload, digestToSeal(transcript))) return ok()
  return faultAt(transcript, ['seal'], badRequest('malformed_transcript', 'the file was changed after it was exported'))
}
