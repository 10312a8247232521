import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import type { RouteName } from '../../src/api/routes.js'
import { visible } from '../../src/base/visible.js'
import { routeAt } from '../api/route-at.js'
import { endAll } from '../e2e/agentlink.js'
import { Daemon } from '../e2e/daemon.js'
import { HOSTILE_STRINGS } from '../support/hostile-strings.js'
import { temporaryHomes } from '../support/homes.js'
import { realChromium } from './chromium.js'
import { HostileAnswers } from './hostile-answers.js'
import { FRAMES, type Found, LOOK } from './in-page.js'

/** Routes whose answers stay those of the node: without them there is no page at all. */
const TRUE_ANSWERS: ReadonlySet<RouteName> = new Set(['owner.agents.list', 'owner.status.read'])

describe('text of other owners, on the owner’s page in a real browser', function () {
  this.timeout(60_000)
  const chromium = realChromium()
  const homes = temporaryHomes()
  let node: Daemon
  let answers: HostileAnswers
  const contact = `al1q${'x'.repeat(58)}`
  before(async () => {
    node = await Daemon.make(homes.make(), '@alice')
    answers = new HostileAnswers(HOSTILE_STRINGS, { agent: node.run.agent, contact })
  })
  after(async () => {
    await node?.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  /** Answers in the place of the node, in the shape of the route; the last digit of an id picks which, where it has several. */
  async function answer(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url())
    const name = routeAt(route.request().method(), pathname)
    if (name === undefined || !HostileAnswers.routes.has(name) || TRUE_ANSWERS.has(name)) return route.fallback()
    const shape = Number(/(\d)$/.exec(pathname)?.[1] ?? 0)
    const told = answers.of(name, shape)
    // The page reads two lists more for each contact that something waits for.
    if (name === 'owner.undelivered.list') told['items'] = (told['items'] as unknown[]).slice(0, 2)
    await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(told) })
  }

  const uid = (shape: number): string => String(shape).padStart(32, '0')
  /** Addresses of the page where something of another owner stands. */
  const PLACES: readonly string[] = [
    '',
    'approvals',
    ...[0, 1, 2, 3, 4, 5].map((kind) => `approvals/${uid(kind)}`),
    'tasks',
    `tasks/${uid(0)}`,
    'envelopes',
    `envelopes/${uid(0)}`,
    'money',
    'money/offers',
    'money/payments',
    'contacts',
    `contacts/${contact}`,
    'rules',
    'types',
    `types/${uid(0)}`,
    'agents',
    'audit'
  ]

  it(`is shown as text and never runs, loads, leads away or hides: ${HOSTILE_STRINGS.length} texts in every field`, () =>
    chromium.visit(
      node,
      async (page) => {
        await page.route('**/v1/owner/**', answer)
        const shown = new Set<string>()
        const faults: string[] = []
        for (const place of PLACES) {
          await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`)
          await page.evaluate(FRAMES)
          await page.locator('h1').first().waitFor()
          await page.locator('.loading').first().waitFor({ state: 'detached' })
          await page.evaluate(FRAMES)
          const seen = await page.evaluate<Found>(LOOK)
          const odd = { ...seen, tags: seen.tags.filter((tag) => !TAGS.has(tag)), at: seen.at.split('#')[1] }
          for (const [what, is] of Object.entries({ ...SOUND, at: `/${place}` })) {
            const found = JSON.stringify(odd[what as keyof Found])
            if (found !== JSON.stringify(is)) faults.push(`${place}: ${what} ${found}`)
          }
          for (const one of await shownOn(page)) shown.add(one)
        }
        expect(faults.join('\n')).to.equal('')
        expect(HOSTILE_STRINGS.filter((one) => !shown.has(one))).to.deep.equal([])
      },
      { viewport: { width: 360, height: 740 } }
    ))
})

const SOUND = { ran: false, handlers: 0, leading: [], unseen: [], tooWide: 0, polluted: 0, tags: [] }

/** What pages are made of. Everything else came out of a text. */
const TAGS: ReadonlySet<string> = new Set(
  (
    'html head meta title link script noscript body a article aside br button caption circle code dd del details dialog div dl dt fieldset ' +
    'form h1 h2 h3 header i input label legend li main meter nav ol option p path q rect section select span strong summary svg table tbody td ' +
    'textarea th thead time tr ul'
  ).split(' ')
)

/** Those of the strings that stand on the page, each as the eye may see it. */
async function shownOn(page: Page): Promise<readonly string[]> {
  const flat = (text: string): string => text.replace(/\s+/g, ' ')
  const text = flat((await page.locator('body').textContent()) ?? '')
  return HOSTILE_STRINGS.filter((one) => text.includes(flat(visible(one))))
}
