import { expect } from 'chai'
import fc from 'fast-check'
import { toBase64url, toUtf8 } from '../../src/base/bytes.js'
import { canonicalBytes } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { type Transcript, sealTranscript } from '../../src/tasks/transcript/transcript.js'
import { type VerifiedEnvelope, type VerifiedNegotiation, verifyTranscript } from '../../src/tasks/transcript/verify.js'
import type { TranscriptView, TaskView } from '../../src/flows/views/tasks.js'
import { type Node, type World, dinner, friends, good, refusalOf } from './pair.js'

interface Pair {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

async function create({ world, alice }: Pair): Promise<TaskView> {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  await world.rest(1_000)
  return answer.task
}

/** Alice proposes, Bob counters, Alice accepts. */
async function agreed(pair: Pair): Promise<string> {
  const { world, alice, bob } = pair
  const { taskUid } = await create(pair)
  const counter = { proposal: { ...dinner(), time: '19:45' } }
  good(await world.do(bob.flows.agent.propose(bob.agent, taskUid, counter)))
  await world.rest(1_000)
  const task = good(await world.do(alice.flows.agent.getTask(alice.agent, taskUid)))
  const proposalId = task.proposals.at(-1)?.proposalId ?? ''
  good(await world.do(alice.flows.agent.respond(alice.agent, taskUid, { proposalId, decision: 'accept' })))
  await world.rest(1_000)
  return taskUid
}

function exported({ world }: Pair, node: Node, taskUid: string): Promise<TranscriptView> {
  return world.do(node.flows.agent.transcript(node.agent, taskUid)).then(good)
}

/** The file as the API sends it. */
function fileOf(transcript: TranscriptView): Uint8Array {
  return toUtf8(JSON.stringify(transcript))
}

function negotiated(verified: VerifiedNegotiation | VerifiedEnvelope): VerifiedNegotiation['reduced'] {
  if (verified.kind !== 'task') throw new Error('no negotiation')
  return verified.reduced
}

function said(file: Uint8Array, at: number): string {
  const verified = verifyTranscript(file, at)
  return verified.ok
    ? negotiated(verified.value).status
    : `${verified.refusal.details.code ?? verified.refusal.code} ${verified.refusal.details.field ?? ''}`
}

describe('a transcript', () => {
  it('proves the same agreement whichever side wrote it', async () => {
    const pair = await friends()
    const uid = await agreed(pair)
    const now = pair.world.clock.now()
    const [a, b] = [await exported(pair, pair.alice, uid), await exported(pair, pair.bob, uid)]
    const [first, second] = [verifyTranscript(fileOf(a), now), verifyTranscript(fileOf(b), now)]
    if (!first.ok || !second.ok) throw new Error('one does not hold')
    expect(negotiated(first.value).status).to.equal('agreed')
    expect(negotiated(second.value)).to.deep.equal(negotiated(first.value))
    expect([a.exportedBy, b.exportedBy]).to.deep.equal(['inviter', 'invitee'])
    expect(a.covers.length).to.equal(2)
    expect(b.covers.length).to.equal(1)
  })

  it('is the canonical bytes of itself as the API sends it', async () => {
    const pair = await friends()
    const transcript = await exported(pair, pair.alice, await agreed(pair))
    expect(fileOf(transcript)).to.deep.equal(canonicalBytes(transcript as unknown as Json))
  })

  it('tells of what was cancelled, with the reason', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const { taskUid } = await create(pair)
    good(await world.do(alice.flows.agent.cancel(alice.agent, taskUid, { reason: 'changed_plans' })))
    await world.rest(1_000)
    const verified = verifyTranscript(fileOf(await exported(pair, bob, taskUid)), world.clock.now())
    if (!verified.ok) throw new Error(verified.refusal.message)
    expect([negotiated(verified.value).status, negotiated(verified.value).statusReason]).to.deep.equal([
      'cancelled',
      'changed_plans'
    ])
  })

  it('tells of a task that nobody agreed on in time, and of the same task before', async () => {
    const pair = await friends()
    const { taskUid, expiresAt } = await create(pair)
    const file = fileOf(await exported(pair, pair.alice, taskUid))
    expect(said(file, Date.parse(expiresAt))).to.equal('open')
    expect(said(file, Date.parse(expiresAt) + 1)).to.equal('expired')
  })

  it('shows what waits for the other node without a receipt', async () => {
    const pair = await friends()
    pair.world.wires.setReachable(pair.bob.peerId, false)
    const { taskUid } = await create(pair)
    const transcript = await exported(pair, pair.alice, taskUid)
    expect([transcript.receipts, transcript.covers]).to.deep.equal([[], []])
    expect(said(fileOf(transcript), pair.world.clock.now())).to.equal('open')
  })

  it('is still whole after a restart', async () => {
    const pair = await friends()
    const uid = await agreed(pair)
    const before = await exported(pair, pair.alice, uid)
    await pair.alice.stop()
    await pair.alice.start()
    const { inviter, invitee, receipts, covers } = await exported(pair, pair.alice, uid)
    expect({ inviter, invitee, receipts, covers }).to.deep.equal({
      inviter: before.inviter,
      invitee: before.invitee,
      receipts: before.receipts,
      covers: before.covers
    })
  })

  it('is only for the agent whose task it is', async () => {
    const pair = await friends()
    const { taskUid } = await create(pair)
    const { world, bob } = pair
    const carol = await world.node('carol')
    expect(refusalOf(await world.do(carol.flows.agent.transcript(carol.agent, taskUid)))).to.equal('not_found taskUid')
    expect(refusalOf(await world.do(bob.flows.agent.transcript(bob.agent, 'no uid')))).to.equal('not_found taskUid')
    expect(good(await world.do(bob.flows.owner.transcript({ taskUid }))).task).to.equal(taskUid)
  })
})

describe('a transcript that was tampered with', () => {
  let pair: Pair
  let transcript: Transcript
  let now: number

  before(async () => {
    pair = await friends()
    transcript = (await exported(pair, pair.alice, await agreed(pair))) as Transcript
    now = pair.world.clock.now()
  })

  /** Every `step`th byte of a file, each changed by itself. */
  function bendEach(file: Uint8Array, step: number): void {
    for (let at = 0; at < file.length; at += step) {
      const bent = Uint8Array.from(file)
      bent[at] = (file[at] as number) ^ (1 + (at % 127))
      const verified = verifyTranscript(bent, now)
      if (verified.ok) throw new Error(`byte ${at} was changed and nobody noticed`)
      const { offset } = verified.refusal.details
      expect(offset, verified.refusal.message).to.be.a('number')
    }
  }

  it('is refused for every single byte that is changed, and the place is named', async () => {
    const { taskUid } = await create(pair)
    bendEach(fileOf(await exported(pair, pair.alice, taskUid)), 1)
  })

  it('is refused for a changed byte wherever a longer one has it', () => bendEach(fileOf(transcript), 11))

  it('points at the message whose bytes were changed', () => {
    const text = transcript.invitee.messages[0] ?? ''
    const bent = `${text.slice(0, 80)}${text[80] === 'A' ? 'B' : 'A'}${text.slice(81)}`
    const file = fileOf({ ...transcript, invitee: { ...transcript.invitee, messages: [bent] } })
    const verified = verifyTranscript(file, now)
    if (verified.ok) throw new Error('it holds')
    expect(verified.refusal.details.field).to.equal('invitee.messages[0]')
    expect(verified.refusal.details.offset).to.equal(new TextDecoder().decode(file).indexOf(`"${bent}"`))
  })

  /** Each is sealed anew by Alice, so that the seal alone does not give it away. */
  const resealed: Array<[string, (from: Transcript, other: Transcript) => Partial<Transcript>, string]> = [
    [
      'without its invite',
      ({ inviter }) => ({ inviter: { ...inviter, messages: [] } }),
      'malformed_transcript invitee.messages[0]'
    ],
    [
      'without a message in the middle',
      ({ inviter }) => ({ inviter: { ...inviter, messages: inviter.messages.slice(1) } }),
      'malformed_transcript inviter.messages[0]'
    ],
    [
      'without a message that another counts',
      ({ invitee }) => ({ invitee: { ...invitee, messages: [] } }),
      'malformed_transcript inviter.messages[1]'
    ],
    [
      'with a message twice',
      ({ inviter }) => ({ inviter: { ...inviter, messages: [...inviter.messages, ...inviter.messages.slice(-1)] } }),
      'malformed_message inviter.messages[2]'
    ],
    [
      'with the sides exchanged',
      ({ inviter, invitee }) => ({ inviter: invitee, invitee: inviter }),
      'malformed_message invitee.messages[0]'
    ],
    [
      "with the other side's messages as one's own",
      ({ inviter, invitee }) => ({ inviter: { ...inviter, messages: invitee.messages } }),
      'wrong_sender inviter.messages[0]'
    ],
    ['under another task', (_from, other) => ({ task: other.task }), 'malformed_transcript inviter.messages[0]'],
    [
      'with a receipt twice',
      ({ receipts }) => ({ receipts: [...receipts, ...receipts] }),
      'malformed_transcript receipts[2]'
    ],
    ['without a receipt that it counts', () => ({ receipts: [] }), 'malformed_transcript covers[0]'],
    [
      'with a receipt that it does not count',
      ({ covers }) => ({ covers: covers.slice(1) }),
      'malformed_transcript covers'
    ],
    [
      'that counts less than a receipt says',
      ({ covers }) => ({ covers: covers.map(() => 0) }),
      'malformed_transcript covers[0]'
    ],
    [
      'that counts more messages than there are',
      ({ covers }) => ({ covers: [...covers, 9] }),
      'malformed_transcript covers[2]'
    ],
    ['said to be exported by the other side', () => ({ exportedBy: 'invitee' }), 'wrong_sender receipts[0]']
  ]
  for (const [what, bend, code] of resealed) {
    it(`is refused ${what}, though sealed anew`, async () => {
      const other = (await exported(pair, pair.alice, await agreed(pair))) as Transcript
      const file = sealTranscript({ ...transcript, ...bend(transcript, other) }, pair.alice.keys.agent)
      expect(said(fileOf(file), now)).to.equal(code)
    })
  }

  it('is refused when somebody else seals it', () => {
    const file = sealTranscript(transcript, pair.bob.keys.agent)
    expect(said(fileOf(file), now)).to.equal('wrong_sender seal')
  })

  it('is refused when it only was printed more nicely', () => {
    expect(said(toUtf8(JSON.stringify(transcript, undefined, 1)), now)).to.equal('malformed_transcript ')
  })

  it('never brings a reader down, whatever it is', () => {
    const values = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constant(JSON.stringify(transcript)).map((text) => text.slice(0, 900))
    )
    fc.assert(
      fc.property(values, (text) => {
        expect(verifyTranscript(toUtf8(text), now).ok).to.equal(false)
      }),
      { numRuns: 300 }
    )
  })

  it('is refused at a size that no transcript has', () => {
    expect(said(new Uint8Array(33_554_433), now)).to.equal('too_large ')
  })

  it('takes no text where bytes of a message belong', () => {
    const { inviter } = transcript
    const file = { ...transcript, inviter: { ...inviter, messages: ['!', toBase64url(toUtf8('x'))] } }
    expect(said(canonicalBytes(file as unknown as Json), now)).to.equal('malformed_transcript inviter.messages[0]')
  })
})
