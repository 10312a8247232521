import type { TranscriptReport } from '../clients/cli/launch.js'
import type { Result } from '../base/result.js'
import { ok } from '../base/result.js'
import { instantOf } from '../base/time.js'
import { inviteOf } from '../tasks/log.js'
import { verifyTranscript as verify } from '../tasks/transcript/verify.js'

/** `agentlink transcript verify`: needs no home and no node. `at` is ISO 8601. Refuses as `tasks/transcript/verify.ts` does. */
export function verifyTranscript(bytes: Uint8Array, at: string): Result<TranscriptReport> {
  const verified = verify(bytes, instantOf(at) as number)
  if (!verified.ok) return verified
  const { transcript, log, messages, reduced } = verified.value
  const { name, version, hash } = inviteOf(log).body.type
  return ok({
    task: transcript.task,
    type: { name, version, hash },
    inviter: transcript.inviter.agent,
    invitee: transcript.invitee.agent,
    exportedBy: transcript.exportedBy,
    exportedAt: transcript.exportedAt,
    at,
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
    })),
    messages: messages.map(({ side, entry }) => ({
      by: side,
      n: entry.n,
      kind: entry.kind,
      id: entry.id,
      at: entry.at,
      effect: reduced.effects.get(entry.id) ?? 'opaque'
    }))
  })
}
