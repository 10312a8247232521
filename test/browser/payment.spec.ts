import { expect } from 'chai'
import { endAll, until } from '../e2e/agentlink.js'
import { type Daemon, befriend } from '../e2e/daemon.js'
import { BRIEF, PATIENCE_MS, hireable, hired, localChain } from '../e2e/hired.js'
import { temporaryHomes } from '../support/homes.js'
import { realChromium } from './chromium.js'

interface Job {
  readonly task: { readonly status: string }
}

describe('a payment on the local chain, in a real browser', function () {
  this.timeout(180_000)
  const chromium = realChromium()
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon
  before(async () => {
    const url = await localChain()
    ;[alice, bob] = await Promise.all([hireable(homes.make(), '@alice', url), hireable(homes.make(), '@bob', url)])
    await befriend(alice, bob)
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  const statusAt = async (node: Daemon, uid: string): Promise<string> =>
    (await node.agent<Job>('GET', `tasks/${uid}`)).body.task.status

  it('is seen whole, asked for twice, made on the yes, and seen as paid', async () => {
    const uid = await hired(alice, bob, 'agreed')
    const { status, body } = await alice.agent<{ approvalId: string }>('POST', `tasks/${uid}/payments`, {})
    expect(status).to.equal(202)
    await chromium.visit(
      alice,
      async (page) => {
        await page.getByRole('heading', { name: `Exactly this payment: ${BRIEF.price} SOL` }).waitFor()
        await page.getByText('There are no refunds: what is paid can’t be called back.').waitFor()
        await page.getByRole('button', { name: 'Yes, pay' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
        expect(await statusAt(alice, uid)).to.equal('awaiting_approval')
        await page.getByRole('button', { name: 'Yes, pay' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Yes, pay' }).click()
        await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
        await page.goto(`${alice.run.url}/dashboard/#/tasks/${uid}?agent=${alice.run.agent}`)
        await page.getByText('Paid, work due').first().waitFor()
      },
      { place: `#/approvals/${body.approvalId}` }
    )
    await until(
      () => statusAt(bob, uid),
      (now) => now === 'paid',
      PATIENCE_MS
    )
  })

  it('is not made on a no', async () => {
    const uid = await hired(alice, bob, 'agreed')
    const { body } = await alice.agent<{ approvalId: string }>('POST', `tasks/${uid}/payments`, {})
    await chromium.visit(
      alice,
      async (page) => {
        await page.getByRole('button', { name: 'No', exact: true }).click()
        await page.getByText('You said no; nothing left.').waitFor()
      },
      { place: `#/approvals/${body.approvalId}` }
    )
    expect([await statusAt(alice, uid), await statusAt(bob, uid)]).to.deep.equal(['agreed', 'agreed'])
  })
})
