import { ok } from '../base/result.js'
import type { AgentBook } from './agents.js'
import type { OwnerDoor } from './doors.js'
import { paymentsView } from './job-view.js'
import { agentPrefix } from './keys.js'
import type { Clock, Store } from './ports.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'

/** What the owner sees of the money of all jobs: paid, received, late, short, double and foreign. */
export function createPayments(components: {
  readonly store: Store
  readonly steps: Steps
  readonly agents: AgentBook
  readonly book: TaskBook
  readonly clock: Clock
}): OwnerDoor['payments'] {
  const { store, steps, agents, book, clock } = components
  return async ({ agent }) => {
    const picked = await steps.read((tx) => agents.pick(tx, agent))
    if (!picked.ok) return picked
    const jobs = await store.range('jobs', { prefix: agentPrefix(picked.value.agent) })
    return steps.read((tx) => {
      const now = clock.now()
      const items = jobs.flatMap(([, record]) => {
        const task = book.find(tx, record.agent, record.uid)
        return task === undefined ? [] : [paymentsView(task, record, book.report(tx, task, now), now)]
      })
      return ok({ items })
    })
  }
}
