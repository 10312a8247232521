import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { homePaths } from '../../src/api/home.js'
import { endAll, until } from '../e2e/agentlink.js'
import { Daemon, befriend, contactOf } from '../e2e/daemon.js'
import { temporaryHomes } from '../support/homes.js'
import { realChromium } from './chromium.js'

const DINNER = { date: '2026-12-24', time: '19:00', timezone: 'America/Toronto', partySize: 2 }
const QUOTE = readFileSync('protocols/types/quote.request@1.json', 'utf8')

/** Alice is at her page, Bob is another node; what a test needs there it makes for itself. */
describe('what an owner does on the page, in a real browser', function () {
  this.timeout(120_000)
  const chromium = realChromium()
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon
  before(async () => {
    ;[alice, bob] = await Promise.all([Daemon.make(homes.make(), '@alice'), Daemon.make(homes.make(), '@bob')])
    await befriend(alice, bob)
    for (const capability of ['disclose.dietary', 'disclose.budget']) {
      await alice.owner('PUT', 'grants', { contact: bob.run.agent, capability, effect: 'ask' })
    }
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  /** Alice's agent proposes a dinner that says this as well. */
  const proposed = (more: object) =>
    alice.agent<{ approvalId: string }>('POST', 'tasks', {
      type: 'dinner.coordination',
      participant: bob.run.agent,
      proposal: { ...DINNER, ...more }
    })
  const atBob = async (text: string): Promise<boolean> =>
    JSON.stringify((await bob.agent('GET', 'tasks')).body).includes(text)
  const dialog = (page: Page) => page.getByRole('dialog')

  /** An agent of Bob's that Alice does not know yet. */
  async function stranger(name: string): Promise<string> {
    const { body } = await bob.owner<{ agent: { agent: string } }>('POST', 'agents', { name, handle: `@${name}` })
    return body.agent.agent
  }

  describe('with a question of an agent', () => {
    it('sees exactly what leaves, says yes once, and exactly that arrives', () =>
      chromium.visit(
        alice,
        async (page) => {
          const { status, body } = await proposed({ dietaryNotes: ['no shellfish'] })
          expect(status).to.equal(202)
          await page.locator(`a[href$="${body.approvalId}"]`).click()
          const row = page.getByRole('row', { name: 'dietaryNotes' })
          await row.filter({ hasText: 'no shellfish' }).filter({ hasText: 'disclose.dietary' }).waitFor()
          expect(await atBob('no shellfish')).to.equal(false)
          await page.getByRole('button', { name: 'Yes, this once' }).click()
          await page.getByText('You said yes, and it was done.').waitFor()
          await until(() => atBob('no shellfish'), Boolean)
          expect((await proposed({ dietaryNotes: ['no nuts'] })).status, 'the next one is asked again').to.equal(202)
        },
        { place: '#/approvals' }
      ))

    it('says no, and nothing leaves', async () => {
      const { body } = await proposed({ dietaryNotes: ['no celery'] })
      await chromium.visit(
        alice,
        async (page) => {
          await page.getByRole('button', { name: 'No', exact: true }).click()
          await page.getByText('You said no; nothing left.').waitFor()
        },
        { place: `#/approvals/${body.approvalId}` }
      )
      const asked = await alice.owner<{ approval: { status: string } }>('GET', `approvals/${body.approvalId}`)
      expect(asked.body.approval.status).to.equal('denied')
      expect(await atBob('no celery')).to.equal(false)
    })

    it('says always, is asked once more whether that is meant, and is not asked again', async () => {
      const { body } = await proposed({ budgetPerPerson: 41 })
      await chromium.visit(
        alice,
        async (page) => {
          const always = /^Yes, always with .*@bob/
          await page.getByRole('button', { name: always }).click()
          await dialog(page).getByRole('button', { name: 'Go back' }).click()
          await page.getByRole('button', { name: always }).click()
          await dialog(page).getByRole('button', { name: always }).click()
          await page.getByText('You said yes, and it was done.').waitFor()
        },
        { place: `#/approvals/${body.approvalId}` }
      )
      expect((await proposed({ budgetPerPerson: 42 })).status).to.equal(201)
    })
  })

  describe('with a task type', () => {
    it('looks at what a file asks for, installs exactly that, and retires it', () =>
      chromium.visit(
        alice,
        async (page) => {
          const text = QUOTE.replace('"version":1', '"version":7')
          const file = { name: 'quote.json', mimeType: 'application/json', buffer: Buffer.from(text) }
          await page.getByRole('button', { name: 'Install a type' }).click()
          await dialog(page).getByLabel('Definition file').setInputFiles(file)
          await dialog(page).getByRole('button', { name: 'Look at it' }).click()
          await dialog(page).getByText('disclose.x.purchasing').first().waitFor()
          await dialog(page).getByRole('button', { name: 'Install exactly this' }).click()
          await page.getByRole('heading', { name: 'quote.request@7', level: 1 }).waitFor()

          await page.getByRole('button', { name: 'Retire' }).click()
          await dialog(page).getByRole('button', { name: 'Retire' }).click()
          await page.getByRole('button', { name: 'Use it again' }).waitFor()
          await page.getByRole('link', { name: 'Task types' }).first().click()
          const card = page.getByRole('article').filter({ hasText: 'quote.request@7' })
          expect(await card.textContent()).to.include('Retired')
        },
        { place: '#/types' }
      ))

    it('is told what is wrong with a text that is none', () =>
      chromium.visit(
        alice,
        async (page) => {
          await page.getByRole('button', { name: 'Install a type' }).click()
          await dialog(page).getByLabel('Or its text').fill('{"format":"ttd1"}')
          await dialog(page).getByRole('button', { name: 'Look at it' }).click()
          await dialog(page).getByRole('alert').filter({ hasText: 'The node says' }).waitFor()
          expect(await dialog(page).getByRole('button', { name: 'Install exactly this' }).count()).to.equal(0)
        },
        { place: '#/types', expected: /400 \(Bad Request\)/ }
      ))
  })

  describe('with contacts', () => {
    it('adds one by its link, and sees it become active by itself', async () => {
      const carol = await stranger('carol')
      const { body } = await bob.owner<{ link: string }>('POST', 'invites', { agent: 'carol' })
      await chromium.visit(
        alice,
        async (page) => {
          await page.getByRole('button', { name: 'Add by link' }).click()
          await dialog(page).getByLabel('Link').fill(` ${body.link}\n`)
          await dialog(page).getByLabel('Your own name for it').fill('@caro')
          await dialog(page).getByRole('button', { name: 'Add' }).click()
          await page.getByRole('article').filter({ hasText: '@caro' }).getByText('Active', { exact: true }).waitFor()
        },
        { place: '#/contacts' }
      )
      expect((await contactOf(alice, carol))?.status).to.equal('active')
    })

    it('invites one with a link and a code, and sees it come without a reload', async () => {
      await stranger('dave')
      await chromium.visit(
        alice,
        async (page) => {
          await page.getByRole('button', { name: 'Invite somebody' }).click()
          await dialog(page).getByRole('img', { name: 'The link as a QR code' }).waitFor()
          const link = await dialog(page).getByLabel('Link', { exact: true }).inputValue()
          await dialog(page).getByRole('button', { name: 'Done' }).click()
          await bob.owner('POST', 'contacts', { agent: 'dave', link })
          await page.getByRole('article').filter({ hasText: '@dave' }).getByText('Active', { exact: true }).waitFor()
        },
        { place: '#/contacts' }
      )
    })

    it('is told that a text is no link, and keeps what was written', () =>
      chromium.visit(
        alice,
        async (page) => {
          await page.getByRole('button', { name: 'Add by link' }).click()
          await dialog(page).getByLabel('Link').fill('agentlink:al1nonsense')
          await dialog(page).getByRole('button', { name: 'Add' }).click()
          await dialog(page).getByText('That is no contact link.').waitFor()
          expect(await dialog(page).getByLabel('Link').inputValue()).to.equal('agentlink:al1nonsense')
        },
        { place: '#/contacts', expected: /400 \(Bad Request\)/ }
      ))
  })

  it('changes a rule in its table', () =>
    chromium.visit(
      alice,
      async (page) => {
        const cell = page.getByRole('button', { name: /^Offering work for payment, for everybody/ })
        await cell.click()
        await dialog(page).getByRole('button', { name: /^Deny/ }).click()
        await page.getByText('The rule is in place.').waitFor()
        await page.getByRole('button', { name: 'Offering work for payment, for everybody: Denied. Change' }).waitFor()
        const { body } = await alice.owner<{ items: object[] }>('GET', 'grants')
        expect(JSON.stringify(body)).to.match(/"capability":"pay.receive","effect":"deny"/)
      },
      { place: '#/rules' }
    ))

  it('adds an agent, whose token stands in its file and on no page', () =>
    chromium.visit(
      alice,
      async (page) => {
        await page.getByRole('button', { name: 'Add an agent' }).click()
        await dialog(page).getByLabel('Name').fill('scout')
        await dialog(page).getByRole('button', { name: 'Add' }).click()
        await page.getByText('The agent scout is there. Its card says how to connect a program to it.').waitFor()
        await page.getByRole('heading', { name: 'scout', level: 2 }).waitFor()
        const token = readFileSync(homePaths(alice.home).agent('scout').token, 'utf8').trim()
        expect(token).to.have.length.greaterThan(20)
        expect(await page.content()).to.not.include(token)
      },
      { place: '#/agents' }
    ))
})
