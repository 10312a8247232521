/** Cases for transcripts: one of each outcome, and files that do not hold. */
import { fromHex, toBase64url, toUtf8 } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import type { MessageId, TaskUid } from '../../../src/base/ids.js'
import type { Json, JsonObject } from '../../../src/base/json.js'
import { instantOf } from '../../../src/base/time.js'
import type { Side } from '../../../src/tasks/log.js'
import { type Transcript, sealTranscript } from '../../../src/tasks/transcript/transcript.js'
import { verifyTranscript } from '../../../src/tasks/transcript/verify.js'
import type { Content, VerifiedMessage } from '../../../src/wire/message.js'
import { sealReceipt } from '../../../src/wire/receipt.js'
import { seal } from '../../../src/wire/seal.js'
import type { VectorCase } from './form.js'
import { AT, SOME_UID, alice, bob } from './people.js'

export const about =
  'Transcripts (transcripts.md). file is verified at the time at. Accepted: status, reason and agreed proposal of the state, and the outcome of each message, by inviter and invitee in the order of n. Refused: code and field. Alice (seed 01) is the inviter, bob (seed 02) the invitee.'

const AGENT = { inviter: alice, invitee: bob } as const
const EXPIRES = '2026-11-16T19:00:00.000Z'
const LATER = '2026-11-17T19:00:00.000Z'
const OTHER_UID = 'ef'.repeat(16)

/** Writes a task message by message, each side counting all that stands before unless it says otherwise. */
class Story {
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

function invited(uid?: string): { story: Story; invite: MessageId } {
  const story = new Story(uid)
  const type = { name: 'dinner.coordination', version: 1, hash: '0'.repeat(64), definition: { format: 'ttd1' } }
  const body = { type, expiresAt: EXPIRES, proposal: { date: '2026-11-14', partySize: 2 } }
  const invite = story.write('inviter', { kind: 'task.invite', body } as unknown as Content)
  return { story, invite }
}

function settled(): { story: Story; proposal: MessageId } {
  const { story } = invited()
  story.receipt()
  const proposal = story.write('invitee', { kind: 'task.propose', body: { proposal: { date: '2026-11-15' } } })
  story.write('inviter', { kind: 'task.respond', body: { proposalId: proposal, decision: 'accept' } })
  return { story: story.receipt(), proposal }
}

function outcomes(): VectorCase[] {
  const { story: confirmed, proposal } = settled()
  const params: JsonObject = { partySize: 2 }
  const record = {
    proposalId: proposal,
    action: 'reservation.book',
    recordId: '2'.repeat(32),
    summary: 'Recorded',
    params
  }
  confirmed.write('inviter', { kind: 'task.confirm', body: record })
  const { story: cancelled } = invited()
  cancelled.write('invitee', { kind: 'task.cancel', body: { reason: 'unavailable' } })
  const { story: refused, invite } = invited()
  refused.write('invitee', { kind: 'task.refuse', body: { of: invite, code: 'type_not_installed' } })
  const { story: late } = invited()
  late.receipt(0)
  const second = late.write('inviter', { kind: 'task.propose', body: { proposal: { date: '2026-11-16' } } })
  late.receipt(0).write('invitee', { kind: 'task.refuse', body: { of: second, code: 'backdated' } })
  const { story: crossed } = invited()
  const plan = crossed.write('invitee', { kind: 'task.propose', body: { proposal: { date: '2026-11-15' } } })
  crossed.write('inviter', { kind: 'task.respond', body: { proposalId: plan, decision: 'accept' } })
  crossed.write('invitee', { kind: 'task.propose', body: { proposal: { date: '2026-11-18' } } }, 1)
  return [
    holds('an invite that waits', invited().story.export()),
    holds('an invite that waited too long', invited().story.export(), LATER),
    holds('an agreement', settled().story.export()),
    holds('an agreement does not expire', settled().story.export(), LATER),
    holds('an agreement and a record', confirmed.receipt(1).export()),
    holds('cancelled by the invitee, with the reason', cancelled.export()),
    holds('an invite of a type that the other owner declined', refused.export()),
    holds('a refusal that came too late', late.export()),
    holds('an acceptance that a new proposal crossed', crossed.export()),
    holds('a line feed at the end', invited().story.export(), AT, '\n')
  ]
}

function refusals(): VectorCase[] {
  const { story } = settled()
  const whole = story.export()
  const { inviter, invitee, receipts, covers } = whole
  const foreign = invited(OTHER_UID).story.export()
  return [
    fails(
      'no message at all',
      story.export({ inviter: { ...inviter, messages: [] }, invitee: { ...invitee, messages: [] } })
    ),
    fails('without its invite', story.export({ inviter: { ...inviter, messages: inviter.messages.slice(1) } })),
    fails('without what another message counts', story.export({ invitee: { ...invitee, messages: [] } })),
    fails('a message of another task', story.export({ inviter: foreign.inviter, invitee: foreign.invitee })),
    fails('a message under the other side', story.export({ invitee: { ...invitee, messages: inviter.messages } })),
    fails(
      'a flipped bit in a message',
      story.export({ inviter: { ...inviter, messages: inviter.messages.map(flipped) } })
    ),
    fails('a receipt is missing', story.export({ receipts: receipts.slice(0, 1) })),
    fails('a receipt twice', story.export({ receipts: [...receipts, ...receipts.slice(-1)] })),
    fails('a receipt with a flipped bit', story.export({ receipts: receipts.map(flipped) })),
    fails('counts less than its receipt says', story.export({ covers: covers.map(() => 0) })),
    fails('counts more messages than it has', story.export({ covers: [...covers, 1] })),
    fails('says that the other side exported it', story.export({ exportedBy: 'invitee' })),
    fails('changed after it was sealed', { ...whole, exportedAt: LATER }),
    fails('sealed by the other side', sealTranscript(whole, bob.signer)),
    fails('a member that is not known', { ...whole, note: 'x' }),
    fails('no seal', without(whole, 'seal')),
    fails('another version', { ...whole, v: 2 }),
    fails('another format', { ...whole, format: 'transcript' }),
    text('two line feeds at the end', `${canonicalText(whole as unknown as Json)}\n\n`),
    text('a blank', canonicalText(whole as unknown as Json).replace(',', ', ')),
    text('not JSON', canonicalText(whole as unknown as Json).slice(0, -1)),
    text('nothing', '')
  ]
}

function holds(name: string, transcript: Transcript, at = AT, end = ''): VectorCase {
  const file = canonicalText(transcript as unknown as Json) + end
  const verified = verifyTranscript(toUtf8(file), instantOf(at) as number)
  if (!verified.ok) throw new Error(`${name}: ${verified.refusal.message}`)
  const { reduced, log } = verified.value
  const outcomesOf = (side: Side): unknown[] => log[side].map((entry) => reduced.effects.get(entry.id))
  return {
    name,
    at,
    file,
    status: reduced.status,
    ...(reduced.statusReason === undefined ? {} : { statusReason: reduced.statusReason }),
    ...(reduced.agreedProposalId === undefined ? {} : { agreedProposalId: reduced.agreedProposalId }),
    outcomes: { inviter: outcomesOf('inviter'), invitee: outcomesOf('invitee') }
  }
}

function fails(name: string, value: object): VectorCase {
  return text(name, canonicalText(value as unknown as Json))
}

function text(name: string, file: string): VectorCase {
  const verified = verifyTranscript(toUtf8(file), instantOf(AT) as number)
  if (verified.ok) throw new Error(`${name}: it holds`)
  const { code, field } = verified.refusal.details
  return { name, at: AT, file, refused: code ?? verified.refusal.code, ...(field === undefined ? {} : { field }) }
}

function without(value: object, member: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member))
}

/** The last byte but one of an envelope is within its signature. */
function flipped(message: string): string {
  const hex = Buffer.from(message, 'base64url').toString('hex')
  const bytes = fromHex(hex) as Uint8Array
  bytes[bytes.length - 2] = (bytes[bytes.length - 2] as number) ^ 1
  return toBase64url(bytes)
}

export function cases(): VectorCase[] {
  return [...outcomes(), ...refusals()]
}
