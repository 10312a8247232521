import type { AgentId, TaskUid } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import type { Instant } from '../base/time.js'
import type { Writable } from '../base/writable.js'
import { agentKey, inboxKey } from './keys.js'
import type { Tx } from './ports.js'
import type { DeskRecord, InboxRecord } from './records/desk.js'
import type { StepTx } from './steps.js'

/** An agent's desk: its inbox and what its badges count (protocols/socket-api.md). */

const EMPTY: DeskRecord = { nextCursor: 1, ackedCursor: 0, tasksWaiting: 0, approvalsPending: 0, strangers: 0 }

export function deskOf(tx: Pick<Tx, 'get'>, agent: AgentId): DeskRecord {
  return tx.get('desks', agentKey(agent)) ?? EMPTY
}

/** Changes the desk by what `change` gives. */
export function changeDesk(tx: Tx, agent: AgentId, change: (desk: DeskRecord) => Partial<DeskRecord>): void {
  const desk = deskOf(tx, agent)
  tx.put('desks', agentKey(agent), Object.assign({ ...desk }, change(desk)))
}

/** What to put into an inbox: a message of the peer's chain, or words of the node itself. */
export interface Arrival {
  readonly agent: AgentId
  readonly kind: string
  readonly from: AgentId
  readonly at: Instant
  readonly taskUid?: TaskUid
  readonly seq?: number
  readonly content?: JsonObject
}

/** Puts an item at the end of the agent's inbox. Cursors only grow, so an agent that has read one never misses one. */
export function putInInbox(tx: StepTx, arrival: Arrival): void {
  const { agent, kind, from, at, taskUid, seq, content } = arrival
  const cursor = deskOf(tx, agent).nextCursor
  const item: Writable<InboxRecord> = { cursor, kind, from, at }
  if (taskUid !== undefined) item.taskUid = taskUid
  if (seq !== undefined) item.seq = seq
  if (content !== undefined) item.content = content
  tx.put('inbox', inboxKey(agent, cursor), item)
  changeDesk(tx, agent, () => ({ nextCursor: cursor + 1 }))
  tx.after({ do: 'inbox', agent })
}
