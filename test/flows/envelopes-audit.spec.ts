import { expect } from 'chai'
import { readEntry } from '../../src/policy/audit.js'
import { type Seat, act, mayDelegate, prove, seen, submitTo } from './delegation.js'
import { type Node, type World, friends, good } from './pair.js'

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

/** What is told of delegated work: `who what code`. */
async function told(node: Node): Promise<string[]> {
  const entries = (await node.all('audit')).flatMap((bytes) => readEntry(bytes) ?? [])
  return entries
    .filter(({ what }) => what.startsWith('envelope.'))
    .map(({ who, what, about }) => [who.kind, what, about.code].filter((part) => part !== undefined).join(' '))
}

describe('the audit log of delegated work', () => {
  it('tells on both sides of every step, who took it, and under which grants text left', async () => {
    const { world, alice, bob } = await stage()
    await act(world, alice, submitTo('@bob', 'fix'))
    await act(world, bob, { do: 'claim', taskId: 'fix' })
    await act(world, bob, { do: 'status', taskId: 'fix', state: 'auth_required', code: 'needs_access' })
    await act(world, alice, { do: 'answer', taskId: 'fix', text: 'Here it is' })
    await act(world, bob, { do: 'status', taskId: 'fix', state: 'working' })
    await prove(world, bob, 'fix')
    await act(world, bob, { do: 'complete', taskId: 'fix' })
    await act(world, alice, { do: 'verdict', taskId: 'fix', passed: true, freshContext: true, verdictSource: 'script' })
    const [sender, recipient] = [await told(alice.node), await told(bob.node)]
    expect(sender).to.deep.equal([
      'agent envelope.submitted',
      'peer envelope.claimed',
      'peer envelope.status needs_access',
      'agent envelope.answered',
      'peer envelope.status working',
      'peer envelope.completed',
      'agent envelope.verdict'
    ])
    const other = (line: string): string => line.replace(/^\w+/, (who) => (who === 'agent' ? 'peer' : 'agent'))
    expect(recipient).to.deep.equal(sender.map(other).map((line) => line.replace('submitted', 'received')))
    const entries = (await alice.node.all('audit')).flatMap((bytes) => readEntry(bytes) ?? [])
    const disclosed = entries.filter(({ what }) => what === 'disclosure.sent')
    expect(disclosed.map(({ about, under }) => [about.capabilities, under?.grants?.length])).to.deep.equal([
      [['delegate.submit'], 1],
      [['delegate.submit'], 1]
    ])
    expect(JSON.stringify(entries)).to.not.include('Here it is').and.not.include('Make the test pass')
  })

  it('tells apart what an agent ended and what its node ended by its own rules', async () => {
    const { world, alice, bob } = await stage()
    await act(world, alice, submitTo('@bob', 'lexer'))
    await act(world, alice, submitTo('@bob', 'twin'))
    await act(world, alice, submitTo('@bob', 'parser', { filesAndInterfaces: ['docs'], dependsOn: ['lexer'] }))
    await act(world, bob, { do: 'reject', taskId: 'lexer', code: 'busy' })
    await act(world, alice, submitTo('@bob', 'last'))
    await act(world, alice, { do: 'cancel', taskId: 'last', code: 'changed_plans' })
    expect((await seen(world, alice, 'parser')).code).to.equal('dependency_rejected')
    expect((await told(bob.node)).filter((line) => !line.startsWith('peer'))).to.deep.equal([
      'node envelope.rejected ownership_conflict',
      'agent envelope.rejected busy'
    ])
    expect((await told(alice.node)).filter((line) => !line.startsWith('peer')).slice(3)).to.deep.equal([
      'node envelope.resolved rejected',
      'node envelope.cancelled dependency_rejected',
      'agent envelope.submitted',
      'agent envelope.cancelled changed_plans'
    ])
  })

  it('tells of a step of the other side that had no effect, with the reason', async () => {
    const { world, alice, bob } = await stage()
    await act(world, alice, submitTo('@bob', 'fix'))
    await act(world, bob, { do: 'claim', taskId: 'fix' })
    await prove(world, bob, 'fix')
    await world.do(
      Promise.all([
        alice.node.flows.agent.envelope(alice.agent, { do: 'cancel', taskId: 'fix' }),
        bob.node.flows.agent.envelope(bob.agent, { do: 'complete', taskId: 'fix' })
      ])
    )
    await world.rest()
    expect((await told(bob.node)).at(-1)).to.equal('peer envelope.cancelled illegal_transition')
    expect(good(await world.do(alice.node.flows.agent.getEnvelope(alice.agent, 'fix'))).state).to.equal('completed')
  })
})
