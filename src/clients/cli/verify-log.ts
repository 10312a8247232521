import type { AnswerOf } from '../../api/contract.js'
import { canonicalBytes } from '../../base/canonical.js'
import { sha256Hex } from '../../base/digest.js'
import type { Json } from '../../base/json.js'
import { CommandFailure, EXIT } from './failure.js'
import type { Session } from './session.js'

/** The chain of the audit log, recomputed from what the node shows (protocols/audit.md, "The log"). */

type Entry = AnswerOf<'owner.audit.list'>['items'][number]
type Head = AnswerOf<'owner.audit.list'>['head']

const PAGE = 200

/**
 * Reads the log from the head down and hashes each entry. Answers the head.
 * @throws CommandFailure (exit code 1) that names the oldest entry at fault, or says that `known` is not part of the log
 */
export async function verifyLog(session: Session, known: Head | undefined): Promise<Head> {
  const faults: string[] = []
  let page = await session.owner('owner.audit.list', { query: { limit: PAGE } })
  const { head } = page
  let expected: { seq: number; hash: string | undefined } = head
  if (known !== undefined && known.seq > head.seq) {
    throw failure(`the log ends at entry ${head.seq}, before the entry ${known.seq} of --head`)
  }
  for (;;) {
    // What was added since the first page lies above the head that is checked.
    for (const entry of page.items.filter(({ seq }) => seq <= head.seq)) {
      expected = check(entry, expected, faults)
      if (entry.seq === known?.seq && hashOf(entry) !== known.hash)
        faults.push(`entry ${entry.seq} is not the one of --head`)
    }
    if (page.next === undefined) break
    page = await session.owner('owner.audit.list', { query: { limit: PAGE, after: Number(page.next) } })
  }
  if (expected.seq > 0) faults.push(missing(1, expected.seq))
  const oldest = faults.at(-1)
  if (oldest === undefined) return head
  throw failure(`${oldest}${faults.length === 1 ? '' : `; ${faults.length} faults in all`}`)
}

/** Holds one entry against what the one after it said of it; answers what the next one down must be. */
function check(
  entry: Entry,
  expected: { readonly seq: number; readonly hash: string | undefined },
  faults: string[]
): { seq: number; hash: string | undefined } {
  const isNext = entry.seq === expected.seq
  if (!isNext) faults.push(missing(entry.seq + 1, expected.seq))
  const altered = isNext && expected.hash !== undefined && hashOf(entry) !== expected.hash
  if (altered) faults.push(`entry ${entry.seq} was altered: its hash is not what the entry after it says`)
  return { seq: entry.seq - 1, hash: altered ? undefined : entry.prev }
}

function missing(from: number, to: number): string {
  return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`
}

function hashOf(entry: Entry): string {
  return sha256Hex(canonicalBytes(entry as unknown as Json))
}

function failure(message: string): CommandFailure {
  return new CommandFailure(EXIT.refused, `the audit log does not hold: ${message}`)
}
