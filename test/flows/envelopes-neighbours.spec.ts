import { expect } from 'chai'
import { type Seat, act, mayDelegate, prove, seen, submitTo } from './delegation.js'
import { type World, befriend, createWorld, good, idOf, refusalOf } from './pair.js'

interface Stage {
  readonly world: World
  readonly alice: Seat
  /** The second agent of Alice's node. */
  readonly carol: Seat
}

/** Two agents of one node that are contacts and may delegate to each other. */
async function stage(): Promise<Stage> {
  const world = createWorld()
  const node = await world.node('alice', { agents: ['carol'] })
  const { link } = good(await world.do(node.flows.owner.invite({ agent: 'carol', secret: true })))
  good(await world.do(node.flows.owner.addContact({ agent: 'default', link })))
  await world.rest()
  for (const agent of ['default', 'carol']) await mayDelegate(world, node, agent)
  return { world, alice: { node, agent: node.agent }, carol: { node, agent: idOf('carol') } }
}

describe('a task delegated between two agents of one node', () => {
  it('goes the whole way by the same signed messages, without the network', async () => {
    const { world, alice, carol } = await stage()
    const submitted = await act(world, alice, submitTo('@carol', 'fix'))
    expect([submitted.role, submitted.state]).to.deep.equal(['sender', 'submitted'])
    expect((await seen(world, carol, 'fix')).role).to.equal('recipient')
    await act(world, carol, { do: 'claim', taskId: 'fix' })
    await act(world, carol, { do: 'status', taskId: 'fix', state: 'input_required', code: 'needs_decision' })
    await act(world, alice, { do: 'answer', taskId: 'fix', text: 'The first' })
    await act(world, carol, { do: 'status', taskId: 'fix', state: 'working' })
    await prove(world, carol, 'fix')
    await act(world, carol, { do: 'complete', taskId: 'fix' })
    await act(world, alice, {
      do: 'verdict',
      taskId: 'fix',
      passed: false,
      freshContext: true,
      verdictSource: 'llm_judge'
    })
    for (const seat of [alice, carol]) {
      const { state, proof, verdicts, delivery } = await seen(world, seat, 'fix')
      expect([state, proof, verdicts.length, delivery.state]).to.deep.equal(['completed', 'claimed', 1, 'delivered'])
    }
    expect([world.wires.dials, world.wires.said]).to.deep.equal([[], []])
  })

  it('is in the inbox, the badge and the list of each for themselves', async () => {
    const { world, alice, carol } = await stage()
    await act(world, alice, submitTo('@carol', 'fix'))
    const counters = async ({ node, agent }: Seat) => (await world.do(node.flows.agent.counters(agent))).envelopesQueued
    expect([await counters(alice), await counters(carol)]).to.deep.equal([0, 1])
    expect(
      refusalOf(await world.do(alice.node.flows.agent.envelope(alice.agent, { do: 'claim', taskId: 'fix' })))
    ).to.equal('conflict illegal_transition')
    const kinds = async ({ node, agent }: Seat) =>
      good(await world.do(node.flows.agent.inbox(agent, { after: 0, waitSeconds: 0, limit: 50 }))).items.map(
        ({ kind }) => kind
      )
    expect(await kinds(carol)).to.deep.equal(['contact.active', 'envelope.submit'])
    expect(await kinds(alice)).to.deep.equal(['contact.active'])
    const owned = async ({ node, agent }: Seat) => (await world.do(node.flows.agent.ownedEnvelopes(agent))).items.length
    expect([await owned(alice), await owned(carol)]).to.deep.equal([0, 1])
  })

  it('may have one id both ways, and each end is its own', async () => {
    const { world, alice, carol } = await stage()
    await act(world, alice, submitTo('@carol', 'fix'))
    await act(world, carol, submitTo('@alice', 'fix', { filesAndInterfaces: ['docs'] }))
    const both = good(await world.do(alice.node.flows.agent.listEnvelopes(alice.agent, { limit: 9 }))).items
    expect(both.map(({ role }) => role)).to.have.members(['sender', 'recipient'])
    const named = await world.do(alice.node.flows.agent.getEnvelope(alice.agent, 'fix'))
    expect(refusalOf(named)).to.equal('conflict task_id_ambiguous taskId')
    const received = both.find(({ role }) => role === 'recipient')?.taskUid ?? ''
    await act(world, alice, { do: 'reject', taskId: received, code: 'busy' })
    const after = good(await world.do(carol.node.flows.agent.listEnvelopes(carol.agent, { limit: 9 }))).items
    expect(after.map(({ role, state }) => `${role} ${state}`)).to.have.members([
      'sender rejected',
      'recipient submitted'
    ])
  })

  it('owns its files against every other sender, and is named to its own sender alone', async () => {
    const { world, alice, carol } = await stage()
    const bob = await world.node('bob')
    await befriend(world, alice.node, bob)
    await mayDelegate(world, bob)
    await act(world, alice, submitTo('@carol', 'fix'))
    const remote = { node: bob, agent: bob.agent }
    await act(world, remote, submitTo('@alice', 'other', { filesAndInterfaces: ['src'] }))
    const refused = await seen(world, remote, 'other')
    expect([refused.state, refused.code, refused.conflictsWith]).to.deep.equal([
      'rejected',
      'ownership_conflict',
      undefined
    ])
    await act(world, alice, submitTo('@carol', 'again'))
    expect((await seen(world, alice, 'again')).conflictsWith).to.equal('fix')
    await act(world, carol, { do: 'fail', taskId: 'fix', code: 'busy' })
    await act(world, remote, submitTo('@alice', 'later', { filesAndInterfaces: ['src'] }))
    expect((await seen(world, remote, 'later')).state).to.equal('submitted')
  })

  it('waits for one that was delegated to another contact', async () => {
    const { world, alice, carol } = await stage()
    const bob = await world.node('bob')
    await befriend(world, alice.node, bob)
    await mayDelegate(world, bob)
    await act(world, alice, submitTo('@bob', 'lexer'))
    await act(world, alice, submitTo('@carol', 'parser', { filesAndInterfaces: ['docs'], dependsOn: ['lexer'] }))
    expect((await seen(world, carol, 'parser')).claimable).to.equal(false)
    const remote = { node: bob, agent: bob.agent }
    await act(world, remote, { do: 'claim', taskId: 'lexer' })
    await prove(world, remote, 'lexer')
    await act(world, remote, { do: 'complete', taskId: 'lexer' })
    await act(world, carol, { do: 'claim', taskId: 'parser' })
    expect((await seen(world, alice, 'parser')).state).to.equal('working')
  })

  it('goes on after a crash between the two commits', async () => {
    const { world, alice, carol } = await stage()
    good(await alice.node.flows.agent.envelope(alice.agent, submitTo('@carol', 'fix')))
    alice.node.crash()
    await alice.node.start()
    await world.rest(5_000)
    expect((await seen(world, carol, 'fix')).state).to.equal('submitted')
    expect((await seen(world, alice, 'fix')).delivery.state).to.equal('delivered')
  })
})
