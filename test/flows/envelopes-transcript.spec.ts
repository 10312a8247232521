import { expect } from 'chai'
import { toUtf8 } from '../../src/base/bytes.js'
import type { TranscriptView } from '../../src/flows/views/tasks.js'
import { proofOf } from '../../src/tasks/envelope/proof.js'
import { type VerifiedEnvelope, verifyTranscript } from '../../src/tasks/transcript/verify.js'
import { EVIDENCE, type Seat, act, mayDelegate, prove, seen, submitTo } from './delegation.js'
import { type World, friends, good, refusalOf } from './pair.js'

interface Stage {
  readonly world: World
  readonly alice: Seat
  readonly bob: Seat
}

async function stage(): Promise<Stage> {
  const { world, alice, bob } = await friends()
  for (const node of [alice, bob]) await mayDelegate(world, node)
  return { world, alice: { node: alice, agent: alice.agent }, bob: { node: bob, agent: bob.agent } }
}

/** Alice delegates, Bob completes, Alice has run the check herself. */
async function verified(at: Stage): Promise<void> {
  const { world, alice, bob } = at
  await act(world, alice, submitTo('@bob', 'fix'))
  await act(world, bob, { do: 'claim', taskId: 'fix' })
  await prove(world, bob, 'fix')
  await act(world, bob, { do: 'complete', taskId: 'fix', summary: 'Done' })
  const { command, exitStatus, output, durationMs } = EVIDENCE
  const run = { command, exitStatus, output, durationMs }
  await act(world, alice, {
    ...{ do: 'verdict', taskId: 'fix', passed: true, freshContext: true, verdictSource: 'script', run }
  })
}

function exported({ world }: Stage, { node, agent }: Seat, taskId: string): Promise<TranscriptView> {
  return world.do(node.flows.agent.envelopeTranscript(agent, taskId)).then(good)
}

/** What a third party reads in a file. */
function read(transcript: TranscriptView, now: number): VerifiedEnvelope {
  const found = good(verifyTranscript(toUtf8(JSON.stringify(transcript)), now))
  if (found.kind !== 'envelope') throw new Error('no delegated task')
  return found
}

describe('the transcript of a delegated task', () => {
  it('proves the same state, evidence and verdict whichever side wrote it, as both nodes report them', async () => {
    const at = await stage()
    await verified(at)
    const now = at.world.clock.now()
    const mine = await exported(at, at.alice, 'fix')
    const theirs = await exported(at, at.bob, 'fix')
    expect([mine.exportedBy, theirs.exportedBy]).to.deep.equal(['inviter', 'invitee'])
    const [a, b] = [read(mine, now).report, read(theirs, now).report]
    expect(b).to.deep.equal(a)
    expect([a.state, proofOf(a.reduced)]).to.deep.equal(['completed', 'verified'])
    expect(a.reduced.result?.body.evidence).to.deep.equal(EVIDENCE)
    const reported = await seen(at.world, at.alice, 'fix')
    expect([reported.state, reported.proof, reported.taskUid]).to.deep.equal(['completed', 'verified', mine.task])
    expect([mine.covers.length, theirs.covers.length]).to.deep.equal([2, 2])
  })

  it('shows an end by time alone, at any time that the reader asks for', async () => {
    const at = await stage()
    const { expiresAt } = await act(at.world, at.alice, submitTo('@bob', 'fix'))
    const file = await exported(at, at.alice, 'fix')
    expect(read(file, Date.parse(expiresAt)).report.state).to.equal('submitted')
    expect(read(file, Date.parse(expiresAt) + 1).report).to.include({ state: 'canceled', code: 'expired' })
  })

  it('is found by uid too, is still whole after a restart, and is only for the agent whose task it is', async () => {
    const at = await stage()
    await verified(at)
    const before = await exported(at, at.bob, 'fix')
    await at.bob.node.stop()
    await at.bob.node.start()
    const { inviter, invitee, receipts, covers } = await exported(at, at.bob, before.task)
    expect({ inviter, invitee, receipts, covers }).to.deep.equal({
      inviter: before.inviter,
      invitee: before.invitee,
      receipts: before.receipts,
      covers: before.covers
    })
    const carol = await at.world.node('carol')
    const asked = carol.flows.agent.envelopeTranscript(carol.agent, 'fix')
    expect(refusalOf(await at.world.do(asked))).to.equal('not_found taskId')
  })
})
