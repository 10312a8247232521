import { expect } from 'chai'
import type { Json, JsonObject } from '../../src/base/json.js'
import { HOUR, MINUTE } from '../../src/base/time.js'
import { FAULTS, type Fault } from '../../src/solana/localnet/faults.js'
import { type Chained, POLL_MS, PRICE, type Party, chained } from './chained.js'
import { HIRER, PROVIDER, addressOf, agreed, pay, standing, taskAt } from './jobs.js'
import { good } from './pair.js'
import type { Told } from './runtime.js'

/** Every fault of an RPC node, from every moment on at which a side asks it something. */
const EVERY_FAULT = Object.keys(FAULTS) as Fault[]
const ASKED = {
  hirer: ['getGenesisHash', 'getEpochInfo', 'getBalance', 'getLatestBlockhash', 'sendTransaction', 'getTransaction'],
  provider: ['getGenesisHash', 'getEpochInfo', 'getSignaturesForAddress', 'getTransaction']
} as const
type Side = keyof typeof ASKED

/** Long enough that a blockhash dies of it, and a payment can be called late. */
const FAULT_MS = 2 * MINUTE
const PATIENCE_MS = 40 * MINUTE

describe('an RPC node that fails or lies while a job is paid', () => {
  let at: Chained
  const trips = new Map<Side, { readonly moment: string; readonly do: () => void }>()
  const uids: string[] = []

  before(async () => {
    at = await chained({
      jobs: 200,
      hirerAt: (moment) => trip('hirer', moment),
      providerAt: (moment) => trip('provider', moment)
    })
  })
  after(async () => {
    expect(await at.faultsOnLedger(uids)).to.deep.equal([])
    await at.runtime.stop()
  })

  function trip(side: Side, moment: string): false {
    const wire = trips.get(side)
    if (wire?.moment === moment) {
      trips.delete(side)
      wire.do()
    }
    return false
  }

  async function begun(): Promise<string> {
    const uid = await agreed(at.hired, { price: PRICE })
    uids.push(uid)
    return uid
  }

  /** Lets time pass until both nodes call the job paid; what they say is held against the ledger all the while. */
  async function untilPaid(uid: string): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      await at.hired.world.rest(POLL_MS)
      const statuses = await bothSay(uid)
      const times = await at.timesPaid(uid)
      expect(times, 'payments').to.be.below(2)
      if (statuses.includes('paid')) expect(times, 'what is called paid').to.equal(1)
      if (statuses.join() === 'paid,paid') return
      if (statuses[0] === 'agreed') {
        expect(times, 'what is called dead').to.equal(0)
        await pay(at.hired, uid)
      }
    }
    throw new Error(`not paid: ${(await bothSay(uid)).join(' and ')}`)
  }

  async function bothSay(uid: string): Promise<readonly string[]> {
    const { alice, bob } = at.hired
    return Promise.all([alice, bob].map(async (node) => (await taskAt(at.hired, node, uid)).status))
  }

  for (const fault of EVERY_FAULT) {
    it(`is paid around, and only once: ${fault}`, async () => {
      for (const side of ['hirer', 'provider'] as const) {
        for (const method of ASKED[side]) {
          const uid = await begun()
          const { faults } = at[side]
          trips.set(side, {
            moment: `before ${method}`,
            do: () => {
              faults.add(fault)
              at.hired.world.clock.wake(FAULT_MS, () => faults.delete(fault))
            }
          })
          await pay(at.hired, uid)
          await untilPaid(uid).catch((error: unknown) => {
            throw new Error(`${fault} at ${method} of the ${side}: ${String(error)}`, { cause: error })
          })
          trips.clear()
          faults.clear()
        }
      }
    }).timeout(40_000)
  }

  const inTransaction =
    (change: (told: JsonObject) => JsonObject): Told =>
    (method, told) =>
      method === 'getTransaction' && told !== null ? change(told as JsonObject) : told
  const inMeta = (more: JsonObject): Told =>
    inTransaction((told) => ({ ...told, meta: { ...(told['meta'] as JsonObject), ...more } }))
  const lies: ReadonlyArray<readonly [string, Told]> = [
    ['before_quote', inTransaction((told) => ({ ...told, slot: 1 }))],
    ['late', inTransaction((told) => ({ ...told, blockTime: 2_000_000_000 }))],
    ['failed', inMeta({ err: 'AccountInUse' })],
    ['other_balance', inMeta({ preBalances: [0, 0, 0, 0, 0], postBalances: [0, 7, 0, 0, 0] })],
    ['malformed', inTransaction(() => ({ slot: -1 }))]
  ]
  for (const [what, lie] of lies) {
    it(`is not believed for good about a payment, on either side: ${what}`, async () => {
      for (const side of ['hirer', 'provider'] as const) await liedTo(at[side], lie)
    })
  }

  async function liedTo(party: Party, lie: Told): Promise<void> {
    const uid = await begun()
    party.lie = lie
    await pay(at.hired, uid)
    await at.hired.world.rest(2 * MINUTE)
    expect(await at.timesPaid(uid)).to.equal(1)
    party.lie = undefined
    await untilPaid(uid)
    expect((await taskAt(at.hired, at.hired.bob, uid)).job?.attempts.length).to.equal(1)
    const { items } = good(await at.hired.world.do(at.hired.bob.flows.owner.payments({})))
    const money = items.find(({ taskUid }) => taskUid === uid)
    expect(money?.received.map(({ code }) => code)).to.deep.equal(['paid'])
  }

  it('forgets for an hour what the hirer sent, and the provider’s word counts', async () => {
    const uid = await begun()
    at.hirer.faults.add('forgotten')
    await pay(at.hired, uid)
    await at.hired.world.rest(HOUR)
    expect(await standing(at.hired, at.hired.alice, uid)).to.equal('paid delivery_due')
    at.hirer.faults.clear()
    expect(await at.timesPaid(uid)).to.equal(1)
  })

  it('forgets for an hour on both sides, remembers, and the money counts all the same', async () => {
    const uid = await begun()
    for (const { faults } of [at.hirer, at.provider]) faults.add('forgotten')
    await pay(at.hired, uid)
    await at.hired.world.rest(HOUR)
    expect((await taskAt(at.hired, at.hired.alice, uid)).status).to.equal('agreed')
    for (const { faults } of [at.hirer, at.provider]) faults.clear()
    await at.hired.world.rest(15 * MINUTE)
    expect((await bothSay(uid)).join()).to.equal('paid,paid')
    expect(await at.timesPaid(uid)).to.equal(1)
  })

  it('invents transactions, and nothing is paid by what the payer did not sign', async () => {
    const uid = await begun()
    const other = (await at.runtime.history(addressOf(PROVIDER))).at(-1)
    expect(other?.from).to.equal(addressOf(HIRER))
    at.provider.lie = (method, told): Json =>
      method === 'getSignaturesForAddress' ? [{ signature: other?.signature ?? '' }] : told
    at.hirer.faults.add('dropped')
    await pay(at.hired, uid)
    await at.hired.world.rest(5 * MINUTE)
    expect(await bothSay(uid)).to.not.include('paid')
    expect(await at.timesPaid(uid)).to.equal(0)
    at.provider.lie = undefined
    at.hirer.faults.clear()
    await untilPaid(uid)
  })
})
