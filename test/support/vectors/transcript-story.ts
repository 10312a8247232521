/** Transcripts of tasks that are written message by message, and what a vector says of a file. */
import { toBase64url, toUtf8 } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import type { MessageId, TaskUid } from '../../../src/base/ids.js'
import type { Json } from '../../../src/base/json.js'
import { instantOf } from '../../../src/base/time.js'
import { proofOf } from '../../../src/tasks/envelope/proof.js'
import type { Side } from '../../../src/tasks/log.js'
import { type Transcript, sealTranscript } from '../../../src/tasks/transcript/transcript.js'
import {
  type VerifiedEnvelope,
  type VerifiedNegotiation,
  verifyTranscript
} from '../../../src/tasks/transcript/verify.js'
import type { Content, VerifiedMessage } from '../../../src/wire/message.js'
import { sealReceipt } from '../../../src/wire/receipt.js'
import { seal } from '../../../src/wire/seal.js'
import type { VectorCase } from './form.js'
import { AT, SOME_UID, alice, bob } from './people.js'

const AGENT = { inviter: alice, invitee: bob } as const
export const EXPIRES = '2026-11-16T19:00:00.000Z'
export const LATER = '2026-11-17T19:00:00.000Z'

/** Writes a task message by message, each side counting all that stands before unless it says otherwise. */
export class Story {
  readonly chains: Record<Side, VerifiedMessage[]> = { inviter: [], invitee: [] }
  readonly receipts: string[] = []
  readonly covers: number[] = []

  constructor(private readonly uid = SOME_UID) {}

  write(
    side: Side,
    content: Content,
    seen = this.chains[side === 'inviter' ? 'invitee' : 'inviter'].length
  ): MessageId {
    const own = this.chains[side]
    const across = side === 'inviter' ? 'invitee' : 'inviter'
    const last = own.at(-1)
    const seenId = seen === 0 ? ('' as const) : (this.chains[across][seen - 1]?.id ?? ('' as const))
    const sealed = seal(
      {
        ...content,
        from: AGENT[side].id,
        to: AGENT[across].id,
        seq: (last?.header.seq ?? 0) + 1,
        prev: last?.id ?? '',
        at: AT,
        task: { uid: this.uid as TaskUid, n: own.length + 1, seen, seenId }
      },
      AGENT[side].signer
    )
    if (!sealed.ok) throw new Error(sealed.refusal.message)
    own.push(sealed.value)
    return sealed.value.id
  }

  /** Bob's receipt for everything that alice wrote so far. */
  receipt(head = this.chains.invitee.length): this {
    const last = this.chains.inviter.at(-1) as VerifiedMessage
    const upTo = { seq: last.header.seq, id: last.id }
    const receipt = { from: bob.id, to: alice.id, upTo, head, results: [], at: AT }
    this.receipts.push(toBase64url(sealReceipt(receipt, bob.signer)))
    while (this.covers.length < this.chains.inviter.length) this.covers.push(head)
    return this
  }

  export(over: Partial<Transcript> = {}): Transcript {
    const part = (side: Side): Transcript['inviter'] => ({
      agent: AGENT[side].id,
      messages: this.chains[side].map((message) => toBase64url(message.bytes))
    })
    const draft = {
      task: this.uid as TaskUid,
      inviter: part('inviter'),
      invitee: part('invitee'),
      exportedBy: 'inviter' as const,
      exportedAt: AT,
      receipts: this.receipts,
      covers: this.covers
    }
    return sealTranscript({ ...draft, ...over }, alice.signer)
  }
}

/** What a file proves, as a vector says it. */
export function provedBy(verified: VerifiedNegotiation | VerifiedEnvelope): Omit<VectorCase, 'name'> {
  const { effects } = verified.kind === 'task' ? verified.reduced : verified.report.reduced
  const outcomesOf = (side: Side): unknown[] => verified.log[side].map((entry) => effects.get(entry.id))
  const outcomes = { inviter: outcomesOf('inviter'), invitee: outcomesOf('invitee') }
  if (verified.kind === 'envelope') {
    const { state, code, reduced } = verified.report
    return { state, ...(code === undefined ? {} : { code }), proof: proofOf(reduced), outcomes }
  }
  const { status, statusReason, agreedProposalId } = verified.reduced
  return {
    status,
    ...(statusReason === undefined ? {} : { statusReason }),
    ...(agreedProposalId === undefined ? {} : { agreedProposalId }),
    outcomes
  }
}

export function holds(name: string, transcript: Transcript, at = AT, end = ''): VectorCase {
  const file = canonicalText(transcript as unknown as Json) + end
  const verified = verifyTranscript(toUtf8(file), instantOf(at) as number)
  if (!verified.ok) throw new Error(`${name}: ${verified.refusal.message}`)
  return { name, at, file, ...provedBy(verified.value) }
}

export function fails(name: string, value: object): VectorCase {
  return text(name, canonicalText(value as unknown as Json))
}

export function text(name: string, file: string): VectorCase {
  const verified = verifyTranscript(toUtf8(file), instantOf(AT) as number)
  if (verified.ok) throw new Error(`${name}: it holds`)
  const { code, field } = verified.refusal.details
  return { name, at: AT, file, refused: code ?? verified.refusal.code, ...(field === undefined ? {} : { field }) }
}
