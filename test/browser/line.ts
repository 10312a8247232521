import type { Page, Route } from 'playwright-core'
import { routeAt } from '../api/route-at.js'
import { HostileAnswers } from './hostile-answers.js'

/** What becomes of the questions that a page asks. `told`: they reach the node. */
export type Way = 'held' | 'broken' | 'cut' | 'told' | 'made up'

/** What the page stands on itself: it comes through whatever happens to the rest. */
const ROOM: ReadonlySet<string> = new Set(['owner.agents.list', 'owner.status.read'])

/** The line between a page and its node, held open, broken and mended by a test. */
export class Line {
  readonly #made: HostileAnswers
  readonly #held: Route[] = []
  #way: Way = 'told'

  /** `made`: what is answered when answers are made up. */
  constructor(made: HostileAnswers) {
    this.#made = made
  }

  async lay(page: Page): Promise<void> {
    await page.route('**/v1/owner/**', (route) => {
      const name = nameOf(route)
      return name === undefined || ROOM.has(name) || !HostileAnswers.routes.has(name)
        ? route.fallback()
        : this.#pass(route)
    })
  }

  /** From now on, and for what was held until now. */
  async become(way: Way): Promise<void> {
    this.#way = way
    if (way === 'held') return
    await Promise.all(this.#held.splice(0).map((route) => this.#pass(route)))
  }

  async #pass(route: Route): Promise<void> {
    switch (this.#way) {
      case 'held':
        this.#held.push(route)
        return
      case 'broken':
        return route.fulfill({ status: 500, contentType: 'text/plain', body: 'out of order' })
      case 'cut':
        return route.abort('connectionfailed')
      case 'told':
        return route.fallback()
      case 'made up':
        return route.fulfill({ json: this.#made.of(nameOf(route) ?? 'owner.status.read', 0) })
    }
  }
}

function nameOf(route: Route) {
  return routeAt(route.request().method(), new URL(route.request().url()).pathname)
}
