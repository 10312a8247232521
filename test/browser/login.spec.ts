import { expect } from 'chai'
import { endAll } from '../e2e/agentlink.js'
import { Daemon } from '../e2e/daemon.js'
import { temporaryHomes } from '../support/homes.js'
import { seriousFindings } from './axe.js'
import { loginLink, realChromium } from './chromium.js'

const REFUSED = /401 \(Unauthorized\).*\/dashboard\/session/

describe('the way into the owner’s page, in a real browser', function () {
  this.timeout(120_000)
  const chromium = realChromium()
  const homes = temporaryHomes()
  let node: Daemon
  before(async () => {
    node = await Daemon.make(homes.make(), '@alice')
  })
  after(async () => {
    await node?.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  it('is the link of `agentlink dashboard`, which leaves the address at once and the session after a reload', () =>
    chromium.visitAsStranger(node, async (page) => {
      await page.goto(await loginLink(node))
      await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
      expect(page.url()).to.equal(`${node.run.url}/dashboard/`)
      await page.reload()
      await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
    }))

  it('is shut for who has no link, and says where to get one', () =>
    chromium.visitAsStranger(node, async (page) => {
      await page.goto(`${node.run.url}/`)
      await page.getByRole('heading', { name: 'Sign in to your node' }).waitFor()
      expect(page.url()).to.equal(`${node.run.url}/dashboard/`)
      expect(await page.getByRole('main').textContent()).to.include('agentlink dashboard')
      expect(await seriousFindings(page)).to.deep.equal([])
    }))

  it('opens once with a link: a second browser is told to make another', async () => {
    const link = await loginLink(node)
    await chromium.visitAsStranger(node, async (page) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    })
    await chromium.visitAsStranger(
      node,
      async (page) => {
        await page.goto(link)
        await page.getByRole('heading', { name: 'This link has been used, or is too old' }).waitFor()
        expect(await page.getByRole('main').textContent()).to.include('agentlink dashboard')
        expect(page.url()).to.not.include('login')
      },
      { expected: REFUSED }
    )
  })

  it('is closed by signing out, for every window of the session', () =>
    chromium.visitAsStranger(
      node,
      async (page) => {
        await page.goto(await loginLink(node))
        const other = await page.context().newPage()
        await other.goto(`${node.run.url}/dashboard/#/contacts`)
        await other.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
        await other.getByRole('heading', { name: 'Sign in to your node' }).waitFor()
        await page.reload()
        await page.getByRole('heading', { name: 'Sign in to your node' }).waitFor()
      },
      { expected: /401 \(Unauthorized\)/ }
    ))
})
