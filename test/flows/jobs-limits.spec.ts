import { expect } from 'chai'
import { DAY, HOUR, MINUTE } from '../../src/base/time.js'
import { HIRER, type JobWorld, PRICE, addressOf, agreed, jobWorld, pay, standing } from './jobs.js'
import { good, refusalOf } from './pair.js'

/** Two jobs and a little more. */
const SPEND = { perJob: PRICE, perDay: 2n * PRICE + PRICE / 2n }

describe('the limits of an owner', () => {
  const payFor = ({ world, alice }: JobWorld, uid: string) => world.do(alice.flows.agent.pay(alice.agent, uid))
  const spent = ({ ledger }: JobWorld): bigint => 1_000_000_000n - ledger.balance(addressOf(HIRER))

  async function asked(at: JobWorld, jobs: number): Promise<string[]> {
    const ids: string[] = []
    for (let one = 0; one < jobs; one++) {
      const { answer } = good(await payFor(at, await agreed(at)))
      if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
      ids.push(answer.approvalId)
    }
    return ids
  }

  const approve = ({ alice }: JobWorld, id: string) =>
    alice.flows.owner.answerApproval(id, { decision: 'approve', scope: 'once' })

  async function denials({ world, alice }: JobWorld): Promise<unknown[]> {
    const { items } = good(await world.do(alice.flows.owner.audit({ what: 'payment.denied', limit: 10 })))
    return items.map(({ about }) => about.code)
  }

  it('hold for five payments that are approved in the same moment', async () => {
    const at = await jobWorld({ spend: SPEND })
    const ids = await asked(at, 5)
    const outcomes = await at.world.do(Promise.all(ids.map((id) => approve(at, id))))
    await at.world.rest(2 * MINUTE)
    const ends = outcomes.map((outcome) => good(outcome).status)
    expect(ends).to.deep.equal(['used', 'used', 'stale', 'stale', 'stale'])
    expect(spent(at)).to.equal(2n * PRICE)
    expect(await denials(at)).to.deep.equal(['over_day_limit'])
  })

  it('take two yeses to one payment, in the same moment, for one', async () => {
    const at = await jobWorld({ spend: SPEND })
    const [id = ''] = await asked(at, 1)
    await at.world.do(Promise.all([approve(at, id), approve(at, id), approve(at, id)]))
    await at.world.rest(2 * MINUTE)
    expect(spent(at)).to.equal(PRICE)
    expect(at.ledger.payments().length).to.equal(1)
  })

  it('count what was promised for a day, whichever way the clock jumps meanwhile', async () => {
    const at = await jobWorld({ spend: SPEND })
    const { world } = at
    for (let one = 0; one < 2; one++) await pay(at, await agreed(at))
    await world.rest(2 * MINUTE)
    for (const jump of [-3 * DAY, 3 * DAY, 23 * HOUR]) {
      world.clock.jump(jump)
      expect(refusalOf(await payFor(at, await agreed(at))), `after ${jump}`).to.equal('policy_denied over_day_limit')
    }
    world.clock.jump(HOUR)
    await pay(at, await agreed(at))
    await world.rest(2 * MINUTE)
    expect(spent(at)).to.equal(3n * PRICE)
  })

  it('count a promise that no block has seen yet, and no more once it is provably dead', async () => {
    const at = await jobWorld({ spend: SPEND })
    const { world, ledger } = at
    ledger.failing.add('swallow')
    const uids = [await agreed(at), await agreed(at)]
    for (const uid of uids) await pay(at, uid)
    const third = await agreed(at)
    expect(refusalOf(await payFor(at, third))).to.equal('policy_denied over_day_limit')
    await world.rest(10 * MINUTE)
    ledger.failing.delete('swallow')
    await pay(at, third)
    await world.rest(2 * MINUTE)
    expect(spent(at)).to.equal(PRICE)
  })

  it('outlive a crash between the yes and the transaction, which is made once', async () => {
    const at = await jobWorld({ spend: SPEND })
    const { world, alice, bob } = at
    const [first, second] = [await agreed(at), await agreed(at)]
    await bob.stop()
    await pay(at, first)
    alice.crash()
    await alice.start()
    expect(await standing(at, alice, first)).to.equal('paying on_its_way')
    await pay(at, second)
    alice.crash()
    await alice.start()
    await bob.start()
    await world.rest(2 * MINUTE)
    const third = await agreed(at)
    expect(refusalOf(await payFor(at, third))).to.equal('policy_denied over_day_limit')
    await world.rest(10 * MINUTE)
    expect(await standing(at, bob, first)).to.equal('paid delivery_due')
    expect(await standing(at, bob, second)).to.equal('paid delivery_due')
    expect(spent(at)).to.equal(2n * PRICE)
  })
})
