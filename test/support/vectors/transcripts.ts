/** Cases for transcripts: one of each outcome, and files that do not hold. */
import { fromHex, toBase64url } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import type { MessageId } from '../../../src/base/ids.js'
import type { Json, JsonObject } from '../../../src/base/json.js'
import { type Transcript, sealTranscript } from '../../../src/tasks/transcript/transcript.js'
import type { Content } from '../../../src/wire/message.js'
import type { VectorCase } from './form.js'
import { AT, bob } from './people.js'
import { ARTIFACT, delegated, misdelegated } from './transcript-envelopes.js'
import { EXPIRES, LATER, Story, fails, holds, text } from './transcript-story.js'

export const about =
  'Transcripts (transcripts.md). file is verified at the time at. Accepted: of a negotiation status, reason and agreed proposal; of a delegated task state, code and proof; and the outcome of each message, by inviter and invitee in the order of n. Refused: code and field. Alice (seed 01) is the inviter, bob (seed 02) the invitee.'

const OTHER_UID = 'ef'.repeat(16)

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

function paid(): Transcript {
  const story = new Story()
  const type = { name: 'job.request', version: 1, hash: '0'.repeat(64), definition: { format: 'ttd1' } }
  const proposal = { brief: 'Draw a logo', price: '0.25', payTo: '7'.repeat(44) }
  const body = { type, expiresAt: EXPIRES, proposal }
  const proposalId = story.write('inviter', { kind: 'task.invite', body } as unknown as Content)
  story.receipt(0).write('invitee', { kind: 'task.respond', body: { proposalId, decision: 'accept' } })
  const promise = { proposalId, attempt: 1, reference: '1'.repeat(32), payer: '4'.repeat(44) }
  story.write('inviter', { kind: 'job.pay', body: promise })
  story.receipt(1).write('invitee', { kind: 'job.paid', body: { attempt: 1, signature: '1'.repeat(64), slot: 7 } })
  story.write('invitee', { kind: 'job.deliver', body: { artifacts: [ARTIFACT] } })
  story.write('inviter', { kind: 'job.complete', body: {} })
  return story.receipt(3).export()
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
    holds('a job that was paid, delivered and completed', paid()),
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
  return [...outcomes(), ...refusals(), ...delegated(), ...misdelegated()]
}
