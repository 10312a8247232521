import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { endAll } from '../e2e/agentlink.js'
import { Daemon } from '../e2e/daemon.js'
import { temporaryHomes } from '../support/homes.js'
import { realChromium } from './chromium.js'
import { HostileAnswers } from './hostile-answers.js'
import { FRAMES } from './in-page.js'
import { Line } from './line.js'

const UID = '0'.repeat(32)
/** Texts that do nobody harm, for things that a new node has none of. */
const PLAIN = Array.from({ length: 40 }, (_, at) => `text ${at}`)

/** A place of the page, and how many lists of it are empty on a new node: each says so, and what would bring something. */
interface Place {
  readonly at: string
  readonly empty: number
  /** What it shows is made up, in the shapes of the node's answers. */
  readonly madeUp?: true
}

const PLACES: readonly Place[] = [
  { at: '', empty: 1 },
  { at: 'approvals', empty: 1 },
  { at: 'approvals?status=all', empty: 1 },
  { at: `approvals/${UID}`, empty: 0, madeUp: true },
  { at: 'tasks', empty: 1 },
  { at: 'tasks?status=completed', empty: 1 },
  { at: `tasks/${UID}`, empty: 0, madeUp: true },
  { at: 'envelopes', empty: 1 },
  { at: `envelopes/${UID}`, empty: 0, madeUp: true },
  { at: 'money', empty: 2 },
  { at: 'money/offers', empty: 2 },
  { at: 'money/payments', empty: 1 },
  { at: 'contacts', empty: 1 },
  { at: 'contacts/al1nobody', empty: 1 },
  { at: 'rules', empty: 0 },
  { at: 'types', empty: 0 },
  { at: `types/${UID}`, empty: 0, madeUp: true },
  { at: 'agents', empty: 0 },
  { at: `audit?task=${UID}`, empty: 1 },
  { at: 'settings', empty: 0 }
]

describe('a page that has nothing to show yet, in a real browser', function () {
  this.timeout(120_000)
  const chromium = realChromium()
  const homes = temporaryHomes()
  let node: Daemon
  let answers: HostileAnswers
  before(async () => {
    node = await Daemon.make(homes.make(), '@alice')
    answers = new HostileAnswers(PLAIN, { agent: node.run.agent, contact: 'al1nobody' })
  })
  after(async () => {
    await node?.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  it(`says that it loads, what went wrong and how to try again, and what is missing: ${PLACES.length} places`, () =>
    chromium.visit(
      node,
      async (page) => {
        const faults: string[] = []
        const line = new Line(answers)
        await line.lay(page)
        for (const place of PLACES) {
          for (const fault of await livesOf(page, line, place)) faults.push(`#/${place.at}: ${fault}`)
        }
        expect(faults.join('\n')).to.equal('')
      },
      // Not at the first place: the page may have asked its questions before they are held.
      { expected: /500|ERR_/, place: '#/nothing' }
    ))

  it('says that it opens until its session and its agents are known', () =>
    chromium.visit(node, async (page) => {
      // Only then are all questions of the first visit answered.
      await page.getByRole('heading', { level: 1 }).waitFor()
      const held = (place: string): Promise<Route> =>
        new Promise((resolve) => void page.route(place, (route) => resolve(route), { times: 1 }))
      const questions = [held('**/dashboard/session'), held('**/v1/owner/agents')]
      await page.reload()
      for (const question of questions) {
        const route = await question
        await page.getByRole('status').getByText('Opening…').waitFor()
        await route.continue()
      }
      await page.getByRole('heading', { level: 1 }).waitFor()
    }))
})

/** What `SEEN` finds in the middle of the page. */
interface Seen {
  readonly heading: string
  /** Pixels from the top. */
  readonly headingAt: number
  /** What a screen reader is told of it while it loads. */
  readonly loading: readonly string[]
  readonly alerts: readonly string[]
  /** Lists that say that they are empty, each with its sentences. */
  readonly empty: ReadonlyArray<readonly string[]>
  readonly tries: number
  /** Of those, which are under way. */
  readonly trying: number
  readonly text: string
}

const SEEN = `(() => {
  const all = (selector) => [...document.querySelectorAll('main ' + selector)]
  const [heading] = all('h1')
  return {
    heading: heading?.textContent ?? '',
    headingAt: heading?.getBoundingClientRect().top ?? -1,
    loading: all('[role=status].loading, main [aria-busy=true]').map((one) => one.textContent),
    alerts: all('[role=alert]').map((one) => one.textContent),
    empty: all('.empty').map((one) => [...one.querySelectorAll('p')].map((line) => line.textContent)),
    tries: all('button').filter((one) => one.textContent === 'Try again').length,
    trying: all('button[aria-busy=true]:disabled').filter((one) => one.textContent === 'Trying again…').length,
    text: document.querySelector('main').innerText
  }
})()`

/** Leads a place through all that can become of its questions. What is not as it should be: one line each. */
async function livesOf(page: Page, line: Line, { at, empty, madeUp }: Place): Promise<string[]> {
  const faults: string[] = []
  const expects = (fine: boolean, what: string): unknown => fine || faults.push(what)
  const look = async (): Promise<Seen> => {
    await page.evaluate(FRAMES)
    return page.evaluate<Seen>(SEEN)
  }

  await line.become('held')
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${at}`)}`)
  await page.locator('main .loading').first().waitFor()
  const held = await look()
  expects(held.heading !== '', 'it has no heading while it loads')
  expects(
    held.loading.every((words) => words === 'Loading'),
    'it does not say in words that it loads'
  )
  expects(held.empty.length === 0, `it says that nothing is there before it knows: ${held.empty.join()}`)
  expects(held.alerts.length === 0, `it says that something went wrong: ${held.alerts.join()}`)

  await line.become('broken')
  await page.locator('main .loading').first().waitFor({ state: 'detached' })
  const broken = await look()
  expects(broken.alerts.length > 0, 'it does not say that something went wrong')
  expects(broken.tries === broken.alerts.length, `${broken.tries} ways to try ${broken.alerts.length} errors again`)
  expects(broken.empty.length === 0, `it says that nothing is there after an error: ${broken.empty.join()}`)

  await line.become('cut')
  await tryAll(page)
  const cut = await look()
  await line.become('held')
  await tryAll(page)
  const tried = await look()
  expects(
    tried.tries === 0 && tried.trying === cut.tries,
    `while ${cut.tries} errors are tried again it says so of ${tried.trying}`
  )
  expects(
    cut.alerts.some((words) => /agentlink start/.test(words)),
    `of a node that is gone it says: ${cut.alerts.join()}`
  )

  await line.become(madeUp === undefined ? 'told' : 'made up')
  await page.locator('main [role=alert], main .loading').first().waitFor({ state: 'detached' })
  const told = await look()
  expects(told.tries + told.loading.length + told.alerts.length === 0, `after another try it says: ${told.text}`)
  expects(told.empty.length === empty, `${told.empty.length} empty lists: ${told.empty.join('; ')}`)
  expects(
    told.empty.every(({ length }) => length > 1),
    `it does not say how to get what is missing: ${told.empty.join('; ')}`
  )
  for (const { headingAt } of [broken, cut, told]) expects(headingAt === held.headingAt, 'its heading jumps')
  return faults
}

/** Tries again whatever went wrong, each once. */
async function tryAll(page: Page): Promise<void> {
  const buttons = await page.locator('main').getByRole('button', { name: 'Try again' }).all()
  for (const button of buttons.reverse()) await button.click()
}
