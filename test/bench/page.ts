import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { loginLink } from '../browser/chromium.js'
import { missingChromium, openChromium } from '../browser/program.js'
import { Daemon } from '../e2e/daemon.js'
import { temporaryHomes } from '../support/homes.js'
import { median, spread } from './end.js'

/**
 * How long the owner's page takes in a real browser, from the address to the moment at which nothing on the first page
 * is still loading, beside a page of as many bytes that asks for nothing: what any page takes in that browser. Each load
 * has a browser profile of its own, so that nothing of it is kept from the load before; the two take turns.
 */

const LOADS = 9
/** Loads of each that are not counted: the node and the browser have code to compile. */
const WARM_UPS = 2
/** What an owner is promised, milliseconds. */
const PROMISED_MS = 1000

/** Promises the time at which the heading is there and nothing is loading, once that is drawn. Runs before the page's own scripts. */
const WATCH = `window.settled = new Promise((told) => {
  const watch = new MutationObserver(() => {
    if (document.querySelector('main h1') === null || document.querySelector('.loading') !== null) return
    watch.disconnect()
    requestAnimationFrame(() => setTimeout(() => told(performance.now())))
  })
  watch.observe(document, { childList: true, subtree: true })
})`

/** The line of the bench about the owner's page. */
export async function measurePage(): Promise<string> {
  const missing = missingChromium()
  if (missing !== undefined) return `the owner's page: not measured, ${missing}`
  const homes = temporaryHomes()
  const daemon = await Daemon.make(homes.make(), '@bench')
  const bytes = weightOf('dist/dashboard')
  const bare = await bareServer(bytes)
  const browser = await openChromium()
  try {
    const signedIn = await sessionOf(browser, daemon)
    const page = `${daemon.run.url}/dashboard/`
    const blank = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
    const ours: number[] = []
    const theirs: number[] = []
    for (let load = -WARM_UPS; load < LOADS; load++) {
      const pair = [await settledIn(browser, page, { storageState: signedIn }), await settledIn(browser, blank, {})]
      if (load < 0) continue
      ours.push(pair[0] ?? Number.NaN)
      theirs.push(pair[1] ?? Number.NaN)
    }
    const ratio = median(ours.map((ms, at) => ms / (theirs[at] ?? Number.NaN)))
    return (
      `the owner's page, nothing cached, to its content: ${spread(ours, 0)} ms (promised: ${PROMISED_MS}); ` +
      `a bare page of as many bytes (${bytes}) from node:http: ${spread(theirs, 0)} ms; ratio ${ratio.toFixed(2)}`
    )
  } finally {
    await browser.close()
    bare.close()
    await daemon.kill('SIGTERM')
    homes.clean()
  }
}

/** Bytes of the page's files. */
function weightOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = `${folder}/${entry.name}`
    return sum + (entry.isDirectory() ? weightOf(path) : readFileSync(path).length)
  }, 0)
}

/** Serves one page whose heading comes last; what fills it is read and drawn nowhere. */
async function bareServer(bytes: number): Promise<Server> {
  const head = '<!doctype html><title>Bare</title><main><!--'
  const tail = '--><h1>Bare</h1></main>'
  const body = head + 'word '.repeat(bytes / 5).slice(head.length + tail.length) + tail
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

async function sessionOf(
  browser: Browser,
  daemon: Daemon
): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(await loginLink(daemon))
  await page.locator('main h1').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Milliseconds from the start of the navigation. */
async function settledIn(browser: Browser, address: string, options: BrowserContextOptions): Promise<number> {
  const context = await browser.newContext(options)
  await context.addInitScript(WATCH)
  const page = await context.newPage()
  await page.goto(address)
  const ms = await page.evaluate<number>('window.settled')
  await context.close()
  return ms
}
