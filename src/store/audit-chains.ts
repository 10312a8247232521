import { sha256Hex } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import { countPart, pairOf, pairPrefix } from '../flows/keys.js'
import type { ChainRecord, Head } from '../flows/records.js'
import { peekEnvelope } from '../wire/signed-envelope.js'
import { decodeAt, keyAt, placeOf } from './tables.js'
import type { KeyValue } from './key-value.js'
import { endOfPrefix } from './ranges.js'

/**
 * The audit at start: LevelDB hides corruption (a flipped bit can take records out of the middle without an error), so we
 * check what must be there by ourselves. For each pair, the messages 1 … head of both chains are present, and the newest
 * `recent` of them are unharmed: each payload hashes to the id that the next one, or the head, names. Signatures are not
 * checked here: a harmed one is refused by whoever reads the transcript or gets the message.
 */
export interface ChainFault {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly chain: ChainTable
  /** First and last message that it concerns. */
  readonly from: number
  readonly to: number
  readonly fault: FaultKind
}

export type ChainTable = 'sent' | 'received'

export type FaultKind =
  /** Not there. */
  | 'missing'
  /** Not a signed message. */
  | 'unreadable'
  /** A message, but not the one that belongs there by sequence number, sender or recipient. */
  | 'misplaced'
  /** Its hash is not what the next message, or the head, says. */
  | 'altered'
  /** Above the head of the chain. */
  | 'beyond_head'
  /** There are messages of this pair, but no record of its chains. */
  | 'no_record'

export interface AuditOptions {
  /** How many of the newest messages of each chain are read and hashed; the older ones are only counted. */
  readonly recent: number
}

const DEFAULTS: AuditOptions = { recent: 2000 }

/** Messages in memory at once: at most 25 MB of the largest kind. */
const PAGE = 100
const KEY_PAGE = 5000
const PAIR_PAGE = 500

/** Audits all pairs, and returns what is wrong in the order of pairs; nothing is changed. Rejects with StoreFailure. */
export async function auditChains(kv: KeyValue, options: AuditOptions = DEFAULTS): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  const recorded = new Set<string>()
  for await (const [place, bytes] of recordsOf(kv)) {
    const key = keyAt('chains', place)
    const record: ChainRecord = decodeAt('chains', key, bytes)
    recorded.add(key)
    const pair = pairOf(key)
    faults.push(...(await auditChain(kv, { ...pair, chain: 'sent', head: record.out }, options)))
    faults.push(...(await auditChain(kv, { ...pair, chain: 'received', head: record.in }, options)))
  }
  faults.push(...(await findUnrecorded(kv, 'sent', recorded)), ...(await findUnrecorded(kv, 'received', recorded)))
  return faults
}

interface Chain {
  readonly agent: AgentId
  readonly peer: AgentId
  readonly chain: ChainTable
  readonly head: Head
}

async function auditChain(kv: KeyValue, chain: Chain, options: AuditOptions): Promise<ChainFault[]> {
  const firstRecent = Math.max(1, chain.head.seq - options.recent + 1)
  return [
    ...(await findMissing(kv, chain, firstRecent)),
    ...(await checkRecent(kv, chain, firstRecent)),
    ...(await findBeyond(kv, chain))
  ]
}

/** Messages 1 … before - 1 that are not there, as runs. */
async function findMissing(kv: KeyValue, chain: Chain, before: number): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  let expected = 1
  while (expected < before) {
    const keys = await kv.keys({ gte: placeIn(chain, expected), lt: placeIn(chain, before), limit: KEY_PAGE })
    for (const place of keys) {
      const seq = seqAt(place)
      if (seq > expected) faults.push(faultOf(chain, 'missing', expected, seq - 1))
      expected = seq + 1
    }
    if (keys.length < KEY_PAGE) break
  }
  if (expected < before) faults.push(faultOf(chain, 'missing', expected, before - 1))
  return faults
}

/** Reads messages first … head downwards, so that what each must hash to is known before it is read. */
async function checkRecent(kv: KeyValue, chain: Chain, first: number): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  let expected: Expected = { seq: chain.head.seq, id: chain.head.id }
  while (expected.seq >= first) {
    const range = { gte: placeIn(chain, first), lt: placeIn(chain, expected.seq + 1), reverse: true, limit: PAGE }
    const page = await kv.range(range)
    for (const [place, bytes] of page) {
      const seq = seqAt(place)
      if (seq < expected.seq) {
        faults.push(faultOf(chain, 'missing', seq + 1, expected.seq))
        expected = { seq, id: undefined }
      }
      const { fault, prev } = examine(chain, expected, bytes)
      if (fault !== undefined) faults.push(faultOf(chain, fault, seq, seq))
      expected = { seq: seq - 1, id: prev }
    }
    if (page.length < PAGE) break
  }
  if (expected.seq >= first) faults.push(faultOf(chain, 'missing', first, expected.seq))
  return faults
}

interface Expected {
  readonly seq: number
  /** What the message after it says its id is; undefined when that one could not tell. */
  readonly id: string | undefined
}

function examine(chain: Chain, expected: Expected, bytes: Uint8Array): { fault?: FaultKind; prev: string | undefined } {
  const envelope = peekEnvelope(bytes)
  if (!envelope.ok) return { fault: 'unreadable', prev: undefined }
  const payload = envelope.value.payload
  if (expected.id !== undefined && sha256Hex(payload) !== expected.id) return { fault: 'altered', prev: undefined }
  const header = headerOf(payload)
  if (header === undefined) return { fault: 'unreadable', prev: undefined }
  const [from, to] = chain.chain === 'sent' ? [chain.agent, chain.peer] : [chain.peer, chain.agent]
  const inPlace = header.seq === expected.seq && header.from === from && header.to === to
  const startsRight = expected.seq > 1 || header.prev === ''
  return inPlace && startsRight ? { prev: header.prev } : { fault: 'misplaced', prev: undefined }
}

/** The place of a message that was verified when it was stored; only damage makes it unreadable. */
function headerOf(payload: Uint8Array): { seq: unknown; prev: string; from: unknown; to: unknown } | undefined {
  try {
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8')
    const { seq, prev, from, to } = JSON.parse(text) as Record<string, unknown>
    return { seq, prev: String(prev), from, to }
  } catch {
    return undefined
  }
}

async function findBeyond(kv: KeyValue, chain: Chain): Promise<ChainFault[]> {
  const range = { gte: placeIn(chain, chain.head.seq + 1), lt: endOfPrefix(prefixOf(chain)) }
  const [next] = await kv.keys({ ...range, limit: 1 })
  if (next === undefined) return []
  const [last] = await kv.keys({ ...range, limit: 1, reverse: true })
  return [faultOf(chain, 'beyond_head', seqAt(next), seqAt(last ?? next))]
}

/** Jumps from pair to pair without reading what lies between. */
async function findUnrecorded(kv: KeyValue, table: ChainTable, recorded: ReadonlySet<string>): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  const end = endOfPrefix(placeOf(table, ''))
  let [place] = await kv.keys({ gte: placeOf(table, ''), lt: end, limit: 1 })
  while (place !== undefined) {
    const key = keyAt(table, place)
    const pairKey = key.slice(0, key.lastIndexOf('/'))
    const after: string = endOfPrefix(placeOf(table, `${pairKey}/`))
    if (!recorded.has(pairKey)) {
      const [last] = await kv.keys({ gte: place, lt: after, limit: 1, reverse: true })
      const chain = { ...pairOf(pairKey), chain: table }
      faults.push(faultOf(chain, 'no_record', seqAt(place), seqAt(last ?? place)))
    }
    ;[place] = await kv.keys({ gte: after, lt: end, limit: 1 })
  }
  return faults
}

async function* recordsOf(kv: KeyValue): AsyncGenerator<[string, Uint8Array]> {
  const lt = endOfPrefix(placeOf('chains', ''))
  let gte = placeOf('chains', '')
  for (;;) {
    const page = await kv.range({ gte, lt, limit: PAIR_PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAIR_PAGE) return
    gte = `${last[0]}\u0000`
  }
}

function faultOf(chain: Omit<Chain, 'head'>, fault: FaultKind, from: number, to: number): ChainFault {
  return { agent: chain.agent, peer: chain.peer, chain: chain.chain, from, to, fault }
}

function prefixOf(chain: Omit<Chain, 'head'>): string {
  return placeOf(chain.chain, pairPrefix(chain.agent, chain.peer))
}

function placeIn(chain: Chain, seq: number): string {
  return prefixOf(chain) + countPart(seq)
}

function seqAt(place: string): number {
  return Number(place.slice(place.lastIndexOf('/') + 1))
}
