import { expect } from 'chai'
import { readFileSync, readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { visible } from '../../src/base/visible.js'
import { endAll, until } from '../e2e/agentlink.js'
import { Daemon, befriend } from '../e2e/daemon.js'
import { delegated, mayDelegate } from '../e2e/delegated.js'
import { temporaryHomes } from '../support/homes.js'
import { HOSTILE_STRINGS } from '../support/hostile-strings.js'
import { seriousFindings } from './axe.js'
import { loginLink, realChromium } from './chromium.js'
import { type Found, LOOK } from './in-page.js'

const DINNER = { date: '2026-12-24', time: '19:00', timezone: 'America/Toronto', partySize: 2 }
const PHONE = { width: 360, height: 740 }
const WIDTHS = '[document.scrollingElement.scrollWidth, window.innerWidth]'
/** Bytes of all that the page loads before it can ask for anything: it has to be there within a second. */
const WEIGHT = { script: 210_000, style: 30_000, page: 2_000 }

interface Items {
  readonly items: ReadonlyArray<Record<string, string>>
}

/** Every page with something on it: a node with a contact, a question, a task, delegated work and two agents. */
describe('each page of the owner, in a real browser', function () {
  this.timeout(180_000)
  const chromium = realChromium()
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon
  let places: Readonly<Record<string, string>>
  before(async () => {
    ;[alice, bob] = await Promise.all([Daemon.make(homes.make(), '@alice'), Daemon.make(homes.make(), '@bob')])
    await befriend(alice, bob)
    await mayDelegate([alice, bob])
    const contact = bob.run.agent
    await alice.owner('PUT', 'grants', { contact, capability: 'disclose.budget', effect: 'ask' })
    await alice.owner('POST', 'agents', { name: 'scout', handle: '@scout' })
    const dinner = { type: 'dinner.coordination', participant: contact, proposal: DINNER }
    const { body } = await alice.agent<{ task: { taskUid: string } }>('POST', 'tasks', dinner)
    const more = { proposal: { ...DINNER, budgetPerPerson: 40 } }
    const asked = await alice.agent<{ approvalId: string }>('POST', 'tasks', { ...dinner, ...more })
    const work = await delegated(alice, bob, 'completed')
    const types = await alice.owner<Items>('GET', 'types')
    places = {
      home: '#/',
      approvals: '#/approvals?status=all',
      'a question': `#/approvals/${asked.body.approvalId}`,
      tasks: '#/tasks',
      'a task': placeOf('tasks', body.task.taskUid),
      'delegated work': '#/envelopes',
      'a delegated task': placeOf('envelopes', work),
      money: '#/money',
      offers: '#/money/offers',
      payments: '#/money/payments',
      contacts: '#/contacts',
      'a contact': `#/contacts/${contact}`,
      rules: '#/rules',
      types: '#/types',
      'a type': `#/types/${types.body.items[0]?.['hash']}`,
      agents: '#/agents',
      audit: '#/audit',
      settings: '#/settings',
      'no page of ours': '#/nothing'
    }
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  const placeOf = (list: string, id: string): string => `#/${list}/${id}?agent=${alice.run.agent}`
  async function show(page: Page, place: string): Promise<void> {
    await page.goto(`${alice.run.url}/dashboard/${place}`)
    await page.locator('main:not(:has(.loading)) h1').waitFor()
  }

  it('has nothing that keeps screen readers or weak eyes out, and fits a phone', () =>
    chromium.visit(
      alice,
      async (page) => {
        for (const [name, place] of Object.entries(places)) {
          await show(page, place)
          expect(await seriousFindings(page), name).to.deep.equal([])
          const [needed, there] = (await page.evaluate(WIDTHS)) as [number, number]
          expect(needed, `${name} on a phone`).to.be.at.most(there)
        }
      },
      { colorScheme: 'light', viewport: PHONE }
    ))

  it('can be read in the dark', () =>
    chromium.visit(
      alice,
      async (page) => {
        for (const [name, place] of Object.entries(places)) {
          await show(page, place)
          // The colours are all that differs from the light.
          expect(await seriousFindings(page, ['color-contrast']), name).to.deep.equal([])
        }
      },
      { colorScheme: 'dark', viewport: PHONE }
    ))

  it('has nothing that keeps people out with the menu beside it, either', () =>
    chromium.visit(alice, async (page) => {
      for (const name of ['home', 'a question', 'rules']) {
        await show(page, places[name] ?? '')
        expect(await seriousFindings(page), name).to.deep.equal([])
      }
      const [heads, edges] = (await page.evaluate(COLUMNS)) as [number, number]
      expect(edges, 'places where a column of rules begins').to.equal(heads).and.above(1)
      await show(page, places['delegated work'] ?? '')
      expect(await page.locator('main .line-card').first().innerText()).to.include('your agent default')
    }))

  it('shows of the audit log what was searched for, and everything again', () =>
    chromium.visit(
      alice,
      async (page) => {
        const entries = page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem')
        const shown = async (count: number): Promise<void> => void (await entries.nth(count - 1).waitFor())
        await shown(10)
        await page.getByLabel('Capability').fill('disclose.budget')
        await page.getByRole('button', { name: 'Search' }).click()
        await entries.nth(3).waitFor({ state: 'detached' })
        await shown(1)
        expect(await entries.count()).to.be.within(1, 3)
        await page.getByRole('button', { name: 'Show everything' }).click()
        await shown(10)
        expect(await page.getByLabel('Capability').inputValue()).to.equal('')
      },
      { place: '#/audit' }
    ))

  it('is worked by keyboard alone: skip link, menu, dialog and back', () =>
    chromium.visit(
      alice,
      async (page) => {
        await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
        await page.getByRole('link', { name: 'AgentLink', exact: true }).focus()
        await page.keyboard.press('Shift+Tab')
        expect(await focused(page)).to.equal('Skip to content')
        expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).to.not.equal('none')
        await page.keyboard.press('Enter')
        expect(await page.evaluate('document.activeElement.id')).to.equal('main')
        await page.keyboard.press('Tab')
        expect(await focused(page)).to.equal('Invite somebody')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        for (let step = 0; step < 8; step++) {
          await page.keyboard.press('Tab')
          // The browser's own bar comes after the last field of a dialog, where the document has the focus.
          expect(await page.evaluate(INSIDE), `after ${step + 1} steps`).to.equal(true)
        }
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        expect(await focused(page)).to.equal('Add by link')
        await show(page, places['settings'] ?? '')
        for (let twice = 0; twice < 2; twice++) {
          await page.getByRole('link', { name: 'Spending limits' }).focus()
          await page.keyboard.press('Enter')
          expect(await page.evaluate(FOCUSED_HEADING)).to.deep.equal(['h2', 'Spending limits', true])
        }
      },
      { place: '#/contacts' }
    ))

  it('lets Tab reach everything that can be pressed, each with its focus to be seen', () =>
    chromium.visit(alice, async (page) => {
      for (const name of ['a question', 'contacts', 'agents']) {
        await show(page, places[name] ?? '')
        const pressable = (await page.evaluate(PRESSABLE)) as number
        expect(pressable, name).to.be.greaterThan(10)
        for (let step = 0; step < pressable + 2; step++) {
          await page.keyboard.press('Tab')
          await page.evaluate(MARK_FOCUSED)
        }
        expect(await page.evaluate(UNREACHED), `${name}: not reached`).to.deep.equal([])
        expect(await page.evaluate(UNSEEN), `${name}: focus not to be seen`).to.deep.equal([])
      }
    }))

  it('shows what a contact really sent as text, whatever it is', async () => {
    // A plan takes no hidden characters; texts with those are refused before they are sent.
    const plain = HOSTILE_STRINGS.filter((text) => text !== '' && text.length <= 64 && visible(text) === text)
    const sent = plain.filter((_, at) => at % 5 === 0)
    expect(sent.length).to.be.at.least(42)
    for (const first of [0, 14, 28]) {
      const [cuisine = '', name = '', area = '', notes = '', ...dietaryNotes] = sent.slice(first, first + 14)
      const proposal = { ...DINNER, cuisine, venue: { name, area }, notes, dietaryNotes }
      const invite = { type: 'dinner.coordination', participant: alice.run.agent, proposal }
      const { status, body } = await bob.agent<{ task: { taskUid: string } }>('POST', 'tasks', invite)
      expect(status, JSON.stringify(body)).to.equal(201)
      const { taskUid } = body.task
      await until(
        () => alice.agent('GET', `tasks/${taskUid}`),
        (read) => read.status === 200
      )
      await chromium.visit(
        alice,
        async (page) => {
          await page.locator('main:not(:has(.loading)) h1').waitFor()
          const { ran, handlers, leading, unseen, tooWide } = await page.evaluate<Found>(LOOK)
          expect([ran, handlers, leading, unseen, tooWide]).to.deep.equal([false, 0, [], [], 0])
          const text = (await page.locator('main').textContent()) ?? ''
          const all = [cuisine, name, area, notes, ...dietaryNotes]
          expect(all.filter((one) => !text.includes(visible(one)))).to.deep.equal([])
        },
        { place: placeOf('tasks', taskUid), viewport: PHONE }
      )
    }
  })

  it('says that the node is gone, and after its return how to come in again', () =>
    chromium.visit(
      bob,
      async (page) => {
        await page.getByText('Live', { exact: true }).waitFor()
        await bob.kill()
        await page.getByText('Connection lost, trying again').waitFor()
        await page.getByRole('link', { name: 'Contacts' }).first().click()
        await page.getByText('The node does not answer.').first().waitFor()
        await bob.start()
        await page.getByRole('heading', { name: 'Sign in to your node' }).waitFor()
        await page.goto(await loginLink(bob))
        await page.getByText('Live', { exact: true }).waitFor()
      },
      { expected: /ERR_|401 \(Unauthorized\)/ }
    ))

  it('weighs little enough to be there at once', () => {
    const bytes = { script: 0, style: 0, page: readFileSync('dist/dashboard/index.html').length }
    for (const name of readdirSync('dist/dashboard/assets')) {
      bytes[name.endsWith('.js') ? 'script' : 'style'] += readFileSync(`dist/dashboard/assets/${name}`).length
    }
    for (const kind of ['script', 'style', 'page'] as const) expect(bytes[kind], kind).to.be.below(WEIGHT[kind])
  })
})

const INSIDE = `document.activeElement === document.body || document.activeElement.closest('dialog') !== null`
/** Marks what can be pressed and is on the screen. Answers how many there are. */
const PRESSABLE = `[...document.querySelectorAll('a[href], button:enabled, input, select, textarea, summary')]
  .filter((one) => one.checkVisibility())
  .map((one) => one.setAttribute('data-test', 'pressable')).length`
/** Marks what has the focus: reached, and whether that is to be seen; a card shows it around all of itself. */
const MARK_FOCUSED = `(() => {
  const one = document.activeElement
  const around = one.classList.contains('cover') ? '::after' : null
  const seen = getComputedStyle(one, around).outlineStyle !== 'none'
  one.setAttribute('data-test', seen ? 'seen' : 'reached')
})()`
const marked = (how: string): string =>
  `[...document.querySelectorAll('[data-test=${how}]')].filter((one) => one !== document.body).map((one) => one.outerHTML)`
const UNREACHED = marked('pressable')
const UNSEEN = marked('reached')

/** How many contacts have a column of rules, and at how many different places their cells begin. */
const COLUMNS = `[
  document.querySelectorAll('.matrix thead th').length - 1,
  new Set([...document.querySelectorAll('.matrix td')].map((cell) => cell.getBoundingClientRect().left)).size
]`
/** What has the focus: a heading, its text, and whether it is on the screen. */
const FOCUSED_HEADING = `(() => {
  const { localName, textContent } = document.activeElement
  const { top, bottom } = document.activeElement.getBoundingClientRect()
  return [localName, textContent, top >= 0 && bottom <= window.innerHeight]
})()`

const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent.trim()')
