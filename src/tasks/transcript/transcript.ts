/**
 * A task as a file that needs no node: the signed messages of both sides, and the receipts that say when they were held.
 * Source: protocols/transcripts.md, "The file".
 */
import { toBase64url, toUtf8 } from '../../base/bytes.js'
import { canonicalBytes } from '../../base/canonical.js'
import { sha256Hex } from '../../base/digest.js'
import type { AgentId, TaskUid } from '../../base/ids.js'
import type { Json } from '../../base/json.js'
import { type Shape, exactly, integer, list, object, oneOf } from '../../base/shape.js'
import type { Signer } from '../../wire/ed25519.js'
import { agentId, base64url, instant, taskUid } from '../../wire/forms.js'
import { LIMITS } from '../../wire/limits.js'
import { sealEnvelope } from '../../wire/signed-envelope.js'
import type { Side } from '../log.js'

/** One side's part: its agent, and its signed messages of the task in the order of `n`, base64url. */
interface Part {
  readonly agent: AgentId
  readonly messages: readonly string[]
}

export interface Transcript {
  readonly format: 'agentlink-transcript'
  readonly v: 1
  readonly task: TaskUid
  readonly inviter: Part
  readonly invitee: Part
  /** Whose node wrote the file: the receipts and `covers` are about the messages of this side. */
  readonly exportedBy: Side
  readonly exportedAt: string
  /** Signed receipts of the other side, base64url, in the order of what they cover. */
  readonly receipts: readonly string[]
  /** What the exporter counts as `coverHead` of its messages, as far as receipts have come (protocols/tasks.md, "Receipts"). */
  readonly covers: readonly number[]
  /** The exporter's signature over everything else, base64url. */
  readonly seal: string
}

export const TRANSCRIPT_PURPOSE = { domain: 'agentlink/transcript/1', payloadType: '/agentlink/transcript' } as const

/** Levels of the file: the object, a part, its messages. */
export const TRANSCRIPT_DEPTH = 3

/** Messages of one side: with as many refusals again (protocols/tasks.md, "The log"). */
const MESSAGES_MAX = 2 * LIMITS.taskMessages
const SEAL_BYTES = 512

const part: Shape<Part> = object({
  agent: agentId,
  messages: list(base64url(LIMITS.envelopeMessageBytes), { max: MESSAGES_MAX })
})

export const transcriptShape: Shape<Transcript> = object({
  format: oneOf(['agentlink-transcript']),
  v: exactly(1),
  task: taskUid,
  inviter: part,
  invitee: part,
  exportedBy: oneOf(['inviter', 'invitee']),
  exportedAt: instant,
  receipts: list(base64url(LIMITS.receiptBytes), { max: MESSAGES_MAX }),
  covers: list(integer({ min: 0 }), { max: MESSAGES_MAX }),
  seal: base64url(SEAL_BYTES)
})

/** What the seal signs: the digest of the canonical bytes of all other members, as hex text. */
export function digestToSeal({
  seal: _,
  ...rest
}: Transcript | (Omit<Transcript, 'seal'> & { seal?: undefined })): Uint8Array {
  return toUtf8(sha256Hex(canonicalBytes(rest as unknown as Json)))
}

/** Seals what the exporter's node holds. `signer` is that of the exporter's agent. Members come in canonical order. */
export function sealTranscript(draft: Omit<Transcript, 'seal' | 'format' | 'v'>, signer: Signer): Transcript {
  const { covers, exportedAt, exportedBy, invitee, inviter, receipts, task } = draft
  const rest = { covers, exportedAt, exportedBy, format: 'agentlink-transcript' as const, invitee, inviter, receipts }
  const { domain, payloadType } = TRANSCRIPT_PURPOSE
  const seal = sealEnvelope(signer, domain, payloadType, digestToSeal({ ...rest, task, v: 1 }))
  return { ...rest, seal: toBase64url(seal), task, v: 1 }
}
