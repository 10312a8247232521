import { StoreFailure, corruptMessage } from './failure.js'
import { Memory } from '../base/memory.js'
import type { TableName, Tables } from '../flows/records/tables.js'

/**
 * Every table: its prefix, its key (made by `flows/keys.ts`) and what its values are. A prefix stands for its table for
 * ever: one that falls out of use is never given to another. Prefixes have two letters, so that none starts another.
 */

interface Codec<T> {
  encode(value: T): Uint8Array
  decode(bytes: Uint8Array): T
}

export interface Table<T> extends Codec<T> {
  readonly prefix: string
  /** `seldom`: what is written is not asked for again soon, so that keeping it would only push out what is. */
  readonly reads: 'often' | 'seldom'
  /** Where the record with this key lies. */
  place(key: string): string
}

const json: Codec<unknown> = {
  encode(value) {
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) throw new TypeError('a record must be JSON')
    return Buffer.from(text, 'utf8')
  },
  decode: (bytes) => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
}

const raw: Codec<Uint8Array> = {
  encode: (value) => value,
  // A plain Uint8Array: what Buffer adds (slice that shares, toString that decodes) must not reach the flows.
  decode: (bytes) => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Between prefix and key; the character after it bounds the table from above. */
const SEPARATOR = ':'

/** Places of each table that are kept: to make and hash one costs more than to look it up by a key that is at hand. */
const PLACES = 4096

export const TABLES: { readonly [T in TableName]: Table<Tables[T]> } = {
  /** agent -> AgentRecord */
  agents: table('ag', json),
  /** agent/peer -> ContactRecord */
  contacts: table('co', json),
  /** agent/@name -> agent id of the contact */
  names: table('na', json),
  /** agent/peer -> ChainRecord */
  chains: table('ch', json),
  /** agent/peer/seq (12 digits) -> signed message that we wrote, raw */
  sent: onceWritten('se', raw),
  /** agent/peer/seq (12 digits) -> signed message of the peer, raw */
  received: seldomRead('re', raw),
  /** agent/peer/upTo (12 digits) -> signed receipt of the peer, raw */
  receipts: seldomRead('rc', raw),
  /** agent/taskUid -> TaskRecord */
  tasks: table('ta', json),
  /** agent/createdAt (15 digits)/taskUid -> taskUid */
  taskOrder: seldomRead('to', json),
  /** agent/taskUid -> seq[] of own entries of a task whose invite was lost with a restored backup */
  orphans: table('or', json),
  /** agent/uid -> EnvelopeRecord */
  envelopes: table('en', json),
  /** agent/createdAt (15 digits)/uid -> uid */
  envelopeOrder: seldomRead('eo', json),
  /** agent/taskId -> uid[] */
  envelopeIds: table('ei', json),
  /** agent/taskId -> uid[] of own tasks that depend on it */
  dependents: table('ed', json),
  /** agent/peer -> uid[] of own tasks whose cancel is under way */
  closing: table('cl', json),
  /** digest of a context -> OwnedRecord[] */
  owned: table('ow', json),
  /** agent -> received tasks that have not ended */
  liveEnvelopes: table('el', json),
  /** agent/uid -> StagedRecord */
  staged: table('st', json),
  /** agent -> names of its tools */
  ledgers: table('le', json),
  /** agent/taskUid/digest of action and params -> ActionRecord */
  actions: table('ac', json),
  /** agent/taskUid -> JobRecord */
  jobs: table('jo', json),
  /** agent/taskUid -> a job about which the chain is asked */
  jobWork: table('jw', json),
  /** agent -> OfferListRecord */
  offers: table('of', json),
  /** agent/peer -> OffersToldRecord */
  offersTold: table('ot', json),
  /** agent/peer -> ContactOffersRecord */
  contactOffers: table('oc', json),
  /** signature -> the task that it belongs to */
  spent: table('sp', json),
  /** `wallet` -> Spend[] */
  spending: table('sd', json),
  /** agent/cursor (12 digits) -> InboxRecord */
  inbox: seldomRead('in', json),
  /** agent -> DeskRecord */
  desks: table('de', json),
  /** agent/peer -> OpenRecord */
  open: table('op', json),
  /** agent -> Grant[] */
  grants: table('gr', json),
  /** approvalId -> Approval */
  approvals: table('ap', json),
  /** agent/digest of a question -> approvalId that was asked for it last */
  asks: table('as', json),
  /** hash -> TypeRecord */
  types: table('ty', json),
  /** agent -> HeldInvite[] */
  held: table('he', json),
  /** agent/peer/hash/by -> DeclineRecord */
  declines: table('dc', json),
  /** agent -> approvalId[] of those that wait for an answer or for their yes to be spent */
  live: table('li', json),
  /** agent/inviteId -> InviteRecord */
  invites: table('iv', json),
  /** caller/code -> DenialWindow */
  denials: table('dn', json),
  /** caller/route/key (escaped) -> OnceRecord */
  once: seldomRead('on', json),
  /** agent/peer/seq (12 digits) -> EquivocationRecord */
  equivocations: seldomRead('eq', json),
  /** time (15 digits)/kind/key -> DueRecord */
  due: seldomRead('du', json),
  /** seq (12 digits) -> entry of the audit log, raw */
  audit: seldomRead('au', raw),
  /** name -> small fact of the node itself */
  meta: table('me', json)
}

/** Where a record lies in the key-value store. */
export function placeOf(table: TableName, key: string): string {
  return TABLES[table].place(key)
}

/** The key of the record that lies at `place`, which is one of `table`. */
export function keyAt(table: TableName, place: string): string {
  return place.slice(TABLES[table].prefix.length + SEPARATOR.length)
}

/** Reads a stored value. Throws StoreFailure `corrupt` when the bytes are none. */
export function decodeAt<T extends TableName>(table: T, key: string, bytes: Uint8Array): Tables[T] {
  try {
    return TABLES[table].decode(bytes)
  } catch (error) {
    throw new StoreFailure('corrupt', corruptMessage(`record ${placeOf(table, key)} is unreadable`), error)
  }
}

/** Records that are read and changed again and again. */
function table<T>(prefix: string, codec: Codec<unknown>): Table<T> {
  const places = new Memory<string, string>(PLACES)
  const make = placing(prefix)
  return { prefix, reads: 'often', ...(codec as Codec<T>), place: (key) => places.recall(key, make) }
}

/** Records that are written once, and read soon after. */
function onceWritten<T>(prefix: string, codec: Codec<unknown> | Codec<Uint8Array>): Table<T> {
  return { prefix, reads: 'often', ...(codec as Codec<T>), place: placing(prefix) }
}

function seldomRead<T>(prefix: string, codec: Codec<unknown> | Codec<Uint8Array>): Table<T> {
  return { prefix, reads: 'seldom', ...(codec as Codec<T>), place: placing(prefix) }
}

function placing(prefix: string): (key: string) => string {
  const start = prefix + SEPARATOR
  return (key) => start + key
}
