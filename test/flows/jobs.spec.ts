import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import { MINUTE } from '../../src/base/time.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'
import {
  ARTIFACT,
  HIRER,
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
import { good, refusalOf } from './pair.js'

describe('a paid job', () => {
  it('is quoted, agreed, approved, paid, verified, delivered and completed, and the money moves once', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const uid = await agreed(at)
    expect(await standing(at, alice, uid)).to.equal('agreed payment_due')
    await pay(at, uid)
    await world.rest(10_000)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(await standing(at, bob, uid)).to.equal('paid delivery_due')
    expect(ledger.balance(addressOf(PROVIDER))).to.equal(1_000_000_000n + PRICE)
    sent(await world.do(bob.flows.agent.deliverJob(bob.agent, uid, { artifacts: [ARTIFACT], summary: 'Here it is' })))
    await world.rest()
    expect(await standing(at, alice, uid)).to.equal('delivered completion_due')
    sent(await world.do(alice.flows.agent.completeJob(alice.agent, uid)))
    await world.rest()
    expect(await standing(at, bob, uid)).to.equal('completed')
    const { job } = await taskAt(at, bob, uid)
    expect(job?.attempts.map(({ state }) => state)).to.deep.equal(['paid'])
    expect(job?.delivery?.summary).to.equal('Here it is')
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(1)
    const [money] = good(await world.do(bob.flows.owner.payments({}))).items
    expect(money?.received.map(({ code, lamports }) => [code, lamports])).to.deep.equal([['paid', PRICE.toString()]])
  })

  it('names the address of the provider’s owner, whatever its agent says', async () => {
    const at = await jobWorld()
    const { world, alice, bob } = at
    const command = { type: 'job.request', participant: bob.agent, proposal: brief({ payTo: addressOf(HIRER) }) }
    const { taskUid } = sent(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    await world.rest()
    const propose = (payTo: string) =>
      world.do(bob.flows.agent.propose(bob.agent, taskUid, { proposal: brief({ payTo }) }))
    expect(refusalOf(await propose(addressOf(HIRER)))).to.equal('policy_denied')
    const [first] = (await taskAt(at, bob, taskUid)).proposals
    const accept = bob.flows.agent.respond(bob.agent, taskUid, {
      proposalId: first?.proposalId ?? '',
      decision: 'accept'
    })
    expect(refusalOf(await world.do(accept))).to.equal('policy_denied')
    sent(await world.do(bob.flows.agent.propose(bob.agent, taskUid, { proposal: brief() })))
    const last = (await taskAt(at, bob, taskUid)).proposals.at(-1)
    expect(last?.proposal['payTo']).to.equal(addressOf(PROVIDER))
    const { items } = good(await world.do(bob.flows.owner.audit({ what: 'payment.denied', limit: 10 })))
    expect(items.map(({ about }) => about.capability)).to.deep.equal(['pay.receive'])
  })

  it('shows the owner every parameter of a payment, takes one yes for one payment, and asks once', async () => {
    const at = await jobWorld()
    const { world, alice } = at
    const uid = await agreed(at)
    const ask = async () => good(await world.do(alice.flows.agent.pay(alice.agent, uid))).answer
    const [first, again] = [await ask(), await ask()]
    if (first.status !== 'pending_approval') throw new Error('nobody was asked')
    expect(again).to.deep.equal(first)
    const shown = good(await world.do(alice.flows.owner.approval(first.approvalId)))
    if (shown.kind !== 'payment') throw new Error(shown.kind)
    expect(shown.scopes).to.deep.equal(['once'])
    expect(shown.terms).to.include({
      recipient: addressOf(PROVIDER),
      payer: addressOf(HIRER),
      lamports: PRICE.toString()
    })
    expect(shown.terms['memo']).to.equal(`agentlink:1:${uid}:${shown.proposalId}`)
    expect((await taskAt(at, alice, uid)).status).to.equal('awaiting_approval')
    const deny = { decision: 'deny', scope: 'once' } as const
    good(await world.do(alice.flows.owner.answerApproval(first.approvalId, deny)))
    expect((await taskAt(at, alice, uid)).status).to.equal('agreed')
  })

  it('is not paid before the provider’s node has stored the promise', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const uid = await agreed(at)
    await bob.stop()
    await pay(at, uid)
    await world.rest(5 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paying on_its_way')
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(0)
    await bob.start()
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(1)
  })

  it('can be paid anew only when the first transaction is provably dead', async () => {
    const at = await jobWorld()
    const { world, ledger, alice } = at
    const uid = await agreed(at)
    ledger.failing.add('swallow')
    await pay(at, uid)
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paying on_its_way')
    expect(refusalOf(await world.do(alice.flows.agent.pay(alice.agent, uid)))).to.equal('conflict illegal_transition')
    ledger.failing.delete('swallow')
    ledger.failing.add('down')
    await world.rest(10 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paying not_landed')
    ledger.failing.delete('down')
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('agreed payment_due')
    expect((await taskAt(at, alice, uid)).job?.attempts.map(({ state }) => state)).to.deep.equal(['unpaid'])
    await pay(at, uid)
    await world.rest(2 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(1)
  })

  it('is not called dead by an RPC node that forgets what landed, nor paid twice', async () => {
    const at = await jobWorld()
    const { world, ledger, alice } = at
    const uid = await agreed(at)
    ledger.failing.add('forget')
    await pay(at, uid)
    await world.rest(2 * MINUTE)
    ledger.failing.delete('forget')
    await world.rest(MINUTE)
    expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(1)
  })

  it('stays within the limits of the owner, whatever a granted agent asks for', async () => {
    const at = await jobWorld()
    const { world, ledger, alice } = at
    const grant = { contact: '*', capability: 'pay.solana', effect: 'allow' } as const
    good(await world.do(alice.flows.owner.setGrant(grant)))
    const dear = await agreed(at, { price: '0.500000001' })
    expect(refusalOf(await world.do(alice.flows.agent.pay(alice.agent, dear)))).to.equal('policy_denied over_job_limit')
    const uids = [await agreed(at), await agreed(at), await agreed(at)]
    const outcomes = await world.do(Promise.all(uids.map((uid) => alice.flows.agent.pay(alice.agent, uid))))
    expect(outcomes.map(({ ok }) => ok)).to.deep.equal([true, true, false])
    await world.rest(MINUTE)
    expect(ledger.balance(addressOf(HIRER))).to.equal(1_000_000_000n - 2n * PRICE)
    const { items } = good(await world.do(alice.flows.owner.audit({ what: 'payment.denied', limit: 10 })))
    expect(items.map(({ about }) => about.code)).to.deep.equal(['over_day_limit', 'over_job_limit'])
  })

  it('ends unpaid with its time', async () => {
    const at = await jobWorld()
    const { world, alice, bob } = at
    const uid = await agreed(at)
    world.clock.jump(49 * 60 * MINUTE)
    await world.rest(10_000)
    expect(await standing(at, alice, uid)).to.equal('expired')
    expect(await standing(at, bob, uid)).to.equal('expired')
    expect(refusalOf(await world.do(alice.flows.agent.pay(alice.agent, uid)))).to.match(/^conflict /)
  })

  it('shows the owner money that is foreign, double or late, and pays nothing with it', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(MINUTE)
    const { job } = await taskAt(at, bob, uid)
    const [attempt] = job?.attempts ?? []
    const plan = (await taskAt(at, bob, uid)).agreedProposalId ?? ''
    const owed = {
      cluster: 'solana:localnet',
      payer: addressOf(HIRER),
      recipient: addressOf(PROVIDER),
      lamports: PRICE.toString(),
      reference: attempt?.reference ?? '',
      memo: `agentlink:1:${uid}:${plan}`
    } as const
    const stranger = signerOf(new Uint8Array(32).fill(13))
    const land = async (terms: PaymentTerms, wallet: Signer): Promise<void> => {
      const signed = good(await ledger.chainOf(wallet).sign(terms))
      ledger.land(signed.bytes)
      await world.rest(12 * MINUTE)
    }
    await land(owed, HIRER)
    await land({ ...owed, payer: addressOf(stranger) }, stranger)
    await land({ ...owed, lamports: '7' }, HIRER)
    const [money] = good(await world.do(bob.flows.owner.payments({}))).items
    expect(money?.received.map(({ code, lamports }) => [code, lamports])).to.deep.equal([
      ['paid', PRICE.toString()],
      ['double', PRICE.toString()],
      ['wrong_payer', PRICE.toString()],
      ['short', '7']
    ])
    expect(await standing(at, bob, uid)).to.equal('paid delivery_due')
    const { items } = good(await world.do(bob.flows.agent.inbox(bob.agent, { waitSeconds: 0, limit: 50 })))
    expect(items.filter(({ kind }) => kind === 'job.odd_money').length).to.equal(3)
    const transfers = good(await world.do(alice.flows.owner.payments({}))).items
    expect(transfers[0]?.paid.map(({ state }) => state)).to.deep.equal(['landed'])
  })

  it('does not take a payment that comes after its time, and keeps it on record', async () => {
    const at = await jobWorld()
    const { world, ledger, alice, bob } = at
    const uid = await agreed(at)
    ledger.failing.add('swallow')
    await pay(at, uid)
    await world.rest(MINUTE)
    const [promised] = good(await world.do(alice.flows.owner.payments({}))).items
    const terms = promised?.paid[0]?.terms
    if (terms === undefined) throw new Error('nothing was promised')
    world.clock.jump(48 * 60 * MINUTE)
    await world.rest(10 * MINUTE)
    expect(await standing(at, alice, uid)).to.equal('expired')
    ledger.failing.delete('swallow')
    ledger.land(good(await ledger.chainOf(HIRER).sign(terms)).bytes)
    await world.rest(15 * MINUTE)
    expect(await standing(at, bob, uid)).to.equal('expired')
    const [money] = good(await world.do(bob.flows.owner.payments({}))).items
    expect(money?.received.map(({ code }) => code)).to.deep.equal(['late'])
  })

  it('is not signed again by a home that was restored from before its payment', async () => {
    const at = await jobWorld()
    const { world, ledger, alice } = at
    const uid = await agreed(at)
    const before = alice.backup()
    await pay(at, uid)
    await world.rest(10_000)
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(1)
    await alice.stop()
    alice.restore(before)
    await alice.start()
    await world.rest(10 * MINUTE)
    expect(await standing(at, alice, uid)).to.match(/^(paying landed|paid delivery_due)$/)
    expect(ledger.arrived(addressOf(PROVIDER))).to.equal(1)
  })

  it('says on both nodes what is late, and is delivered and completed all the same', async () => {
    const at = await jobWorld()
    const { world, alice, bob } = at
    const uid = await agreed(at, { deadline: '2026-11-02' })
    await pay(at, uid)
    await world.rest(MINUTE)
    world.clock.jump(48 * 60 * MINUTE)
    await world.rest(10_000)
    const late = async (status: string, details: readonly string[]): Promise<void> => {
      for (const node of [alice, bob]) {
        expect(await standing(at, node, uid)).to.equal(`${status} ${details.at(-1)}`)
        const { items } = good(await world.do(node.flows.agent.inbox(node.agent, { waitSeconds: 0, limit: 50 })))
        const words = items.filter(({ kind }) => kind === 'job.overdue').map(({ content }) => content)
        expect(words).to.deep.equal(details.map((detail) => ({ detail })))
      }
    }
    await late('paid', ['delivery_overdue'])
    good(await world.do(bob.flows.agent.deliverJob(bob.agent, uid, { artifacts: [ARTIFACT] })))
    await world.rest(MINUTE)
    world.clock.jump(8 * 24 * 60 * MINUTE)
    await world.rest(10_000)
    await late('delivered', ['delivery_overdue', 'completion_overdue'])
    good(await world.do(alice.flows.agent.completeJob(alice.agent, uid)))
  })

  it('takes no step from the wrong side, nor before its turn', async () => {
    const at = await jobWorld()
    const { world, alice, bob } = at
    const uid = await agreed(at)
    const [hirer, provider] = [alice.flows.agent, bob.flows.agent]
    const delivery = { artifacts: [ARTIFACT] }
    const wrong = [
      provider.pay(bob.agent, uid),
      provider.deliverJob(bob.agent, uid, delivery),
      hirer.deliverJob(alice.agent, uid, delivery),
      hirer.completeJob(alice.agent, uid),
      provider.completeJob(bob.agent, uid)
    ]
    for (const call of wrong) expect(refusalOf(await world.do(call))).to.equal('conflict illegal_transition')
    const bad = [
      {},
      { artifacts: [] },
      { artifacts: [{ ...ARTIFACT, size: -1 }] },
      { artifacts: 'x' },
      { evidence: {} }
    ]
    for (const body of bad) {
      expect(refusalOf(await world.do(provider.deliverJob(bob.agent, uid, body as JsonObject)))).to.match(
        /^bad_request/
      )
    }
    expect(refusalOf(await world.do(hirer.pay(alice.agent, 'nonsense')))).to.equal('not_found taskUid')
  })
})
