import { expect } from 'chai'
import type { EnvelopeCommand } from '../../src/flows/envelope-commands.js'
import { EVIDENCE, type Seat, act, mayDelegate, prove, seen, submitTo } from './delegation.js'
import { type World, friends, good, refusalOf } from './pair.js'

/** Sentences about task envelopes that no other table of these tests covers. */

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

describe('a task whose dependency ended without being completed', () => {
  const ends: ReadonlyArray<readonly ['alice' | 'bob', EnvelopeCommand, string]> = [
    ['bob', { do: 'fail', taskId: 'lexer', code: 'cannot' }, 'failed'],
    ['bob', { do: 'reject', taskId: 'lexer', code: 'unsafe' }, 'rejected'],
    ['alice', { do: 'cancel', taskId: 'lexer', code: 'changed_plans' }, 'canceled']
  ]
  for (const [who, command, outcome] of ends) {
    it(`is canceled with dependency_${outcome} at both nodes, and can not be claimed`, async () => {
      const at = await stage()
      const { world, alice, bob } = at
      await act(world, alice, submitTo('@bob', 'lexer'))
      await act(world, alice, submitTo('@bob', 'parser', { filesAndInterfaces: ['docs'], dependsOn: ['lexer'] }))
      await act(world, at[who], command)
      await world.rest(5_000)
      for (const seat of [alice, bob]) {
        const { state, code, claimable, dependencies } = await seen(world, seat, 'parser')
        expect({ state, code, claimable, dependencies }).to.deep.equal({
          state: 'canceled',
          code: `dependency_${outcome}`,
          claimable: false,
          dependencies: [{ taskId: 'lexer', outcome }]
        })
      }
      const claim = bob.node.flows.agent.envelope(bob.agent, { do: 'claim', taskId: 'parser' })
      expect(refusalOf(await world.do(claim))).to.match(/^conflict (illegal_transition|already_claimed)/)
    })
  }
})

describe('a delegated task', () => {
  it('is taken at once while its recipient sleeps, and waits for it', async () => {
    const { world, alice, bob } = await stage()
    world.wires.setReachable(bob.node.peerId, false)
    world.wires.cut()
    const sent = await act(world, alice, submitTo('@bob', 'fix'))
    expect([sent.state, sent.delivery.state, sent.delivery.pending]).to.deep.equal(['submitted', 'queued', 1])
    world.wires.setReachable(bob.node.peerId, true)
    await world.rest(120_000)
    expect((await seen(world, bob, 'fix')).claimable).to.equal(true)
    expect((await seen(world, alice, 'fix')).delivery.state).to.equal('delivered')
  })

  it('is neither rejected nor failed without a stated reason', async () => {
    const { world, alice, bob } = await stage()
    await act(world, alice, submitTo('@bob', 'fix'))
    for (const does of ['reject', 'fail'] as const) {
      for (const code of [undefined, '', 'expired']) {
        const command = { do: does, taskId: 'fix', code } as unknown as EnvelopeCommand
        const said = refusalOf(await world.do(bob.node.flows.agent.envelope(bob.agent, command)))
        expect(said, `${does} ${code}`).to.match(/^bad_request (missing|invalid)_field/)
      }
    }
    expect((await seen(world, alice, 'fix')).state).to.equal('submitted')
  })

  it('carries who judged it, and a second opinion in a fresh context beside the evidence that it can not replace', async () => {
    const { world, alice, bob } = await stage()
    await act(world, alice, submitTo('@bob', 'fix'))
    await act(world, bob, { do: 'claim', taskId: 'fix' })
    await prove(world, bob, 'fix')
    const secondOpinion = { passed: true, freshContext: true, verdictSource: 'llm_judge', note: 'Reads well' }
    const record = (more: object) =>
      world.do(bob.node.flows.agent.stageEvidence(bob.agent, 'fix', { ...EVIDENCE, secondOpinion, ...more }))
    good(await record({ exitStatus: 1 }))
    const early = bob.node.flows.agent.envelope(bob.agent, { do: 'complete', taskId: 'fix' })
    expect(refusalOf(await world.do(early))).to.equal('conflict acceptance_check_failed')
    good(await record({ verdictSource: 'llm_judge' }))
    await act(world, bob, { do: 'complete', taskId: 'fix' })
    const { result, proof } = await seen(world, alice, 'fix')
    expect(result?.['evidence']).to.deep.include({ exitStatus: 0, verdictSource: 'llm_judge', secondOpinion })
    expect(proof).to.equal('claimed')
  })
})
