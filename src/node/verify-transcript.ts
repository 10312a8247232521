import type { EnvelopeTranscript, TaskTranscript, TranscriptReport } from '../clients/cli/transcript-report.js'
import type { JsonObject } from '../base/json.js'
import { type Result, ok } from '../base/result.js'
import { instantOf } from '../base/time.js'
import { submitOf } from '../tasks/envelope/log.js'
import { proofOf } from '../tasks/envelope/proof.js'
import { inviteOf } from '../tasks/log.js'
import {
  type VerifiedEnvelope,
  type VerifiedNegotiation,
  verifyTranscript as verify
} from '../tasks/transcript/verify.js'

type Verified = VerifiedNegotiation | VerifiedEnvelope

/** `agentlink transcript verify`: needs no home and no node. `at` is ISO 8601. Refuses as `tasks/transcript/verify.ts` does. */
export function verifyTranscript(bytes: Uint8Array, at: string): Result<TranscriptReport> {
  const verified = verify(bytes, instantOf(at) as number)
  if (!verified.ok) return verified
  const { task, inviter, invitee, exportedBy, exportedAt } = verified.value.transcript
  return ok({
    ...(verified.value.kind === 'task' ? taskOf(verified.value) : envelopeOf(verified.value)),
    task,
    inviter: inviter.agent,
    invitee: invitee.agent,
    exportedBy,
    exportedAt,
    at,
    messages: messagesOf(verified.value)
  })
}

function taskOf({ log, reduced }: VerifiedNegotiation): TaskTranscript {
  const { name, version, hash } = inviteOf(log).body.type
  return {
    kind: 'task',
    type: { name, version, hash },
    status: reduced.status,
    ...(reduced.statusReason === undefined ? {} : { statusReason: reduced.statusReason }),
    ...(reduced.agreedProposalId === undefined ? {} : { agreedProposalId: reduced.agreedProposalId }),
    proposals: reduced.proposals.map(({ proposalId, version, side, status, proposal, at }) => ({
      proposalId,
      version,
      by: side,
      status,
      proposal,
      at
    }))
  }
}

function envelopeOf({ log, report }: VerifiedEnvelope): EnvelopeTranscript {
  const { taskId, contract, expiresAt } = submitOf(log).body
  const { state, code, reason, dependencies, reduced } = report
  return {
    kind: 'envelope',
    taskId,
    state,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(reduced.conflictsWith === undefined ? {} : { conflictsWith: reduced.conflictsWith }),
    proof: proofOf(reduced),
    expiresAt,
    contract: contract as unknown as JsonObject,
    dependencies,
    ...(reduced.result === undefined ? {} : { result: reduced.result.body as unknown as JsonObject }),
    verdicts: reduced.verdicts.map(({ body }) => body as unknown as JsonObject)
  }
}

function messagesOf(verified: Verified): TranscriptReport['messages'] {
  const { effects } = verified.kind === 'task' ? verified.reduced : verified.report.reduced
  return verified.messages.map(({ side, entry }) => ({
    by: side,
    n: entry.n,
    kind: entry.kind,
    id: entry.id,
    at: entry.at,
    effect: effects.get(entry.id) ?? 'opaque'
  }))
}
