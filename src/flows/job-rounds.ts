import type { TaskRecord } from './records/tasks.js'
import type { JobPayer } from './job-payer.js'
import type { JobWatch } from './job-watch.js'
import type { Chain, Clock, Log, Store } from './ports.js'
import { taskKey } from './keys.js'
import type { TaskBook } from './task-book.js'

/** Asks the chain about every job that waits for it, again and again: polling survives restarts, and RPC nodes that forget. */
export interface JobRounds {
  start(): void
  stop(): void
  /** Something changed: the next round need not wait. */
  soon(): void
  /** The finalized slot as it was last heard of; 0 before. */
  slot(): number
}

/** Jobs that are looked at in one round, so that a slow RPC node is not buried in questions. */
const ROUND = 50
/** Before a round that was asked for: what comes together is looked at together. */
const SOON_MS = 50

export function createJobRounds(
  components: {
    readonly store: Store
    readonly book: TaskBook
    readonly payer: JobPayer
    readonly watch: JobWatch
    readonly chain: Chain
    readonly clock: Clock
    readonly log: Log
  },
  options: { readonly pollMs: number }
): JobRounds {
  const { store, book, payer, watch, chain, clock, log } = components
  let callOff: (() => void) | undefined
  let stopped = false
  let going = false
  let again = false
  let slot = 0
  /** Jobs that are being looked at, and whether something changed meanwhile. */
  const looking = new Map<string, 'once' | 'again'>()
  /** Where the last round stopped: with more jobs than a round takes, each gets its turn. */
  let after = ''

  async function round(): Promise<void> {
    const jobs = await next()
    if (jobs.length === 0 || stopped) return
    const ready = await chain.check()
    if (!ready.ok) return log.warn('the chain is not there', { code: ready.refusal.details.code })
    const now = await chain.slot()
    if (now.ok) slot = Math.max(slot, now.value)
    for (const task of jobs) look(task)
  }

  /** One job that is slow to ask about, or that its contact made slow, keeps no other waiting. */
  function look(task: TaskRecord): void {
    const key = taskKey(task.agent, task.uid)
    if (looking.has(key)) return void looking.set(key, 'again')
    looking.set(key, 'once')
    void (task.role === 'inviter' ? payer : watch).round(task).finally(() => {
      if (looking.get(key) === 'again') soon()
      looking.delete(key)
    })
  }

  async function next(): Promise<TaskRecord[]> {
    const page = await store.range('jobWork', { prefix: '', after, limit: ROUND })
    after = page.length < ROUND ? '' : (page.at(-1)?.[0] ?? '')
    return page.flatMap(([, { agent, uid }]) => book.find(store, agent, uid) ?? [])
  }

  function run(): void {
    if (stopped) return
    if (going) {
      again = true
      return
    }
    going = true
    round()
      .catch((error: unknown) =>
        log.warn('a round of jobs failed', { why: error instanceof Error ? error.message : 'unknown' })
      )
      .finally(() => {
        going = false
        schedule(again ? SOON_MS : options.pollMs)
        again = false
      })
  }

  function soon(): void {
    if (going) again = true
    else schedule(SOON_MS)
  }

  function schedule(ms: number): void {
    callOff?.()
    if (!stopped) callOff = clock.wake(ms, run)
  }

  return {
    start: () => schedule(SOON_MS),
    soon,
    stop() {
      stopped = true
      callOff?.()
    },
    slot: () => slot
  }
}
