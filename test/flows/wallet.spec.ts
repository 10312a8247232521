import { expect } from 'chai'
import { DAY, HOUR, MINUTE } from '../../src/base/time.js'
import type { WalletView } from '../../src/flows/views/wallet.js'
import { HIRER, type JobWorld, PRICE, addressOf, agreed, jobWorld, pay } from './jobs.js'
import { createWorld, good } from './pair.js'

const SPEND = { perJob: PRICE, perDay: 2n * PRICE }
const START = 1_000_000_000n

describe('the wallet of a node', () => {
  const read = ({ world, alice }: Pick<JobWorld, 'world' | 'alice'>): Promise<WalletView> =>
    world.do(alice.flows.owner.wallet())

  /** What its owner is asked about the payment of one job. */
  async function question(at: JobWorld, uid: string) {
    const { world, alice } = at
    const { answer } = good(await world.do(alice.flows.agent.pay(alice.agent, uid)))
    if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
    const { approvalId } = answer
    const show = async () => {
      const shown = good(await world.do(alice.flows.owner.approval(approvalId)))
      return shown.kind === 'payment' ? shown.limits : undefined
    }
    const approve = () => alice.flows.owner.answerApproval(approvalId, { decision: 'approve', scope: 'once' })
    return { show, approve: async () => good(await world.do(approve())) }
  }

  it('shows address, balance and limits of which nothing is taken', async () => {
    const at = await jobWorld({ spend: SPEND })
    expect(await read(at)).to.deep.equal({
      cluster: 'solana:localnet',
      address: addressOf(HIRER),
      balance: { lamports: START.toString() },
      limits: { perJob: '250000000', perDay: '500000000', left: '500000000', counted: '0', items: [] }
    })
  })

  it('counts a promise as reserved, then as spent, and frees it a day after it was made', async () => {
    const at = await jobWorld({ spend: SPEND })
    const { world, alice, ledger } = at
    const uid = await agreed(at)
    ledger.failing.add('unfinal')
    await pay(at, uid)
    const reserved = await read(at)
    expect(reserved.limits).to.deep.include({ counted: '250000000', left: '250000000' })
    const [item] = reserved.limits?.items ?? []
    expect(item).to.include({ taskUid: uid, agent: alice.agent, attempt: 1, lamports: '250000000', state: 'reserved' })
    expect(item?.participantHandle).to.equal('@bob')
    expect(Date.parse(item?.until ?? '') - Date.parse(item?.at ?? '')).to.equal(DAY)
    ledger.failing.clear()
    await world.rest(2 * MINUTE)
    expect((await read(at)).limits?.items.map(({ state }) => state)).to.deep.equal(['spent'])
    expect((await read(at)).balance).to.deep.equal({ lamports: (START - PRICE).toString() })
    world.clock.jump(DAY - HOUR)
    expect((await read(at)).limits?.left).to.equal('250000000')
    world.clock.jump(HOUR)
    expect((await read(at)).limits).to.deep.include({ counted: '0', left: '500000000', items: [] })
  })

  it('tells the owner who is asked for a payment what is left without it, until the question is answered', async () => {
    const at = await jobWorld({ spend: SPEND })
    const first = await question(at, await agreed(at))
    const second = await question(at, await agreed(at))
    const third = await question(at, await agreed(at))
    const [perJob, perDay] = ['250000000', '500000000']
    expect(await third.show()).to.deep.equal({ perJob, perDay, left: '500000000' })
    await first.approve()
    expect(await third.show()).to.deep.equal({ perJob, perDay, left: '250000000' })
    await second.approve()
    expect(await third.show()).to.deep.equal({ perJob, perDay, left: '0' })
    expect(await first.show()).to.equal(undefined)
    expect((await third.approve()).status).to.equal('stale')
  })

  it('says that the chain does not answer, and the limits all the same', async () => {
    const at = await jobWorld({ spend: SPEND })
    at.ledger.failing.add('down')
    const { balance, limits } = await read(at)
    expect(balance).to.have.nested.property('unknown.code', 'chain_unreachable')
    expect(limits?.left).to.equal('500000000')
  })

  it('waits for a chain that never answers for 5 seconds, and asks it once for all who want to know', async () => {
    const at = await jobWorld({ spend: SPEND })
    const { world, alice, payments } = at
    let asked = 0
    payments.alice.chain.balance = () => {
      asked += 1
      return new Promise(() => undefined)
    }
    const answers = [1, 2, 3].map(() => alice.flows.owner.wallet())
    await world.rest(5000)
    expect(asked).to.equal(1)
    for (const { balance } of await world.do(Promise.all(answers)))
      expect(balance).to.have.nested.property('unknown.code', 'chain_unreachable')
  })

  it('is off where no chain is configured', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    expect(await read({ world, alice })).to.deep.equal({ cluster: 'off' })
  })
})
