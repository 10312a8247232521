import { META, countPart } from '../flows/keys.js'
import { type AuditFault, type AuditHead, EMPTY_AUDIT, checkEntry } from '../policy/audit.js'
import type { KeyValue } from './key-value.js'
import { downwards, endOfPrefix } from './ranges.js'
import { TABLES, decodeAt, keyAt, placeOf } from './tables.js'

/**
 * The audit log held against its own hash chain, at start: entries 1 … head are there, and each of the newest hashes to
 * what the next one, or the head, says. Older ones are counted; `agentlink audit verify` hashes all of them.
 */
export interface EntryFault {
  /** First and last entry that it concerns. */
  readonly from: number
  readonly to: number
  readonly fault: AuditFault
}

/** Newest entries that are read and hashed: a tenth of a second of them. */
const RECENT = 20_000
const KEY_PAGE = 5000

/** What is wrong, oldest first; nothing is changed. Rejects with StoreFailure. */
export async function auditEntries(kv: KeyValue, { recent } = { recent: RECENT }): Promise<EntryFault[]> {
  const head = headOf(kv)
  const first = Math.max(1, head.seq - recent + 1)
  const faults = [...(await findMissing(kv, first)), ...(await checkRecent(kv, head, first))]
  return faults.sort((a, b) => a.from - b.from)
}

function headOf(kv: KeyValue): AuditHead {
  const bytes = kv.getSync(placeOf('meta', META.audit))
  return bytes === undefined ? EMPTY_AUDIT : (decodeAt('meta', META.audit, bytes) as unknown as AuditHead)
}

/** Entries below `before` that are not there, as runs. */
async function findMissing(kv: KeyValue, before: number): Promise<EntryFault[]> {
  const faults: EntryFault[] = []
  let expected = 1
  while (expected < before) {
    const keys = await kv.keys({ gte: placeAt(expected), lt: placeAt(before), limit: KEY_PAGE })
    for (const place of keys) {
      const seq = seqAt(place)
      if (seq > expected) faults.push({ fault: 'missing', from: expected, to: seq - 1 })
      expected = seq + 1
    }
    if (keys.length < KEY_PAGE) break
  }
  if (expected < before) faults.push({ fault: 'missing', from: expected, to: before - 1 })
  return faults
}

/** From the head down to `first`, so that what each entry must hash to is known before it is read. */
async function checkRecent(kv: KeyValue, head: AuditHead, first: number): Promise<EntryFault[]> {
  const faults: EntryFault[] = []
  let expected: { seq: number; hash: string | undefined } = head
  for await (const [place, bytes] of downwards(kv, placeAt(first), endOfPrefix(placeOf('audit', '')))) {
    const seq = seqAt(place)
    if (seq > head.seq) {
      faults.push({ fault: 'beyond_head', from: seq, to: seq })
      continue
    }
    if (seq < expected.seq) {
      faults.push({ fault: 'missing', from: seq + 1, to: expected.seq })
      expected = { seq, hash: undefined }
    }
    const { fault, prev } = checkEntry(TABLES.audit.decode(bytes), expected)
    if (fault !== undefined) faults.push({ fault, from: seq, to: seq })
    expected = { seq: seq - 1, hash: prev }
  }
  if (expected.seq >= first) faults.push({ fault: 'missing', from: first, to: expected.seq })
  return faults
}

function placeAt(seq: number): string {
  return placeOf('audit', countPart(seq))
}

function seqAt(place: string): number {
  return Number(keyAt('audit', place))
}
