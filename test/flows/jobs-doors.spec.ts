import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import { MINUTE } from '../../src/base/time.js'
import type { OfferView } from '../../src/flows/views/offers.js'
import {
  ARTIFACT,
  HIRER,
  type JobWorld,
  PRICE,
  PROVIDER,
  addressOf,
  agreed,
  brief,
  jobWorld,
  pay,
  sent,
  standing,
  taskAt
} from './jobs.js'
import { type Node, good, refusalOf } from './pair.js'

/** Offers and jobs as agents and owners may call them: at once, again and again, and with what should not be said. */

const LOGO = { title: 'A logo', description: 'By hand', deliverable: 'One file', price: '0.25', turnaroundHours: 72 }

async function offered({ world, bob }: JobWorld): Promise<OfferView> {
  const made = good(await world.do(bob.flows.owner.createOffer({ offer: LOGO })))
  await world.rest()
  return made
}

const asks = ({ world, alice }: JobWorld, more: JsonObject = {}) =>
  world.do(
    alice.flows.agent.createTask(alice.agent, { type: 'job.request', participant: '@bob', proposal: brief(more) })
  )

async function logged(at: JobWorld, node: Node, what: string): Promise<readonly { readonly times?: number }[]> {
  return good(await at.world.do(node.flows.owner.audit({ what, limit: 200 }))).items
}

describe('an agent that asks for what its owner does not pay', () => {
  it('as often as it likes, is an entry for each reason, and then a number', async () => {
    const at = await jobWorld()
    const { world, alice, bob } = at
    const uids = [await agreed(at, { price: '0.500000001' }), await agreed(at, { price: '0.500000002' })]
    const size = (await alice.all('audit')).length
    for (let i = 0; i < 300; i++) {
      const call = alice.flows.agent.pay(alice.agent, uids[i % 2] as string)
      expect(refusalOf(await world.do(call))).to.equal('policy_denied over_job_limit')
    }
    expect((await alice.all('audit')).length - size).to.equal(1)
    for (let i = 0; i < 300; i++) {
      const payTo = addressOf(HIRER)
      const call = bob.flows.agent.propose(bob.agent, uids[0] as string, { proposal: brief({ payTo }) })
      expect(refusalOf(await world.do(call))).to.match(/^(policy_denied|conflict)/)
    }
    expect((await logged(at, bob, 'payment.denied')).length).to.be.at.most(1)
    world.clock.jump(61 * MINUTE)
    await world.rest(MINUTE)
    const [counted] = await logged(at, alice, 'denials.counted')
    expect(counted).to.deep.include({ times: 299 })
  })

  it('has one question open about a payment, however often it asks', async () => {
    const at = await jobWorld()
    const uid = await agreed(at)
    const calls = Array.from({ length: 50 }, () => at.alice.flows.agent.pay(at.alice.agent, uid))
    const ids = (await at.world.do(Promise.all(calls))).map((told) => {
      const { answer } = good(told)
      return answer.status === 'pending_approval' ? answer.approvalId : 'sent'
    })
    expect(new Set(ids).size).to.equal(1)
    expect(ids[0]).to.not.equal('sent')
  })
})

describe('the price of a job', () => {
  const REFUSED = [
    '0',
    '0.0',
    '-0.25',
    '+0.25',
    '00.25',
    '01',
    '.25',
    '0.',
    '1e3',
    '0x1',
    '1,5',
    '0.0000000001',
    '100000000.000000001',
    '999999999',
    '18446744073709551615',
    '18446744073709551616',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '1 ',
    '１',
    '٠.٢٥',
    '0.25 SOL',
    '1\u0000',
    '1\u200b'
  ]
  const ODD: readonly unknown[] = [0.25, 1, -1, null, true, [], ['1'], {}, { amount: '1', currency: 'EUR' }]

  it('is more than nothing and at most what there can be, in plain digits', async () => {
    const at = await jobWorld()
    for (const price of [...REFUSED, ...ODD]) {
      const told = await asks(at, { price } as JsonObject)
      expect(refusalOf(told), JSON.stringify(price)).to.match(/^bad_request \S+ proposal\.price|^schema_mismatch|price/)
    }
    expect(await at.bob.all('tasks')).to.deep.equal([])
    for (const price of ['0.000000001', '100000000', '100000000.000000000', '0.250000000']) {
      const told = await asks(at, { price })
      good(told)
    }
  })
})

describe('an offer', () => {
  it('that is edited or withdrawn while it is quoted leaves the plan as it was agreed', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const { offerId } = await offered(at)
    const { taskUid } = sent(await asks(at, { offerId }))
    await world.rest()
    const quote = bob.flows.agent.propose(bob.agent, taskUid, { proposal: brief({ offerId }) })
    const edit = bob.flows.owner.changeOffer({ offerId, offer: { price: '0.3' } })
    const gone = bob.flows.owner.withdrawOffer({ offerId })
    const [quoted] = await world.do(Promise.all([quote, edit, gone]))
    sent(quoted)
    await world.rest()
    const proposalId = (await taskAt(at, alice, taskUid)).proposals.at(-1)?.proposalId ?? ''
    sent(await world.do(alice.flows.agent.respond(alice.agent, taskUid, { proposalId, decision: 'accept' })))
    await world.rest()
    await pay(at, taskUid)
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, taskUid)).to.match(/^paid/)
    expect(ledger.balance(addressOf(HIRER))).to.equal(1_000_000_000n - PRICE)
    expect(refusalOf(await asks(at, { offerId }))).to.equal('bad_request unknown_offer proposal.offerId')
  })

  it('that many owners edit at once is what one of them said, and gone is gone', async () => {
    const at = await jobWorld()
    const { offerId } = await offered(at)
    const { owner } = at.bob.flows
    const edits = Array.from({ length: 20 }, (_, i) => owner.changeOffer({ offerId, offer: { title: `${i}` } }))
    const leave = [owner.withdrawOffer({ offerId }), owner.withdrawOffer({ offerId })]
    const late = owner.changeOffer({ offerId, offer: { title: 'late' } })
    const outcomes = await at.world.do(Promise.all([...edits, ...leave, late]))
    expect(outcomes.map(({ ok }) => ok)).to.deep.equal([...edits.map(() => true), true, false, false])
    expect(good(await at.world.do(owner.offers({}))).items).to.deep.equal([])
  })

  it('is a job for each who hires by it, and each pays its own', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const { offerId } = await offered(at)
    const uids = [await agreed(at, { offerId }), await agreed(at, { offerId })]
    for (const uid of uids) await pay(at, uid)
    await world.rest(2 * MINUTE)
    for (const uid of uids) expect(await standing(at, bob, uid)).to.match(/^paid/)
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(2)
    const [first, second] = uids as [string, string]
    const deliveries = Array.from({ length: 10 }, (_, i) =>
      bob.flows.agent.deliverJob(bob.agent, first, { artifacts: [{ ...ARTIFACT, name: `logo-${i}` }] })
    )
    const ends = (await world.do(Promise.all(deliveries))).map((told) => (told.ok ? 'ok' : refusalOf(told)))
    expect(ends.filter((end) => end === 'ok')).to.have.length(1)
    expect(new Set(ends.filter((end) => end !== 'ok'))).to.deep.equal(new Set(['conflict illegal_transition']))
    await world.rest(MINUTE)
    const done = [alice, alice, bob].map((node) => node.flows.agent.completeJob(node.agent, first))
    expect((await world.do(Promise.all(done))).map(({ ok }) => ok)).to.deep.equal([true, false, false])
    expect(await standing(at, alice, second)).to.match(/^paid/)
  })
})

describe('a delivery', () => {
  const BAD: readonly (readonly [string, JsonObject])[] = [
    ['a location of nothing', { ...ARTIFACT, location: '' }],
    ['a media type that is none', { ...ARTIFACT, mediaType: 'text/html"><script>' }],
    ['a size beyond numbers', { ...ARTIFACT, size: Number.MAX_SAFE_INTEGER + 1 }],
    ['a digest that is none', { ...ARTIFACT, sha256: 'A'.repeat(64) }],
    ['a name that is none', { ...ARTIFACT, name: '' }],
    ['a member more', { ...ARTIFACT, run: 'rm -rf /' }]
  ]
  it('that its owner is asked about shows the agreed plan of its job beside what would be handed over', async () => {
    const at = await jobWorld()
    const { world, bob } = at
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(2 * MINUTE)
    const asking = { contact: '*', capability: 'disclose.job', effect: 'ask' } as const
    good(await world.do(bob.flows.owner.setGrant(asking)))
    const told = good(await world.do(bob.flows.agent.deliverJob(bob.agent, uid, { artifacts: [ARTIFACT] })))
    expect(told.answer).to.include({ status: 'pending_approval' })
    const { items } = good(await world.do(bob.flows.owner.approvals({ limit: 100 } as never)))
    const question = items.find(({ kind, status }) => kind === 'delivery' && status === 'pending')
    expect(question).to.deep.include({
      taskUid: uid,
      content: { artifacts: [ARTIFACT] },
      proposal: brief({ payTo: addressOf(PROVIDER) })
    })
  })

  it('is refused by its member, and nothing leaves', async () => {
    const at = await jobWorld()
    const uid = await agreed(at)
    await pay(at, uid)
    await at.world.rest(2 * MINUTE)
    const fates = []
    for (const [what, artifact] of BAD) {
      const told = await at.world.do(at.bob.flows.agent.deliverJob(at.bob.agent, uid, { artifacts: [artifact] }))
      fates.push([what, told.ok ? 'taken' : refusalOf(told)])
    }
    for (const [what, fate] of fates) expect(fate, what).to.match(/^bad_request/)
    expect(await standing(at, at.bob, uid)).to.match(/^paid/)
  })
})
