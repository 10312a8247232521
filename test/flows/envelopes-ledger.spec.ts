import { expect } from 'chai'
import fc from 'fast-check'
import { type Seat, act, mayDelegate, seen, submitTo } from './delegation.js'
import { friends, good } from './pair.js'

/** What becomes of the tools of live tasks while their owner sets the ledger again and again. */

const TOOLS = ['shell', 'git', 'network'] as const
const tools = fc.subarray([...TOOLS])

type Move =
  | { readonly do: 'set'; readonly tools: readonly string[] }
  | { readonly do: 'submit'; readonly asked: string[] }
  | { readonly do: 'restart' }

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: tools.map((each): Move => ({ do: 'set', tools: each })) },
  { weight: 2, arbitrary: tools.map((asked): Move => ({ do: 'submit', asked })) },
  { weight: 1, arbitrary: fc.constant<Move>({ do: 'restart' }) }
)

describe('the tools of a live task', () => {
  it('are those asked for that every ledger since it came has held', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 10 }), async (moves) => {
        const { world, alice, bob } = await friends()
        await mayDelegate(world, alice)
        const [sender, recipient] = [alice, bob].map((node) => ({ node, agent: node.agent })) as [Seat, Seat]
        const wanted = new Map<string, readonly string[]>()
        let ledger: readonly string[] = []
        for (const each of moves) {
          if (each.do === 'set') {
            ledger = each.tools
            good(await world.do(bob.flows.owner.setLedger({ tools: ledger })))
            for (const [id, left] of wanted) wanted.set(id, among(left, ledger))
          } else if (each.do === 'submit') {
            const id = `t${wanted.size}`
            const more = { filesAndInterfaces: [id], toolsAllowed: each.asked }
            await act(world, sender, submitTo('@bob', id, more))
            wanted.set(id, among(each.asked, ledger))
          } else {
            await bob.stop()
            await bob.start()
          }
          for (const [id, left] of wanted) {
            expect((await seen(world, recipient, id)).toolsGranted).to.deep.equal([...left].sort())
          }
        }
      }),
      { numRuns: 12 }
    )
  })

  it('do not come back with the ledger, nor after the end, which keeps what there was', async () => {
    const { world, alice, bob } = await friends()
    await mayDelegate(world, alice)
    const [sender, recipient] = [alice, bob].map((node) => ({ node, agent: node.agent })) as [Seat, Seat]
    const ledger = async (...names: string[]) => good(await world.do(bob.flows.owner.setLedger({ tools: names })))
    await ledger('git', 'shell')
    await act(world, sender, submitTo('@bob', 'fix', { toolsAllowed: ['git', 'shell'] }))
    await act(world, recipient, { do: 'claim', taskId: 'fix' })
    await ledger('git')
    await ledger('git', 'shell')
    expect((await seen(world, recipient, 'fix')).toolsGranted).to.deep.equal(['git'])
    await act(world, recipient, { do: 'fail', taskId: 'fix', code: 'cannot' })
    await ledger()
    expect((await seen(world, recipient, 'fix')).toolsGranted).to.deep.equal(['git'])
    expect(await seen(world, sender, 'fix')).not.to.have.property('toolsGranted')
  })
})

function among(asked: readonly string[], ledger: readonly string[]): readonly string[] {
  return asked.filter((tool) => ledger.includes(tool))
}
