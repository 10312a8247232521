import { expect } from 'chai'
import { MINUTE } from '../../src/base/time.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { hostileHirer } from './hostile-hirer.js'
import { HIRER, PROVIDER, type JobWorld, addressOf, agreed, jobWorld, pay, standing, taskAt } from './jobs.js'
import { good } from './pair.js'

const EVE = signerOf(new Uint8Array(32).fill(21))
const CROWD = 600
/** Attempts of a hirer that never pays. */
const PROMISES = 20

describe('a provider whose contact is hostile', () => {
  /** Counts the calls of bob's node to the chain. */
  async function counted(): Promise<{ readonly at: JobWorld; readonly calls: Map<string, number> }> {
    const calls = new Map<string, number>()
    const providerAt = (call: string, when: string): void => {
      if (when === 'before') calls.set(call, (calls.get(call) ?? 0) + 1)
    }
    return { at: await jobWorld({ providerAt }), calls }
  }

  const bogus = (terms: PaymentTerms): PaymentTerms => ({ ...terms, payer: addressOf(EVE), lamports: '1' })

  it(`finds a payment among ${CROWD} transactions with its reference, a few at a time`, async () => {
    const { at, calls } = await counted()
    const { world, ledger, alice, bob } = at
    ledger.failing.add('deaf')
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(2000)
    const [job] = good(await world.do(alice.flows.owner.payments({}))).items
    const terms = job?.paid[0]?.terms
    if (terms === undefined) throw new Error('nothing was promised')
    for (let one = 0; one < CROWD; one++) ledger.landNaming({ ...bogus(terms), memo: `${one}` }, EVE, [])
    ledger.failing.delete('deaf')
    calls.clear()
    await world.rest(4000)
    expect(calls.get('fetch')).to.be.within(1, 150)
    await world.rest(2 * MINUTE)
    expect(await standing(at, bob, uid)).to.equal('paid delivery_due')
    const { items } = good(await world.do(bob.flows.owner.payments({})))
    expect(items[0]?.received.length).to.be.within(2, 101)
  })

  it('has a payment at once, whose reference another hirer took from the chain before it was final', async () => {
    const { at } = await counted()
    const { world, ledger, alice, bob } = at
    ledger.failing.add('unfinal')
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const copies = [await eve.job(), await eve.job(), await eve.job()]
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(2000)
    const [job] = good(await world.do(alice.flows.owner.payments({}))).items
    for (const copy of copies) await copy.promise(job?.paid[0]?.terms)
    await world.rest(MINUTE)
    ledger.failing.delete('unfinal')
    await world.rest(4000)
    expect(await standing(at, bob, uid)).to.equal('paid delivery_due')
    for (const copy of copies) expect((await taskAt(at, bob, copy.uid)).status).to.equal('paying')
  })

  it('asks for a few of the attempts of one job at a time, and gets to each', async () => {
    const { at, calls } = await counted()
    const { world, ledger, bob } = at
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const job = await eve.job()
    const terms: PaymentTerms[] = []
    for (let one = 0; one < PROMISES; one++) terms.push(await job.promise())
    calls.clear()
    await world.rest(10_000)
    expect(calls.get('find')).to.be.at.most(3 * 6)
    ledger.landNaming(terms[4] as PaymentTerms, EVE, [])
    await world.rest(2 * MINUTE)
    expect((await taskAt(at, bob, job.uid)).job?.receipt?.attempt).to.equal(5)
  })

  it('is not kept from other jobs by one about which its RPC node does not answer', async () => {
    const at = await jobWorld()
    const { world, ledger, bob } = at
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const { reference } = await (await eve.job()).promise()
    ledger.mute.add(reference)
    await world.rest(10_000)
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(10_000)
    expect(await standing(at, bob, uid)).to.equal('paid delivery_due')
    expect(ledger.balance(addressOf(PROVIDER)) + ledger.balance(addressOf(HIRER))).to.equal(2_000_000_000n)
  })
})
