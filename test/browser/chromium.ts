import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { answer } from '../e2e/agentlink.js'
import type { Daemon } from '../e2e/daemon.js'
import { faultsOf } from './faults.js'
import { missingChromium, openChromium } from './program.js'

/**
 * A real Chromium that opens the owner's page of real nodes. One process serves all tests of a file, and each visit has a
 * context of its own, as a browser just installed would be.
 */

/** How long a page may take for whatever a test waits for, ms: long, since the machine may be busy with other tests. */
const PATIENCE_MS = 40_000

interface VisitOptions extends BrowserContextOptions {
  /** Messages in the browser's console that the test brings about, such as those of refused requests. */
  readonly expected?: RegExp
  /** Where the visit begins, such as `#/contacts`; the first page when absent. */
  readonly place?: string
}

export interface Chromium {
  /**
   * Opens the page signed in, has `visit` look at it, and closes it. It fails on anything in the console, an error of a
   * script, a break of the content policy, and any request to another place than this node.
   */
  visit(node: Daemon, visit: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>
  /** The same without a session, and with nothing opened yet. */
  visitAsStranger(node: Daemon, visit: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>
}

/** A one-time link to the page of a node, as its owner asks for one. */
export async function loginLink(node: Daemon): Promise<string> {
  return (await answer<{ url: string }>(['dashboard', '--print', '--home', node.home])).url
}

/** Chromium for the tests of a `describe`. Without one they are skipped and say why; where nothing may be skipped, they fail. */
export function realChromium(): Chromium {
  let browser: Browser
  const sessions = new Map<Daemon, Awaited<ReturnType<BrowserContext['storageState']>>>()
  before(async function () {
    if (!hasChromium()) this.skip()
    browser = await openChromium()
  })
  after(() => browser?.close())

  async function seen(node: Daemon, visit: (page: Page) => Promise<void>, options: VisitOptions): Promise<void> {
    const { expected, ...rest } = options
    const context = await browser.newContext(rest)
    context.setDefaultTimeout(PATIENCE_MS)
    const faults = faultsOf(context, `${node.run.url}`, expected)
    try {
      await visit(await context.newPage())
    } catch (error) {
      const shown = await shownIn(context)
      throw new Error([String(error), ...faults, ...shown].join('\n'), { cause: error })
    } finally {
      await context.close()
    }
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }

  async function sessionOf(node: Daemon) {
    const kept = sessions.get(node)
    if (kept !== undefined) return kept
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(await loginLink(node))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const state = await context.storageState()
    await context.close()
    sessions.set(node, state)
    return state
  }

  return {
    async visit(node, visit, options = {}) {
      const { place = '', ...rest } = options
      const signedIn = { ...rest, storageState: await sessionOf(node) }
      await seen(node, (page) => page.goto(`${node.run.url}/dashboard/${place}`).then(() => visit(page)), signedIn)
    },
    visitAsStranger: (node, visit, options = {}) => seen(node, visit, options)
  }
}

/** What stands on the pages when a test fails: more often than not it says why. */
async function shownIn(context: BrowserContext): Promise<string[]> {
  const texts = context.pages().map((page) => page.evaluate('document.body.innerText').catch(String))
  return (await Promise.all(texts)).map((text) => `the page said: ${String(text)}`)
}

function hasChromium(): boolean {
  const why = missingChromium()
  if (why === undefined) return true
  if (process.env['CI'] !== undefined) throw new Error(why)
  console.warn(`skipped: ${why}`)
  return false
}
