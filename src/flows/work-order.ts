import type { AgentId, TaskUid } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { agentPrefix } from './keys.js'
import type { Store } from './ports.js'
import type { Page } from './views/pages.js'

/** The tasks of several agents in one order, newest first, read page by page as an owner does. */

/** A task in that order. */
export interface Place {
  readonly agent: AgentId
  readonly uid: TaskUid
  /** Pass as `after` to go on behind it. */
  readonly cursor: string
}

/** Tasks looked at for one page: a filter that matches little must not hold up the node. */
const LOOKED_AT = 1000
/** Places of one agent that are read at once. */
const CHUNK = 64
const CURSOR = /^\d{15}\/[0-9a-f]{32}\/al1[a-z0-9]+$/

/** Walks from `after` on. Refuses with `invalid_field` when that is no cursor of this order. */
export function newestFirst(
  store: Pick<Store, 'range'>,
  table: 'taskOrder' | 'envelopeOrder',
  agents: readonly AgentId[],
  after: string | undefined
): Result<AsyncGenerator<Place>> {
  if (after !== undefined && !CURSOR.test(after)) {
    return fail(badRequest('invalid_field', 'after must be the `next` of an earlier page', 'after'))
  }
  return ok(merged(agents.map((agent) => placesOf(store, table, agent, after))))
}

/** Those of what `show` finds something for. A page may hold fewer than `limit` and still have a `next`. */
export async function pageOf<T>(
  places: AsyncIterable<Place>,
  limit: number,
  show: (place: Place) => Promise<T | undefined>
): Promise<Page<T>> {
  const items: T[] = []
  let looked = 0
  let next = ''
  for await (const place of places) {
    if (items.length === limit || looked === LOOKED_AT) return { items, next }
    const item = await show(place)
    if (item !== undefined) items.push(item)
    looked += 1
    next = place.cursor
  }
  return { items }
}

async function* placesOf(
  store: Pick<Store, 'range'>,
  table: 'taskOrder' | 'envelopeOrder',
  agent: AgentId,
  after: string | undefined
): AsyncGenerator<Place> {
  const prefix = agentPrefix(agent)
  let before = after === undefined ? undefined : boundFor(agent, after)
  for (;;) {
    const bound = before === undefined ? {} : { before }
    const chunk = await store.range(table, { prefix, reverse: true, limit: CHUNK, ...bound })
    for (const [key, uid] of chunk) {
      before = key.slice(prefix.length)
      yield { agent, uid, cursor: `${before}/${agent}` }
    }
    if (chunk.length < CHUNK) return
  }
}

/** Two of our agents may share a task: at the very place of the cursor come those agents that sort before its own. */
function boundFor(agent: AgentId, after: string): string {
  const slash = after.lastIndexOf('/')
  const place = after.slice(0, slash)
  return agent < after.slice(slash + 1) ? `${place}/` : place
}

async function* merged(walks: readonly AsyncGenerator<Place>[]): AsyncGenerator<Place> {
  const heads: Place[] = []
  const from = new Map<Place, AsyncGenerator<Place>>()
  const step = async (walk: AsyncGenerator<Place>): Promise<void> => {
    const { value, done } = await walk.next()
    if (done === true) return
    heads.push(value)
    from.set(value, walk)
  }
  for (const walk of walks) await step(walk)
  while (heads.length > 0) {
    const newest = heads.reduce((best, head) => (head.cursor > best.cursor ? head : best))
    heads.splice(heads.indexOf(newest), 1)
    yield newest
    const walk = from.get(newest)
    from.delete(newest)
    if (walk !== undefined) await step(walk)
  }
}
