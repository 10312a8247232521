import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import { HOUR } from '../../src/base/time.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import { type Household, good, soon, street } from './people.js'

/** Every way in which an invite of a type can end, between two whole nodes over real connections. */

const QUOTE_FILE = readFileSync('protocols/types/quote.request@1.json', 'utf8')
const OTHER_FILE = canonicalText({ ...(JSON.parse(QUOTE_FILE) as JsonObject), title: 'Another quotation' } as Json)
const PLAN = { item: 'Oak table', quantity: 3, unit: 'piece' }

describe('an invite of a type, between two nodes', function () {
  this.timeout(30_000)
  const at = street()
  let alice: Household
  let bob: Household

  beforeEach(async () => {
    ;[alice, bob] = [await at.house('alice', builtinTypes()), await at.house('bob', builtinTypes())]
    const { link } = good(await alice.flows.owner.invite({ secret: true }))
    good(await bob.flows.owner.addContact({ link }))
    for (const [one, other] of [
      [alice, bob],
      [bob, alice]
    ] as const) {
      await soon(async () => {
        const { items } = await one.flows.agent.contacts(one.agent)
        return items.find((contact) => contact.agent === other.agent && contact.status === 'active')
      })
    }
    await install(alice, QUOTE_FILE)
  })
  afterEach(() => at.clean())

  async function install(one: Household, file: string): Promise<string> {
    for (const capability of ['disclose.*', 'disclose.x.purchasing']) {
      good(await one.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' }))
    }
    return good(await one.flows.owner.installType({ file })).hash
  }

  async function invite(type = 'quote.request'): Promise<string> {
    const command = { type, participant: bob.agent, proposal: PLAN, expiresInHours: 48 }
    const { answer } = good(await alice.flows.agent.createTask(alice.agent, command))
    if (answer.status !== 'sent') throw new Error('it waits for the owner')
    return answer.task.taskUid
  }

  /** The status of the task at a node once it is another than `open`, with its reason. */
  function ending(one: Household, uid: string): Promise<string> {
    return soon(async () => {
      const { status, statusReason } = good(await one.flows.agent.getTask(one.agent, uid))
      return status === 'open' ? undefined : [status, statusReason ?? ''].join(' ').trim()
    })
  }

  function question(): Promise<string> {
    return soon(async () => {
      const { items } = good(await bob.flows.owner.approvals({ limit: 9, status: 'pending' }))
      return items.find((one) => one.kind === 'type')?.approvalId
    })
  }

  async function answer(decision: 'approve' | 'deny'): Promise<void> {
    good(await bob.flows.owner.answerApproval(await question(), { decision, scope: 'once' }))
  }

  async function hidden(uid: string): Promise<boolean> {
    return !(await bob.flows.agent.getTask(bob.agent, uid)).ok
  }

  it('opens where the same definition is held', async () => {
    await install(bob, QUOTE_FILE)
    const uid = await invite()
    await soon(async () => ((await hidden(uid)) ? undefined : true))
    const proposalId = good(await bob.flows.agent.getTask(bob.agent, uid)).proposals[0]?.proposalId ?? ''
    good(await bob.flows.agent.respond(bob.agent, uid, { proposalId, decision: 'accept' }))
    expect(await ending(alice, uid)).to.equal('agreed')
  })

  it('ends with type_mismatch where another one stands under its name', async () => {
    await install(bob, OTHER_FILE)
    expect(await ending(alice, await invite())).to.equal('cancelled type_mismatch')
  })

  it('ends with type_retired where its owner retired it', async () => {
    await install(bob, QUOTE_FILE)
    good(await bob.flows.owner.retireType('quote.request'))
    expect(await ending(alice, await invite())).to.equal('cancelled type_retired')
  })

  it('ends with type_not_installed after a no that comes late, both nodes having been off in between', async () => {
    const uid = await invite()
    await question()
    expect(await hidden(uid)).to.equal(true)
    await alice.stop()
    await bob.stop()
    at.pass(20 * HOUR)
    await bob.start()
    await answer('deny')
    await bob.stop()
    await alice.start()
    await bob.start()
    expect(await ending(alice, uid)).to.equal('cancelled type_not_installed')
    const again = { type: 'quote.request', participant: bob.agent, proposal: PLAN }
    const refused = await alice.flows.agent.createTask(alice.agent, again)
    expect(refused.ok ? '' : refused.refusal.details.code).to.equal('invite_refused')
  })

  it('opens after a yes that comes late, and comes to an agreement and an order on it', async () => {
    const uid = await invite()
    await question()
    await bob.stop()
    at.pass(30 * HOUR)
    await bob.start()
    await answer('approve')
    const seen = good(await bob.flows.agent.getTask(bob.agent, uid))
    const proposalId = seen.proposals[0]?.proposalId ?? ''
    good(await bob.flows.agent.respond(bob.agent, uid, { proposalId, decision: 'accept' }))
    expect(await ending(alice, uid)).to.equal('agreed')
    const capability = 'action.x.quote.request.order'
    good(await alice.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' }))
    const order = { taskUid: uid, action: 'x.quote.request.order', params: { orderNumber: 'PO-17', quantity: 3 } }
    const bad = { ...order, params: { orderNumber: 'PO-17', quantity: 0 } }
    const refused = await alice.flows.agent.runAction(alice.agent, bad)
    expect(refused.ok ? '' : refused.refusal.details.field).to.equal('params.quantity')
    expect(good(await alice.flows.agent.runAction(alice.agent, order)).answer.status).to.equal('recorded')
    expect(await ending(bob, uid).then((status) => (status === 'agreed' ? confirmed(uid) : status))).to.equal(
      'confirmed'
    )
  })

  function confirmed(uid: string): Promise<string> {
    return soon(async () => {
      const { status } = good(await bob.flows.agent.getTask(bob.agent, uid))
      return status === 'confirmed' ? status : undefined
    })
  }

  it('expires on both sides when nobody decides', async () => {
    const uid = await invite()
    await question()
    at.pass(49 * HOUR)
    expect(await ending(alice, uid)).to.equal('expired')
    await soon(async () => {
      const { items } = good(await bob.flows.owner.approvals({ limit: 9, status: 'expired' }))
      return items[0]
    })
    expect(await hidden(uid)).to.equal(true)
  })

  it('is taken back by its sender, and the question goes', async () => {
    const uid = await invite()
    const approvalId = await question()
    good(await alice.flows.agent.cancel(alice.agent, uid, {}))
    await soon(async () => (good(await bob.flows.owner.approval(approvalId)).status === 'stale' ? true : undefined))
    expect(await ending(alice, uid)).to.equal('cancelled')
    expect(await hidden(uid)).to.equal(true)
  })
})
