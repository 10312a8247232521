import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { missingChromium, openChromium } from '../browser/program.js'
import { type Cast, play } from './cast.js'
import { Person } from './person.js'
import { chapter, expect, next, say } from './stage.js'

/**
 * `npm run screens`: the pictures of the README, taken of the demo's own nodes after its story is told, in the Chromium
 * of this machine. What they show is what the product does; ids and hashes differ from run to run.
 */

const FOLDER = fileURLToPath(new URL('../../docs/screens/', import.meta.url))
/** The most that one picture may weigh: a README has to load. Bytes. */
const HEAVY = 130_000
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

interface Screen {
  readonly name: string
  /** Of the page; what follows `#/`. */
  readonly place: string
  /** Of which the page shows that all of it is there. */
  readonly shows: string
  readonly look: BrowserContextOptions
}

const desk = (name: string, place: string, shows: string): Screen => ({ name, place, shows, look: { viewport: DESK } })

async function takeAll(cast: Cast, dinner: string): Promise<void> {
  const carol = new Person('carol', cast.root)
  const browser = await openChromium()
  try {
    const approvalId = await leaveOpen(cast, carol)
    chapter('Screens of Alice’s page')
    const screens: readonly Screen[] = [
      desk('home', '', 'wants to be a contact'),
      desk('approval', `approvals/${approvalId}`, 'Yes, this once'),
      desk('money', 'money', 'A sun'),
      desk('task', `tasks/${dinner}`, 'Trattoria Nonna'),
      { ...desk('rules-dark', 'rules', 'disclose.dietary'), look: { viewport: DESK, colorScheme: 'dark' } },
      { ...desk('home-phone', '', 'wants to be a contact'), look: { viewport: PHONE } }
    ]
    for (const screen of screens) await take(browser, cast.alice, screen)
  } finally {
    await browser.close()
    await carol.stop()
  }
}

/** Something for Alice to decide: a plan that would tell more than her rules allow, and somebody new. */
async function leaveOpen({ alice, bob }: Cast, carol: Person): Promise<string> {
  chapter('What waits for Alice')
  const plan = { date: '2026-12-12', time: '20:00', timezone: 'America/Toronto', cuisine: 'Thai', partySize: 4 }
  const invite = { type: 'dinner.coordination', participant: alice.place().agent, title: 'Birthday dinner' }
  const task = expect(await bob.agent('POST', '/v1/agent/tasks', { ...invite, proposal: plan }), 201).body['task']
  const { taskUid } = task as { readonly taskUid: string }
  await known(alice, taskUid)
  const proposal = { ...plan, time: '19:00', budgetPerPerson: 45, notes: 'We bring the cake.' }
  const asked = expect(await alice.agent('POST', `/v1/agent/tasks/${taskUid}/proposals`, { proposal }), 202).body
  say("Alice's agent", 'would name a budget and a note: her node asks her')
  await carol.start('')
  const { link } = await alice.owner(['contact', 'invite', '--no-secret'])
  await carol.owner(['contact', 'add', '-'], String(link))
  say('@carol', 'asks to become a contact')
  return String(asked['approvalId'])
}

/** Resolves when the invite of a task has come. */
async function known(person: Person, taskUid: string, after = 0): Promise<void> {
  const item = await next(person, 'task.invite', after)
  if (item.taskUid !== taskUid) await known(person, taskUid, item.cursor)
}

async function take(browser: Browser, person: Person, { name, place, shows, look }: Screen): Promise<void> {
  const context = await browser.newContext({ ...look, locale: 'en-GB', reducedMotion: 'reduce', timezoneId: 'UTC' })
  try {
    const page = await context.newPage()
    await page.goto(String((await person.owner(['dashboard', '--print']))['url']))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${person.place().url}/dashboard/#/${place}`)
    await settled(page, shows)
    const path = `${FOLDER}${name}.png`
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    const { size } = statSync(path)
    if (size > HEAVY) throw new Error(`${name}.png has ${size} bytes; a picture of the README has ${HEAVY} at most`)
    say('@alice', `${name}.png, ${Math.round(size / 1000)} kB`)
  } finally {
    await context.close()
  }
}

/** The page shows what it is taken for, nothing is being loaded, and nothing has the focus. */
async function settled(page: Page, shows: string): Promise<void> {
  await page.locator('#main').getByText(shows).first().waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.evaluate('document.activeElement?.blur()')
}

const missing = missingChromium()
if (missing === undefined) {
  mkdirSync(FOLDER, { recursive: true })
  await play(takeAll)
} else {
  console.error(missing)
  process.exitCode = 1
}
