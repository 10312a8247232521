import type { AgentId, TaskUid, TypeHash } from '../base/ids.js'
import { Memory } from '../base/memory.js'
import type { Instant } from '../base/time.js'
import type { AuditWho } from '../policy/audit.js'
import type { DueRecord } from './records/desk.js'

/**
 * The keys of the records, as text that sorts the way lists are read. Parts are joined by `/`, which occurs in no id and
 * in no name; numbers are padded with zeros so that text order is number order. `store/tables.ts` puts the table's prefix
 * in front.
 */

/** Digits of sequence numbers, cursors and versions: far beyond what a pair can exchange in its life. */
const COUNT_DIGITS = 12
/** Digits of a time in milliseconds since 1970: enough until the year 33658. */
const TIME_DIGITS = 15

/** A sequence number or cursor as 12 digits. Throws RangeError when it is no count: then we are broken. */
export function countPart(count: number): string {
  return padded(count, COUNT_DIGITS)
}

/** A time as 15 digits. Throws RangeError when it is no instant since 1970. */
export function timePart(at: Instant): string {
  return padded(at, TIME_DIGITS)
}

/** `agents`, `desks`, `grants`, `offers`: the agent id itself. */
export function agentKey(agent: AgentId): string {
  return agent
}

/** Agents of this node, and peers of each, whose keys are kept. */
const AGENTS = 64
const PEERS = 1024
/** Tasks of each agent whose keys are kept. */
const TASKS = 2048

/** Keys that begin with one agent, by what comes after it: asked for many times for each message, so one text serves them all. */
class KeysOf<K extends string> {
  readonly #known: Memory<K, string>
  readonly #join: (rest: K) => string

  constructor(agent: AgentId, capacity: number) {
    this.#known = new Memory(capacity)
    this.#join = (rest) => `${agent}/${rest}`
  }

  of(rest: K): string {
    return this.#known.recall(rest, this.#join)
  }
}

const pairKeys = new Memory<AgentId, KeysOf<AgentId>>(AGENTS)
const pairKeysOf = (agent: AgentId): KeysOf<AgentId> => new KeysOf(agent, PEERS)
const taskKeys = new Memory<AgentId, KeysOf<TaskUid>>(AGENTS)
const taskKeysOf = (agent: AgentId): KeysOf<TaskUid> => new KeysOf(agent, TASKS)

/** `contacts`, `chains`, `offersTold`, `contactOffers`. */
export function pairKey(agent: AgentId, peer: AgentId): string {
  return pairKeys.recall(agent, pairKeysOf).of(peer)
}

/** The agent and the peer of a pair's key. */
export function pairOf(key: string): { readonly agent: AgentId; readonly peer: AgentId } {
  const slash = key.indexOf('/')
  if (slash < 1 || slash === key.length - 1) throw new RangeError(`not the key of a pair: ${key}`)
  return { agent: key.slice(0, slash) as AgentId, peer: key.slice(slash + 1) as AgentId }
}

/** `sent`, `received`, `receipts` (under `upTo.seq`), `equivocations`. */
export function seqKey(agent: AgentId, peer: AgentId, seq: number): string {
  return pairPrefix(agent, peer) + countPart(seq)
}

/** Prefix of everything that is kept per sequence number for one pair; bounds within it are `countPart`s. */
export function pairPrefix(agent: AgentId, peer: AgentId): string {
  return `${agent}/${peer}/`
}

/** Prefix of everything that is kept for one agent. */
export function agentPrefix(agent: AgentId): string {
  return `${agent}/`
}

/** `names`: an alias or handle in use among an agent's contacts, with its `@`. */
export function nameKey(agent: AgentId, name: string): string {
  return `${agent}/${name}`
}

/**
 * `tasks`. A uid that one contact has used is taken: an invite of another contact under it has no effect.
 */
export function taskKey(agent: AgentId, uid: TaskUid): string {
  return taskKeys.recall(agent, taskKeysOf).of(uid)
}

/** `actions`: the digest of an action and its params. */
export function actionKey(agent: AgentId, uid: TaskUid, digest: string): string {
  return `${agent}/${uid}/${digest}`
}

/** Prefix of the actions of one task. */
export function actionPrefix(agent: AgentId, uid: TaskUid): string {
  return `${agent}/${uid}/`
}

/** `taskOrder`: oldest first; read in reverse for the newest. */
export function taskOrderKey(agent: AgentId, createdAt: Instant, uid: TaskUid): string {
  return `${agent}/${timePart(createdAt)}/${uid}`
}

/** `envelopeIds`, `dependents`: a taskId has no `/`. */
export function taskIdKey(agent: AgentId, taskId: string): string {
  return `${agent}/${taskId}`
}

/** `inbox`. */
export function inboxKey(agent: AgentId, cursor: number): string {
  return `${agent}/${countPart(cursor)}`
}

/** `approvals`. */
export function approvalKey(id: string): string {
  return id
}

/** `asks`: the digest of a question, so that identical questions are one approval. */
export function askKey(agent: AgentId, digest: string): string {
  return `${agent}/${digest}`
}

/** `types`: the hash itself. */
export function typeKey(hash: TypeHash): string {
  return hash
}

/** `declines`: who said no to a type between two agents. */
export function declineKey(agent: AgentId, peer: AgentId, hash: TypeHash, by: 'peer' | 'owner'): string {
  return `${agent}/${peer}/${hash}/${by}`
}

/** `invites`: the public id of a one-time secret. */
export function inviteKey(agent: AgentId, id: string): string {
  return `${agent}/${id}`
}

/** `denials`: what was refused to one caller under one code of the audit log. */
export function denialKey({ id, kind }: AuditWho, code: string): string {
  return `${id ?? kind}/${code}`
}

/** `once`: one idempotent call. The parts are escaped, so that no two calls share a key. */
export function onceKey(caller: string, route: string, key: string): string {
  return [caller, route, key].map(encodeURIComponent).join('/')
}

/** `due`: in order of time. `key` is the key of the record in its own table. */
export function dueKey(at: Instant, kind: DueRecord['kind'], key: string): string {
  return `${timePart(at)}/${kind}/${key}`
}

/** Bound for a range over `due`: everything whose time has passed at `now`; at that very time nothing is over yet. */
export function dueUntil(now: Instant): string {
  return timePart(Math.max(0, now))
}

/** `meta`: which facts of the node itself there are. */
export const META = {
  version: 'version',
  owner: 'owner',
  audit: 'audit',
  types: 'types',
  /** Set by a restore, until the node has looked after what it can't know any more. */
  restored: 'restored'
} as const

function padded(value: number, digits: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a count or time: ${value}`)
  const text = String(value)
  if (text.length > digits) throw new RangeError(`more than ${digits} digits: ${text}`)
  return text.padStart(digits, '0')
}
