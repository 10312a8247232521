import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { LIMITS } from '../wire/limits.js'
import type { Pair } from './chain.js'
import { changeDesk, deskOf } from './inbox.js'
import { pairKey } from './keys.js'
import type { Tx } from './ports.js'
import type { OpenRecord } from './records/desk.js'
import type { TaskRecord } from './records/tasks.js'

/**
 * How much may be under way at one time, so that no agent and no contact fills a node with beginnings. A task is open
 * until something is agreed or it has ended, a task envelope until it has ended. Spec: protocols/socket-api.md, "Local
 * limits".
 */

export interface QuotaOptions {
  /** Open tasks that one agent has begun. */
  readonly tasks: number
  /** Open tasks that one agent has begun with one contact, and that one contact has begun with one agent. */
  readonly tasksPerContact: number
  /** Open task envelopes that one agent has submitted; for one contact the limit is `liveEnvelopes`. */
  readonly envelopes: number
}

const NOTHING: OpenRecord = { tasks: 0, tasksOfPeer: 0, envelopes: 0 }

function openWith(tx: Pick<Tx, 'get'>, { agent, peer }: Pair): OpenRecord {
  return tx.get('open', pairKey(agent, peer)) ?? NOTHING
}

/** Whether an agent may begin one more task with a contact. Refuses with `rate_limited`, `too_many_tasks`. */
export function mayOpenTask(tx: Pick<Tx, 'get'>, pair: Pair, { tasks, tasksPerContact }: QuotaOptions): Result<void> {
  const all = (deskOf(tx, pair.agent).tasksBegun ?? 0) >= tasks
  if (!all && openWith(tx, pair).tasks < tasksPerContact) return ok()
  const begun = all ? `${tasks} open tasks` : `${tasksPerContact} open tasks with this contact`
  const message = `You have begun ${begun}. Bring some to an end first: accept, cancel, or let them expire.`
  return fail(refusal('rate_limited', message, { code: 'too_many_tasks' }))
}

/** Whether a contact may begin one more task with our agent. */
export function takesTask(tx: Pick<Tx, 'get'>, pair: Pair, { tasksPerContact }: QuotaOptions): boolean {
  return openWith(tx, pair).tasksOfPeer < tasksPerContact
}

/** Whether an agent may submit one more task envelope. Refuses with `rate_limited`, `too_many_envelopes`. */
export function mayOpenEnvelope(tx: Pick<Tx, 'get'>, pair: Pair, { envelopes }: QuotaOptions): Result<void> {
  const all = (deskOf(tx, pair.agent).envelopesBegun ?? 0) >= envelopes
  if (!all && openWith(tx, pair).envelopes < LIMITS.liveEnvelopes) return ok()
  const sent = all ? `${envelopes} open task envelopes` : `${LIMITS.liveEnvelopes} open task envelopes to this contact`
  const message = `You have submitted ${sent}. Wait until some have ended, or cancel some.`
  return fail(refusal('rate_limited', message, { code: 'too_many_envelopes' }))
}

/** Stages that a task opened (+1) or is open no more (-1). */
export function countTask(tx: Tx, { role, ...pair }: Pair & Pick<TaskRecord, 'role'>, change: number): void {
  const open = openWith(tx, pair)
  const key = pairKey(pair.agent, pair.peer)
  if (role === 'invitee') return tx.put('open', key, { ...open, tasksOfPeer: open.tasksOfPeer + change })
  tx.put('open', key, { ...open, tasks: open.tasks + change })
  changeDesk(tx, pair.agent, ({ tasksBegun = 0 }) => ({ tasksBegun: tasksBegun + change }))
}

/** The same of a task envelope that our agent submitted. */
export function countEnvelope(tx: Tx, pair: Pair, change: number): void {
  const open = openWith(tx, pair)
  tx.put('open', pairKey(pair.agent, pair.peer), { ...open, envelopes: open.envelopes + change })
  changeDesk(tx, pair.agent, ({ envelopesBegun = 0 }) => ({ envelopesBegun: envelopesBegun + change }))
}
