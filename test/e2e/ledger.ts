/** What two owners' agents were told, kept by somebody who lives through every crash: an outside oracle. */
import type { Answer, Daemon } from './daemon.js'

export interface Task {
  readonly taskUid: string
  readonly status: string
  readonly statusReason?: string
  readonly agreedProposalId?: string
  readonly expiresAt: string
  readonly type: object
  readonly proposals: ReadonlyArray<{
    readonly proposalId: string
    readonly version: number
    readonly by: 'self' | 'peer'
    readonly status: string
    readonly proposal: Readonly<Record<string, unknown>>
    readonly at: string
  }>
  readonly delivery: { readonly state: string; readonly pending: number }
}

export interface Item {
  readonly cursor: number
  readonly kind: string
  readonly taskUid?: string
  readonly content: unknown
}

/** A write that was answered 2xx: `mark` is in its proposal's notes. */
interface Acknowledged {
  readonly taskUid: string
  readonly mark: string
}

export interface Ledger {
  readonly acknowledged: readonly Acknowledged[]
  /** Tasks of which a response was acknowledged, with the proposal that it accepted. */
  readonly accepted: ReadonlyMap<string, string>
  readonly tasks: readonly string[]
  create(by: Daemon, with_: string): Promise<void>
  propose(by: Daemon, taskUid: string): Promise<void>
  /** Accepts the peer's pending proposal, if there is one. */
  accept(by: Daemon, taskUid: string): Promise<void>
}

const PLAN = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto' }

/** Answers that say "not now": the node fetches what it lost, or too much waits for the other one. */
const LATER: readonly number[] = [429, 503]
const PAUSE_MS = 20

export function createLedger(): Ledger {
  const acknowledged: Acknowledged[] = []
  const accepted = new Map<string, string>()
  const tasks: string[] = []
  let made = 0

  /** Says it until there is an answer, always under one key: as an agent that may not act twice does. */
  async function write(by: Daemon, path: string, body: object): Promise<Answer<{ task?: Task }>> {
    const key = `key-${made++}`
    for (;;) {
      const answer = await by
        .agent<{ task?: Task }>('POST', path, body, { 'idempotency-key': key })
        .catch(() => undefined)
      if (answer !== undefined && !LATER.includes(answer.status)) return answer
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  function proposal(mark: string): object {
    return { ...PLAN, notes: mark }
  }

  return {
    acknowledged,
    accepted,
    tasks,
    async create(by, with_) {
      const mark = `mark-${made}`
      const body = { type: 'dinner.coordination', participant: with_, proposal: proposal(mark) }
      const { status, body: said } = await write(by, 'tasks', body)
      if (status !== 201 || said.task === undefined) throw new Error(`create: ${status} ${JSON.stringify(said)}`)
      tasks.push(said.task.taskUid)
      acknowledged.push({ taskUid: said.task.taskUid, mark })
    },
    async propose(by, taskUid) {
      const mark = `mark-${made}`
      const { status, body } = await write(by, `tasks/${taskUid}/proposals`, { proposal: proposal(mark) })
      if (status === 200) acknowledged.push({ taskUid, mark })
      else if (status !== 409 && status !== 404) throw new Error(`propose: ${status} ${JSON.stringify(body)}`)
    },
    async accept(by, taskUid) {
      const read = await by.agent<{ task?: Task }>('GET', `tasks/${taskUid}`).catch(() => undefined)
      const pending = read?.body.task?.proposals.find((one) => one.status === 'pending' && one.by === 'peer')
      if (pending === undefined) return
      const body = { proposalId: pending.proposalId, decision: 'accept' }
      const { status } = await write(by, `tasks/${taskUid}/responses`, body)
      if (status === 200) accepted.set(taskUid, pending.proposalId)
      else if (status !== 409) throw new Error(`accept: ${status}`)
    }
  }
}

export async function allTasks(of: Daemon): Promise<Task[]> {
  const found: Task[] = []
  for (let after = ''; ;) {
    const { body } = await of.agent<{ items: Task[]; next?: string }>('GET', `tasks?limit=200${after}`)
    found.push(...body.items)
    if (body.next === undefined) return found
    after = `&after=${encodeURIComponent(body.next)}`
  }
}

export async function allItems(of: Daemon): Promise<Item[]> {
  const found: Item[] = []
  for (;;) {
    const { body } = await of.agent<{ items: Item[] }>('GET', `inbox?limit=200&after=${found.at(-1)?.cursor ?? 0}`)
    if (body.items.length === 0) return found
    found.push(...body.items)
  }
}
