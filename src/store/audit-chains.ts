import { sha256Hex } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import { countPart, pairOf, pairPrefix } from '../flows/keys.js'
import type { ChainRecord, Head } from '../flows/records/contacts.js'
import { peekEnvelope } from '../wire/signed-envelope.js'
import { decodeAt, keyAt, placeOf } from './tables.js'
import type { KeyValue } from './key-value.js'
import { downwards, endOfPrefix } from './ranges.js'

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

type ChainTable = 'sent' | 'received'

type FaultKind =
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

/** Chains under audit at one time. */
const AT_ONCE = 8
const KEY_PAGE = 5000

/** Audits all pairs, and returns what is wrong in the order of pairs; nothing is changed. Rejects with StoreFailure. */
export async function auditChains(kv: KeyValue, options: AuditOptions = DEFAULTS): Promise<ChainFault[]> {
  const records = await recordsOf(kv)
  const chains = records.flatMap(({ key, record }): Chain[] => [
    { ...pairOf(key), chain: 'sent', head: record.out },
    { ...pairOf(key), chain: 'received', head: record.in }
  ])
  const gaps = (['sent', 'received'] as const).flatMap((table) => gapsBetween(table, records))
  return [
    ...(await collect(chains, (chain) => auditChain(kv, chain, options))),
    ...(await collect(gaps, (gap) => findUnrecorded(kv, gap)))
  ]
}

/** Some at a time: each one waits for the disk more than it works. */
async function collect<T>(items: readonly T[], audit: (item: T) => Promise<ChainFault[]>): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  for (let i = 0; i < items.length; i += AT_ONCE) {
    faults.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(audit))).flat())
  }
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
  return [...(await findMissing(kv, chain, firstRecent)), ...(await checkRecent(kv, chain, firstRecent))]
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

/** Reads from the newest down to `first`, so that what each message must hash to is known before it is read. */
async function checkRecent(kv: KeyValue, chain: Chain, first: number): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  const beyond: number[] = []
  let expected: Expected = { seq: chain.head.seq, id: chain.head.id }
  for await (const [place, bytes] of downwards(kv, placeIn(chain, first), endOfPrefix(prefixOf(chain)))) {
    const seq = seqAt(place)
    if (seq > chain.head.seq) {
      beyond.push(seq)
      continue
    }
    if (seq < expected.seq) {
      faults.push(faultOf(chain, 'missing', seq + 1, expected.seq))
      expected = { seq, id: undefined }
    }
    const { fault, prev } = examine(chain, expected, bytes)
    if (fault !== undefined) faults.push(faultOf(chain, fault, seq, seq))
    expected = { seq: seq - 1, id: prev }
  }
  if (expected.seq >= first) faults.push(faultOf(chain, 'missing', first, expected.seq))
  const [last] = beyond
  if (last !== undefined) faults.push(faultOf(chain, 'beyond_head', beyond.at(-1) ?? last, last))
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

/** What lies between the messages of two recorded pairs, [gte, lt): nothing, if all is well. */
interface Gap {
  readonly chain: ChainTable
  readonly gte: string
  readonly lt: string
}

function gapsBetween(chain: ChainTable, records: readonly Recorded[]): Gap[] {
  const starts = records.map(({ key }) => placeOf(chain, `${key}/`)).sort()
  const ends = starts.map(endOfPrefix)
  const all = placeOf(chain, '')
  return [all, ...ends].map((gte, i) => ({ chain, gte, lt: starts[i] ?? endOfPrefix(all) }))
}

/** Jumps from pair to pair without reading what lies between. */
async function findUnrecorded(kv: KeyValue, { chain, gte, lt }: Gap): Promise<ChainFault[]> {
  const faults: ChainFault[] = []
  let [place] = await kv.keys({ gte, lt, limit: 1 })
  while (place !== undefined) {
    const after: string = endOfPrefix(place.slice(0, place.lastIndexOf('/') + 1))
    const [last] = await kv.keys({ gte: place, lt: after, limit: 1, reverse: true })
    const pair = pairOf(keyAt(chain, place.slice(0, place.lastIndexOf('/'))))
    faults.push(faultOf({ ...pair, chain }, 'no_record', seqAt(place), seqAt(last ?? place)))
    ;[place] = await kv.keys({ gte: after, lt, limit: 1 })
  }
  return faults
}

interface Recorded {
  readonly key: string
  readonly record: ChainRecord
}

async function recordsOf(kv: KeyValue): Promise<Recorded[]> {
  const all = placeOf('chains', '')
  const found = await kv.range({ gte: all, lt: endOfPrefix(all) })
  return found.map(([place, bytes]) => {
    const key = keyAt('chains', place)
    return { key, record: decodeAt('chains', key, bytes) }
  })
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
