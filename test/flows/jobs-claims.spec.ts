import { expect } from 'chai'
import { MINUTE } from '../../src/base/time.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { hostileHirer } from './hostile-hirer.js'
import { type JobWorld, agreed, jobWorld, pay, taskAt } from './jobs.js'
import { good } from './pair.js'

/** As many references as one transaction can name beside what it needs. */
const JOBS = 10
const ATTEMPTS = 2
/** How often the RPC node names a signature in one answer. */
const REPEATS = 5
const EVE = signerOf(new Uint8Array(32).fill(21))

describe('claims of one transaction', () => {
  const referencesOf = (all: readonly PaymentTerms[]): string[] => all.map(({ reference }) => reference)

  /** Code and lamports of all that the provider's owner is shown, by task. */
  async function shown({ world, bob }: JobWorld): Promise<ReadonlyMap<string, readonly string[]>> {
    const { items } = good(await world.do(bob.flows.owner.payments({})))
    return new Map(items.map(({ taskUid, received }) => [taskUid, received.map(({ code }) => code)]))
  }

  async function statuses(at: JobWorld, uids: readonly string[]): Promise<string[]> {
    const views = await Promise.all(uids.map((uid) => taskAt(at, at.bob, uid)))
    return views.map(({ status }) => status).sort()
  }

  it(`pay one of ${JOBS} jobs, when ${JOBS * ATTEMPTS * REPEATS} are made at once`, async () => {
    const at = await jobWorld()
    const { world, ledger, bob } = at
    ledger.repeats = REPEATS
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const terms: PaymentTerms[] = []
    const uids: string[] = []
    for (let one = 0; one < JOBS; one++) {
      const job = await eve.job()
      uids.push(job.uid)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) terms.push(await job.promise())
    }
    const [first] = terms
    if (first === undefined) throw new Error('nothing was promised')
    ledger.landNaming(first, EVE, referencesOf(terms.slice(1)))
    await world.rest(MINUTE)
    expect(await statuses(at, uids)).to.deep.equal(['paid', ...Array.from({ length: JOBS - 1 }, () => 'paying')].sort())
    expect((await bob.all('spent')).length).to.equal(1)
    const codes = await shown(at)
    expect(codes.get(uids[0] ?? '')).to.deep.equal(['paid'])
    for (const uid of uids.slice(1)) expect(codes.get(uid)).to.deep.equal(['wrong_memo'])
  })

  it('pay the job of who paid, and not that of another hirer who names the same wallet and reference', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const stolen = await eve.job()
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(MINUTE)
    const [paid] = good(await world.do(alice.flows.owner.payments({}))).items.flatMap((item) => item.paid)
    if (paid === undefined) throw new Error('nothing was paid')
    await stolen.promise(paid.terms)
    await world.rest(MINUTE)
    expect((await taskAt(at, bob, stolen.uid)).status).to.equal('paying')
    expect((await taskAt(at, bob, uid)).status).to.equal('paid')
    expect((await shown(at)).get(stolen.uid)).to.deep.equal(['before_quote'])
    expect(ledger.payments().length).to.equal(1)
  })

  it('pay no second job after a restart of the provider between them', async () => {
    const at = await jobWorld()
    const { world, ledger, bob } = at
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const [one, other] = [await eve.job(), await eve.job()]
    const [first, second] = [await one.promise(), await other.promise()]
    ledger.landNaming(first, EVE, [second.reference])
    await world.rest(MINUTE)
    await bob.stop()
    await bob.start()
    await world.rest(12 * MINUTE)
    expect(await statuses(at, [one.uid, other.uid])).to.deep.equal(['paid', 'paying'])
    expect((await shown(at)).get(one.uid)).to.deep.equal(['paid'])
    expect((await bob.all('spent')).length).to.equal(1)
  })

  it('of two attempts at one job pay it once, and are not called double', async () => {
    const at = await jobWorld()
    const { world, ledger, bob } = at
    const eve = await hostileHirer(world, bob, 'eve', EVE)
    const job = await eve.job()
    const [first, second] = [await job.promise(), await job.promise()]
    ledger.landNaming(second, EVE, [first.reference])
    await world.rest(12 * MINUTE)
    expect((await taskAt(at, bob, job.uid)).status).to.equal('paid')
    expect((await shown(at)).get(job.uid)).to.deep.equal(['paid'])
  })

  it('pay nothing before it is final, and once it is, on the next look', async () => {
    const at = await jobWorld()
    const { world, ledger, bob } = at
    ledger.failing.add('unfinal')
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(5 * MINUTE)
    expect((await taskAt(at, bob, uid)).status).to.equal('paying')
    expect((await shown(at)).get(uid) ?? []).to.deep.equal([])
    ledger.failing.delete('unfinal')
    await world.rest(10_000)
    expect((await taskAt(at, bob, uid)).status).to.equal('paid')
    expect(ledger.payments().map(({ accounts }) => accounts[0])).to.deep.equal([
      (await taskAt(at, bob, uid)).job?.attempts[0]?.payer
    ])
  })
})
