import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import type { EnvelopeCommand } from '../../src/flows/envelope-commands.js'
import { EVIDENCE, type Seat, act, mayDelegate, prove, seen, submitTo } from './delegation.js'
import { type Node, type World, friends, good, refusalOf } from './pair.js'

/** Two nodes that write about one task at once, or die between any two steps of it. */

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

const CANCEL: EnvelopeCommand = { do: 'cancel', taskId: 'fix', code: 'changed_plans' }

const crossings: ReadonlyArray<readonly [string, EnvelopeCommand, 'submitted' | 'working', string]> = [
  ['a claim loses', { do: 'claim', taskId: 'fix' }, 'submitted', 'canceled'],
  ['a reject stands', { do: 'reject', taskId: 'fix', code: 'busy' }, 'submitted', 'rejected'],
  ['a failure stands', { do: 'fail', taskId: 'fix', code: 'cannot' }, 'working', 'failed'],
  ['a result stands', { do: 'complete', taskId: 'fix' }, 'working', 'completed'],
  [
    'a question loses',
    { do: 'status', taskId: 'fix', state: 'input_required', code: 'needs_decision' },
    'working',
    'canceled'
  ]
]

describe('a cancel that crosses a step of the recipient while neither hears the other', () => {
  for (const [name, step, from, end] of crossings) {
    it(`${name}, at both nodes, also when both die before they hear it`, async () => {
      const { world, alice, bob } = await stage()
      await act(world, alice, submitTo('@bob', 'fix'))
      if (from === 'working') {
        await act(world, bob, { do: 'claim', taskId: 'fix' })
        await prove(world, bob, 'fix')
      }
      world.wires.setReachable(bob.node.peerId, false)
      world.wires.cut()
      await act(world, alice, CANCEL)
      const said = await act(world, bob, step)
      expect((await seen(world, alice, 'fix')).cancelRequested).to.equal(true)
      // What ended at once is final at once; the sender says nothing for certain yet.
      if (end !== 'canceled') expect(said.state).to.equal(end)
      for (const { node } of [alice, bob]) await dieAndReturn(node)
      world.wires.setReachable(bob.node.peerId, true)
      await world.rest(120_000)
      const both = [await seen(world, alice, 'fix'), await seen(world, bob, 'fix')]
      expect(both.map(({ state }) => state)).to.deep.equal([end, end])
      expect(both.map(({ cancelRequested }) => cancelRequested)).to.deep.equal([undefined, undefined])
      expect(await bob.node.all('owned')).to.deep.equal([])
    })
  }
})

async function dieAndReturn(node: Node): Promise<void> {
  node.crash()
  await node.start()
}

describe('a delegated task whose nodes die after every step', () => {
  it('goes its whole way, and both say the same at each', async () => {
    const { world, alice, bob } = await stage()
    const steps: ReadonlyArray<readonly [Seat, EnvelopeCommand, string]> = [
      [alice, submitTo('@bob', 'fix'), 'submitted'],
      [bob, { do: 'claim', taskId: 'fix' }, 'working'],
      [bob, { do: 'status', taskId: 'fix', state: 'auth_required', code: 'needs_access' }, 'auth_required'],
      [alice, { do: 'answer', taskId: 'fix', text: 'Use the key of the shop' }, 'auth_required'],
      [bob, { do: 'status', taskId: 'fix', state: 'working' }, 'working'],
      [bob, { do: 'complete', taskId: 'fix' }, 'completed'],
      [
        alice,
        { do: 'verdict', taskId: 'fix', passed: true, freshContext: true, verdictSource: 'llm_judge' },
        'completed'
      ]
    ]
    for (const [seat, command, state] of steps) {
      if (command.do === 'complete') await prove(world, bob, 'fix')
      await act(world, seat, command)
      for (const { node } of [alice, bob]) await dieAndReturn(node)
      await world.rest(5_000)
      const both = [await seen(world, alice, 'fix'), await seen(world, bob, 'fix')]
      expect(
        both.map((one) => one.state),
        command.do
      ).to.deep.equal([state, state])
    }
    expect((await seen(world, bob, 'fix')).verdicts).to.have.length(1)
  })
})

describe('evidence of odd bytes', () => {
  it('arrives as it was recorded, and what no message can carry is refused with its field', async () => {
    const { world, alice, bob } = await stage()
    await act(world, alice, submitTo('@bob', 'fix'))
    await act(world, bob, { do: 'claim', taskId: 'fix' })
    const stageWith = (tail: string) =>
      world.do(
        bob.node.flows.agent.stageEvidence(bob.agent, 'fix', { ...EVIDENCE, output: { ...EVIDENCE.output, tail } })
      )
    for (const bad of ['x'.repeat(16_001), 7 as unknown as string]) {
      expect(refusalOf(await stageWith(bad))).to.equal('bad_request invalid_field evidence.output.tail')
    }
    const odd = '\u0000\u001b[2J\u202e\ufeff\u2028 😀\r\n"\\'
    good(await stageWith(odd))
    await act(world, bob, { do: 'complete', taskId: 'fix' })
    const { result } = await seen(world, alice, 'fix')
    expect(((result?.['evidence'] as JsonObject)['output'] as JsonObject)['tail']).to.equal(odd)
  })
})
