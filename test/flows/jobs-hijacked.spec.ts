import { expect } from 'chai'
import { HOUR, DAY, MINUTE } from '../../src/base/time.js'
import { fromBase58, toBase58 } from '../../src/wire/base58.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { ARTIFACT, HIRER, type JobWorld, PROVIDER, addressOf, agreed, brief, jobWorld, pay, taskAt } from './jobs.js'
import { type Node, good } from './pair.js'

/** A call whose answer does not matter: whoever makes it tries everything. */
type Call = () => Promise<unknown>

const SOL = 1_000_000_000n
const LIMITS = { perJob: SOL / 20n, perDay: SOL / 8n }
const PRICES = ['0.01', '0.025', '0.05', '0.050000001', '0.9', '999999999', '-1', '0', 'much']
/** Of jobs that both want: there is always something to pay for. */
const GOOD_PRICES = ['0.05', '0.03']
const DAYS = 2
const GOING = ['open', 'negotiating', 'agreed', 'awaiting_approval']
const BATCH = 12
const STRANGER = addressOf(signerOf(new Uint8Array(32).fill(14)))

describe('an agent of the hirer that is in the hands of somebody else', () => {
  for (const [rule, seed] of [
    ['ask', 1],
    ['ask', 2],
    ['allow', 3],
    ['allow', 4]
  ] as const) {
    it(`moves no more than the owner said, with pay.solana on ${rule} (seed ${seed})`, () => rob(rule, numbers(seed)))
  }

  async function rob(rule: 'ask' | 'allow', random: (below: number) => number): Promise<void> {
    const at = await jobWorld({ spend: LIMITS, flows: { openApprovals: 100 } })
    const { world, ledger, alice, bob } = at
    if (rule === 'allow') {
      good(await world.do(alice.flows.owner.setGrant({ contact: '*', capability: 'pay.solana', effect: 'allow' })))
    }
    const approved = new Set<string>()
    const begun = world.clock.now()
    const robber = createRobber(at, random)
    while (world.clock.now() < begun + DAYS * DAY) {
      for (const price of GOOD_PRICES) await agreed(at, { price })
      await world.do(Promise.all(Array.from({ length: BATCH }, () => robber(alice))))
      await world.do(Promise.all(Array.from({ length: BATCH / 2 }, () => robber(bob))))
      await answer(at, random, approved)
      await world.rest(10_000)
      world.clock.jump((1 + random(4)) * HOUR)
      await world.rest(10_000)
    }
    await world.rest(MINUTE)
    const paid = ledger.payments().filter(({ accounts }) => accounts[0] === addressOf(HIRER))
    expect(paid.length).to.be.above(DAYS)
    const promised = (await alice.all('jobs')).flatMap(({ attempts }) => attempts)
    const spends = paid.map(({ lamports, accounts }) => {
      const attempt = promised.find(({ terms }) => accounts.includes(terms.reference))
      if (attempt === undefined) throw new Error('money that nobody promised')
      return { lamports, at: attempt.sealedAt, reference: attempt.terms.reference }
    })
    for (const { lamports, at: end, reference } of spends) {
      expect(lamports <= LIMITS.perJob, `${lamports} for one job`).to.equal(true)
      const day = spends.filter((one) => one.at > end - DAY && one.at <= end)
      const sum = day.reduce((all, one) => all + one.lamports, 0n)
      expect(sum <= LIMITS.perDay, `${sum} within a day`).to.equal(true)
      if (rule === 'ask') expect(approved.has(reference), 'the owner said yes to exactly this').to.equal(true)
    }
    expect(new Set(spends.map(({ reference }) => reference)).size).to.equal(spends.length)
    for (const { accounts } of paid) expect(accounts[1]).to.equal(addressOf(PROVIDER))
    const denials = good(await world.do(alice.flows.owner.audit({ what: 'payment.denied', limit: 200 }))).items
    expect(denials.map(({ about }) => about.code)).to.include('over_day_limit')
  }
})

/** Makes one call of an agent at random, as its token allows. */
function createRobber({ alice, bob }: JobWorld, random: (below: number) => number): (who: Node) => Promise<unknown> {
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)]
  const plan = (): ReturnType<typeof brief> =>
    brief({
      price: pick(PRICES) ?? '0.01',
      ...(random(4) === 0
        ? { payTo: pick([STRANGER, addressOf(HIRER), toBase58(fromBase58(STRANGER, 32) ?? new Uint8Array(32))]) ?? '' }
        : {})
    })
  return async (who) => {
    const { agent } = who.flows
    const page = await agent.listTasks(who.agent, { limit: 50 })
    const going = page.ok ? page.value.items.filter(({ status }) => GOING.includes(status)) : []
    const task = random(8) === 0 && page.ok ? pick(page.value.items) : pick(going)
    const uid = task?.taskUid ?? 'none'
    const proposals = task?.proposals ?? []
    const proposalId = (random(8) === 0 ? pick(proposals) : proposals.at(-1))?.proposalId ?? 'none'
    const once = { key: `agent/pay/${random(20)}`, bodyHash: 'x' }
    const participant = who === alice ? bob.agent : alice.agent
    const create = (proposal: ReturnType<typeof brief>): Promise<unknown> =>
      agent.createTask(who.agent, { type: 'job.request', participant, expiresInHours: 1 + random(72), proposal })
    const accept: Call = () => agent.respond(who.agent, uid, { proposalId, decision: 'accept' })
    const payIt: Call = () => agent.pay(who.agent, uid, random(2) === 0 ? once : undefined)
    const calls: readonly Call[] = [
      () => create(plan()),
      () => agent.propose(who.agent, uid, { proposal: plan() }),
      () => create(brief({ price: pick(PRICES.slice(1, 4)) ?? '' })),
      () => agent.propose(who.agent, uid, { proposal: brief({ price: pick(PRICES.slice(1, 4)) ?? '' }) }),
      accept,
      accept,
      payIt,
      payIt,
      payIt,
      () => (random(6) === 0 ? agent.cancel(who.agent, uid, {}) : accept()),
      () => agent.deliverJob(who.agent, uid, { artifacts: [ARTIFACT] }),
      () => agent.completeJob(who.agent, uid),
      () => agent.runAction(who.agent, { taskUid: uid, action: 'pay', params: { payTo: STRANGER } } as never)
    ]
    return pick(calls)?.()
  }
}

/** The owner says yes to some payments, and no to others; never twice to one. */
async function answer(
  { world, alice }: JobWorld,
  random: (below: number) => number,
  approved: Set<string>
): Promise<void> {
  const { items } = good(await world.do(alice.flows.owner.approvals({ limit: 100 } as never)))
  for (const one of items) {
    if (one.kind !== 'payment' || one.status !== 'pending') continue
    const decision = random(3) === 0 ? 'deny' : 'approve'
    if (decision === 'approve') approved.add(String(one.terms['reference']))
    await world.do(alice.flows.owner.answerApproval(one.approvalId, { decision, scope: 'once' }))
  }
}

function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('the audit log', () => {
  const written = async ({ world }: JobWorld, node: Node, uid: string): Promise<readonly string[]> => {
    const { items } = good(await world.do(node.flows.owner.audit({ task: uid, what: 'job', limit: 100 })))
    return items.map(({ what, who }) => `${what} ${who.kind}`).reverse()
  }

  it('has each step of a paid job once, on both nodes', async () => {
    const at = await jobWorld()
    const { world, alice, bob } = at
    const uid = await agreed(at)
    await pay(at, uid)
    await world.rest(MINUTE)
    await world.do(bob.flows.agent.deliverJob(bob.agent, uid, { artifacts: [ARTIFACT] }))
    await world.rest()
    await world.do(alice.flows.agent.completeJob(alice.agent, uid))
    await world.rest()
    expect(await written(at, alice, uid)).to.deep.equal([
      'job.paying agent',
      'job.paid peer',
      'job.delivered peer',
      'job.completed agent'
    ])
    expect(await written(at, bob, uid)).to.deep.equal([
      'job.paying peer',
      'job.paid agent',
      'job.delivered agent',
      'job.completed peer'
    ])
  })

  it('has a payment that is provably dead once, on both nodes', async () => {
    const at = await jobWorld()
    const uid = await agreed(at)
    at.ledger.failing.add('swallow')
    await pay(at, uid)
    await at.world.rest(10 * MINUTE)
    expect((await taskAt(at, at.bob, uid)).status).to.equal('agreed')
    expect(await written(at, at.alice, uid)).to.deep.equal(['job.paying agent', 'job.unpaid agent'])
    expect(await written(at, at.bob, uid)).to.deep.equal(['job.paying peer', 'job.unpaid peer'])
  })
})
