import { expect } from 'chai'
import { type Seat, act, mayDelegate, prove, seen, submitTo } from './delegation.js'
import { type Node, type World, chainsAt, friends, good, refusalOf } from './pair.js'

interface Pair {
  readonly world: World
  readonly alice: Seat
  readonly bob: Seat
}

async function stage(): Promise<Pair> {
  const { world, alice, bob } = await friends()
  for (const node of [alice, bob]) await mayDelegate(world, node)
  return { world, alice: { node: alice, agent: alice.agent }, bob: { node: bob, agent: bob.agent } }
}

async function comeBack({ world }: Pair, { node }: Seat, backup: ReturnType<Node['backup']>): Promise<void> {
  node.crash()
  node.restore(backup)
  await node.start()
  await world.rest(20_000)
}

/** Both nodes hold the same of a task. */
async function agree({ world, alice, bob }: Pair, taskId: string): Promise<string> {
  const views = [await seen(world, alice, taskId), await seen(world, bob, taskId)].map(
    ({ state, code, proof, dependencies, questions, verdicts, result }) =>
      JSON.stringify({ state, code, proof, dependencies, questions, verdicts, result })
  )
  expect(views[0]).to.equal(views[1])
  const { state, proof } = await seen(world, alice, taskId)
  return `${state} ${proof}`
}

describe('a delegated task at a node restored from an old backup', () => {
  it('comes back to its sender with its id, its dependency and its verdict', async () => {
    const pair = await stage()
    const { world, alice, bob } = pair
    const backup = alice.node.backup()
    await act(world, alice, submitTo('@bob', 'lexer'))
    await act(world, alice, submitTo('@bob', 'parser', { filesAndInterfaces: ['docs'], dependsOn: ['lexer'] }))
    await act(world, bob, { do: 'claim', taskId: 'lexer' })
    await prove(world, bob, 'lexer')
    await act(world, bob, { do: 'complete', taskId: 'lexer' })
    await act(world, alice, {
      do: 'verdict',
      taskId: 'lexer',
      passed: true,
      freshContext: true,
      verdictSource: 'script'
    })
    await comeBack(pair, alice, backup)
    // Whatever the contact says next makes the two compare what they hold.
    await act(world, bob, { do: 'claim', taskId: 'parser' })
    await world.rest(20_000)
    expect([chainsAt(alice.node, bob.node), chainsAt(bob.node, alice.node)]).to.deep.equal(['5/5 4', '4/4 5'])
    expect(await agree(pair, 'lexer')).to.equal('completed claimed')
    expect(await agree(pair, 'parser')).to.equal('working none')
    const taken = await world.do(alice.node.flows.agent.envelope(alice.agent, submitTo('@bob', 'lexer')))
    expect(refusalOf(taken)).to.equal('conflict task_id_taken taskId')
  })

  it('comes back to its recipient with its own claim, and can be completed', async () => {
    const pair = await stage()
    const { world, alice, bob } = pair
    const backup = bob.node.backup()
    await act(world, alice, submitTo('@bob', 'fix'))
    await act(world, bob, { do: 'claim', taskId: 'fix' })
    await act(world, bob, { do: 'status', taskId: 'fix', state: 'input_required', code: 'needs_decision' })
    await comeBack(pair, bob, backup)
    await act(world, alice, { do: 'answer', taskId: 'fix', text: 'The first' })
    await world.rest(20_000)
    expect(await agree(pair, 'fix')).to.equal('input_required none')
    expect(await bob.node.all('orphans')).to.deep.equal([])
    expect((await world.do(bob.node.flows.agent.ownedEnvelopes(bob.agent))).items).to.have.length(1)
    await act(world, bob, { do: 'status', taskId: 'fix', state: 'working' })
    await prove(world, bob, 'fix')
    await act(world, bob, { do: 'complete', taskId: 'fix' })
    expect(await agree(pair, 'fix')).to.equal('completed claimed')
    expect(await bob.node.all('owned')).to.deep.equal([])
  })

  it('stays rejected by the agent that rejected it, which can look it up and reject it no second time', async () => {
    const pair = await stage()
    const { world, alice, bob } = pair
    const backup = bob.node.backup()
    await act(world, alice, submitTo('@bob', 'one'))
    await act(world, bob, { do: 'reject', taskId: 'one', code: 'out_of_scope', reason: 'No parsers' })
    await comeBack(pair, bob, backup)
    await act(world, alice, submitTo('@bob', 'two'))
    await world.rest(20_000)
    expect(await agree(pair, 'one')).to.equal('rejected none')
    expect((await seen(world, bob, 'one')).reason).to.equal('No parsers')
    const again = { do: 'reject', taskId: 'one', code: 'busy' } as const
    expect((await act(world, bob, again)).code).to.equal('out_of_scope')
    const { items } = await world.do(bob.node.flows.agent.ownedEnvelopes(bob.agent))
    expect(items.map(({ taskId }) => taskId)).to.deep.equal(['two'])
    expect((await world.do(bob.node.flows.agent.counters(bob.agent))).envelopesQueued).to.equal(1)
  })

  it('stays rejected where its node had rejected it, owns nothing, and is told to no agent', async () => {
    const pair = await stage()
    const { world, alice, bob } = pair
    await act(world, alice, submitTo('@bob', 'one'))
    const backup = bob.node.backup()
    await act(world, alice, submitTo('@bob', 'two', { filesAndInterfaces: ['src'] }))
    await act(world, bob, { do: 'reject', taskId: 'one', code: 'busy' })
    await comeBack(pair, bob, backup)
    await act(world, alice, submitTo('@bob', 'three', { filesAndInterfaces: ['docs'] }))
    await world.rest(20_000)
    expect((await seen(world, alice, 'two')).code).to.equal('ownership_conflict')
    expect((await seen(world, bob, 'one')).state).to.equal('rejected')
    expect(await agree(pair, 'two')).to.equal('rejected none')
    expect((await seen(world, bob, 'two')).conflictingFiles).to.deep.equal(['src'])
    const inbox = await world.do(bob.node.flows.agent.inbox(bob.agent, { after: 0, waitSeconds: 0, limit: 99 }))
    const told = good(inbox).items.filter(({ kind }) => kind === 'envelope.submit')
    expect(told.map(({ content }) => content['taskId'])).to.deep.equal(['one', 'three'])
    const { items } = await world.do(bob.node.flows.agent.ownedEnvelopes(bob.agent))
    expect(items.map(({ taskId }) => taskId)).to.deep.equal(['three'])
  })
})
