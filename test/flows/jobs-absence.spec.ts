import { expect } from 'chai'
import { DAY, HOUR, MINUTE } from '../../src/base/time.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { HIRER, type JobWorld, PRICE, addressOf, agreed, jobWorld, pay, standing } from './jobs.js'
import { good, refusalOf } from './pair.js'

const STRANGER = signerOf(new Uint8Array(32).fill(31))

describe('a payment that landed', () => {
  const spent = ({ ledger }: JobWorld): bigint => 1_000_000_000n - ledger.balance(addressOf(HIRER))
  const again = ({ world, alice }: JobWorld, uid: string) => world.do(alice.flows.agent.pay(alice.agent, uid))

  /** A job whose payment landed, on a chain that nobody is told of. */
  async function paidInSecret(at: JobWorld): Promise<string> {
    const uid = await agreed(at)
    at.ledger.failing.add('forget')
    await pay(at, uid)
    await at.world.rest(MINUTE)
    expect(at.ledger.payments().length).to.equal(1)
    return uid
  }

  /** As if the owner had put as much into the wallet: its balance tells no more of a payment. */
  function topUp({ ledger }: JobWorld): void {
    ledger.give(addressOf(HIRER), 2n * PRICE)
  }

  it('is not called dead while the wallet lacks its money, whatever the history says', async () => {
    const at = await jobWorld()
    const uid = await paidInSecret(at)
    await at.world.rest(2 * HOUR)
    expect(await standing(at, at.alice, uid)).to.equal('paying not_landed')
    at.ledger.failing.clear()
    await at.world.rest(MINUTE)
    expect(await standing(at, at.alice, uid)).to.equal('paid delivery_due')
  })

  it('is told from another that left the wallet at the same time', async () => {
    const at = await jobWorld()
    const other = await agreed(at)
    const uid = await agreed(at)
    await pay(at, other)
    at.ledger.failing.add('swallow')
    await pay(at, uid)
    await at.world.rest(10 * MINUTE)
    expect(at.ledger.payments().length).to.equal(1)
    expect(await standing(at, at.alice, uid)).to.equal('agreed payment_due')
  })

  it('is called dead a day later all the same, when the owner took money out of the wallet', async () => {
    const at = await jobWorld()
    const uid = await agreed(at, { deadline: '2027-01-31' })
    at.ledger.failing.add('swallow')
    await pay(at, uid)
    await at.world.rest(MINUTE)
    at.ledger.give(addressOf(HIRER), -PRICE)
    await at.world.rest(HOUR)
    expect(await standing(at, at.alice, uid)).to.equal('paying not_landed')
    at.world.clock.jump(DAY)
    await at.world.rest(10 * MINUTE)
    expect(await standing(at, at.alice, uid)).to.equal('agreed payment_due')
  })

  it('is not called dead by an RPC node that has thrown those blocks away', async () => {
    const at = await jobWorld()
    const uid = await paidInSecret(at)
    topUp(at)
    at.ledger.failing.clear()
    at.ledger.pruned = at.ledger.slot() + 1
    await at.world.rest(2 * HOUR)
    expect(await standing(at, at.alice, uid)).to.equal('paying not_landed')
    at.ledger.pruned = 0
    await at.world.rest(MINUTE)
    expect(await standing(at, at.alice, uid)).to.equal('paid delivery_due')
  })

  it('and was called dead is found again before anybody pays anew, and counts against the limits again', async () => {
    const at = await jobWorld({ spend: { perJob: PRICE, perDay: PRICE } })
    const { world, ledger, alice, bob } = at
    const uid = await paidInSecret(at)
    topUp(at)
    await world.rest(10 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('agreed payment_due')
    await bob.stop()
    ledger.failing.clear()
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('agreed landed')
    expect(refusalOf(await again(at, uid))).to.equal('conflict illegal_transition')
    const { items } = good(await world.do(alice.flows.agent.inbox(alice.agent, { waitSeconds: 0, limit: 50 })))
    expect(items.map(({ kind }) => kind).slice(-2)).to.deep.equal(['job.not_paid', 'job.landed'])
    await bob.start()
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(refusalOf(await again(at, await agreed(at)))).to.equal('policy_denied over_day_limit')
    expect(ledger.payments().length).to.equal(1)
  })

  it('is looked for once more before a second one is signed', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const uid = await paidInSecret(at)
    topUp(at)
    await world.rest(10 * MINUTE)
    await pay(at, uid)
    await world.rest(2000)
    expect(await standing(at, alice, uid)).to.equal('paying on_its_way')
    await bob.stop()
    ledger.failing.clear()
    await world.rest(2 * MINUTE)
    await bob.start()
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(ledger.payments().length).to.equal(1)
    const [job] = good(await world.do(alice.flows.owner.payments({}))).items
    expect(job?.paid.map(({ state, code }) => `${state} ${code ?? ''}`)).to.deep.equal(['landed ', 'dead paid_before'])
  })

  it('waits with a second one while the RPC node does not answer about the first', async () => {
    const at = await jobWorld()
    const { world, ledger, alice } = at
    const uid = await agreed(at)
    ledger.failing.add('swallow')
    await pay(at, uid)
    await world.rest(10 * MINUTE)
    await pay(at, uid)
    ledger.pruned = ledger.slot()
    ledger.failing.clear()
    await world.rest(10 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paying not_landed')
    expect(ledger.payments().length).to.equal(0)
    ledger.pruned = 0
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(spent(at)).to.equal(PRICE)
  })

  it('is not hidden by what strangers put under its reference, nor kept alive by that', async () => {
    const at = await jobWorld()
    const { world, ledger, alice } = at
    const uid = await agreed(at)
    ledger.failing.add('swallow')
    await pay(at, uid)
    await world.rest(MINUTE)
    const [job] = good(await world.do(alice.flows.owner.payments({}))).items
    const terms = job?.paid[0]?.terms
    if (terms === undefined) throw new Error('nothing was promised')
    ledger.landNaming({ ...terms, payer: addressOf(STRANGER), lamports: '1' }, STRANGER, [])
    await world.rest(10 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('agreed payment_due')
  })
})
