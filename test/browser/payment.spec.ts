import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { endAll, until } from '../e2e/agentlink.js'
import { type Daemon, befriend } from '../e2e/daemon.js'
import { BRIEF, PATIENCE_MS, hireable, hired, localChain } from '../e2e/hired.js'
import { temporaryHomes } from '../support/homes.js'
import { realChromium } from './chromium.js'

const OFFER = [
  ['Title', 'A moon'],
  ['What you do', 'Drawn by hand'],
  ['What is handed over', 'An SVG'],
  ['Price in SOL', '0.25']
] as const

interface Job {
  readonly task: { readonly status: string }
}

describe('money on the local chain, in a real browser', function () {
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

  /** The payment on the page of its job: on no explorer as it is, and on that of devnet if it were there. */
  async function lookedUp(page: Page): Promise<void> {
    const payment = page.getByRole('group').filter({ hasText: `${BRIEF.price} SOL promised, attempt 1` })
    await payment.locator('summary').click()
    await payment.getByText('only this machine knows its local chain').waitFor()
    await page.route('**/v1/owner/tasks/*', async (route) => {
      const body = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'application/json',
        body: body.replaceAll('solana:localnet', 'solana:devnet')
      })
    })
    await page.reload()
    await payment.locator('summary').click()
    const link = payment.getByRole('link', { name: /^Look at it in the Solana explorer/ })
    expect(await link.getAttribute('href')).to.match(/^https:\/\/explorer\.solana\.com\/tx\/\w+\?cluster=devnet$/)
  }

  it('begins with a question that names job, price and the other side, before there is any job', async () => {
    const rule = { contact: bob.run.agent, capability: 'disclose.job' }
    await alice.owner('PUT', 'grants', { ...rule, effect: 'ask' })
    const ask = { type: 'job.request', participant: bob.run.agent, proposal: BRIEF }
    const { status, body } = await alice.agent<{ approvalId: string }>('POST', 'tasks', ask)
    expect(status).to.equal(202)
    await chromium.visit(
      alice,
      async (page) => {
        const card = page.getByRole('article').filter({ hasText: '@bob' })
        const question = card.getByRole('link', { name: `Ask for a paid job at ${BRIEF.price} SOL: “${BRIEF.brief}”` })
        await question.waitFor()
        expect(await page.getByText('No jobs yet.').count()).to.equal(0)
        await question.click()
        await page.getByText('A yes here pays nothing').waitFor()
        await page.getByRole('button', { name: 'No', exact: true }).click()
        await page.getByText('You said no; nothing left.').waitFor()
        await page.getByText('No jobs yet.').waitFor()
      },
      { place: '#/money' }
    )
    expect((await alice.owner<{ approval: object }>('GET', `approvals/${body.approvalId}`)).body.approval).to.include({
      status: 'denied'
    })
    await alice.owner('PUT', 'grants', { ...rule, effect: 'allow' })
  })

  it('is paid after a question that shows all of it and is put twice, and is seen as paid', async () => {
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
        await page.goto(`${alice.run.url}/dashboard/#/money`)
        await page.getByRole('link', { name: BRIEF.brief, exact: true }).click()
        await page.getByText('Paid, work due').first().waitFor()
        await page.getByText('The provider acts next: it delivers the work.').waitFor()
        await lookedUp(page)
        await page.getByRole('link', { name: '← Jobs & money' }).click()
        await page.getByRole('heading', { name: 'Jobs & money', level: 1 }).waitFor()
      },
      { place: `#/approvals/${body.approvalId}` }
    )
    await until(
      () => statusAt(bob, uid),
      (now) => now === 'paid',
      PATIENCE_MS
    )
  })

  it('is not paid on a no', async () => {
    const uid = await hired(alice, bob, 'agreed')
    const { body } = await alice.agent<{ approvalId: string }>('POST', `tasks/${uid}/payments`, {})
    await chromium.visit(
      alice,
      async (page) => {
        await page.goto(`${alice.run.url}/dashboard/#/tasks/${uid}`)
        await page.getByText('You act next').waitFor()
        await page.getByRole('link', { name: 'Look at the question' }).click()
        await page.getByRole('button', { name: 'No', exact: true }).click()
        await page.getByText('You said no; nothing left.').waitFor()
        await page.goto(`${alice.run.url}/dashboard/#/tasks/${uid}`)
        await page.getByText(`agentlink job pay ${uid}`).waitFor()
      },
      { place: `#/approvals/${body.approvalId}` }
    )
    expect([await statusAt(alice, uid), await statusAt(bob, uid)]).to.deep.equal(['agreed', 'agreed'])
  })

  it('is asked for by offers that the owner makes, edits and withdraws, and contacts hear of each', async () => {
    const offersOf = async (): Promise<string> =>
      JSON.stringify((await bob.owner('GET', `contacts/${alice.run.agent}/offers`)).body)
    await chromium.visit(
      alice,
      async (page) => {
        const dialog = page.getByRole('dialog')
        await page.getByRole('button', { name: 'New offer' }).click()
        for (const [label, text] of OFFER) await dialog.getByLabel(label).fill(text)
        await dialog.getByLabel('Hours that it takes').fill('two')
        await dialog.getByRole('button', { name: 'Offer it' }).click()
        await dialog.getByText('It must be a whole number from 1 to 720.').first().waitFor()
        await dialog.getByLabel('Hours that it takes').fill('48')
        await dialog.getByLabel('Price in SOL').fill('0,25')
        await dialog.getByRole('button', { name: 'Offer it' }).click()
        await dialog.getByText('Write it with a point and without a comma, such as 0.5.').first().waitFor()
        await dialog.getByLabel('Price in SOL').fill('0.25')
        await dialog.getByRole('button', { name: 'Offer it' }).click()
        await page.getByRole('article').filter({ hasText: '0.25 SOL' }).waitFor()
        await until(offersOf, (text) => text.includes('0.25'))

        await page.getByRole('button', { name: 'Edit A moon' }).click()
        await dialog.getByLabel('Price in SOL').fill('0.5')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('article').filter({ hasText: '0.5 SOL' }).waitFor()
        await until(offersOf, (text) => text.includes('0.5'))

        await page.getByRole('button', { name: 'Withdraw A moon' }).click()
        await dialog.getByRole('button', { name: 'Withdraw it' }).click()
        await page.getByText('Nothing is offered.').first().waitFor()
        await until(offersOf, (text) => !text.includes('A moon'))
      },
      { place: '#/money/offers' }
    )
  })
})
