import type { MessageId } from '../base/ids.js'
import { type LogEntry, type LogOf, type RefuseCode, type Side, type TaskEntry, otherSide } from './log.js'

/**
 * Which messages of a log were refused with effect. A `task.refuse` applies by reference, wherever it stands.
 * Source: protocols/tasks.md, "Refusal".
 */

export interface Refusals {
  /** Refused message -> the code of the first refusal that has effect. */
  readonly refused: ReadonlyMap<MessageId, RefuseCode>
  /** Each `task.refuse` of the log -> whether it has effect, or why not. */
  readonly verdicts: ReadonlyMap<MessageId, RefuseVerdict>
}
type RefuseVerdict = 'applied' | 'late_refuse' | 'illegal_transition'

const NONE: Refusals = { refused: new Map(), verdicts: new Map() }

/** Codes by which a node answers an invite that its owner had to decide on first, so they may come after the receipt. */
const ANSWERS: ReadonlySet<RefuseCode> = new Set<RefuseCode>(['type_not_installed', 'type_mismatch', 'type_retired'])

type Refuse = Extract<TaskEntry, { kind: 'task.refuse' }>

export function refusalsIn(log: LogOf<LogEntry>): Refusals {
  if (!log.inviter.some(isRefuse) && !log.invitee.some(isRefuse)) return NONE
  const refused = new Map<MessageId, RefuseCode>()
  const verdicts = new Map<MessageId, RefuseVerdict>()
  for (const side of ['inviter', 'invitee'] as const) {
    const targets = new Map(log[otherSide(side)].map((entry) => [entry.id, entry]))
    for (const { refuse, moved } of refusesOf(log, side)) {
      const verdict = judgeRefuse(refuse, targets.get(refuse.body.of), moved)
      verdicts.set(refuse.id, verdict)
      if (verdict === 'applied' && !refused.has(refuse.body.of)) refused.set(refuse.body.of, refuse.body.code)
    }
  }
  return { refused, verdicts }
}

/** Every refusal of a chain, with how much its writer had counted in any other message before it. */
function refusesOf(log: LogOf<LogEntry>, side: Side): { refuse: Refuse; moved: number }[] {
  const found: { refuse: Refuse; moved: number }[] = []
  let moved = 0
  for (const entry of log[side]) {
    if (isRefuse(entry)) found.push({ refuse: entry, moved })
    else moved = entry.seen
  }
  return found
}

function judgeRefuse(refuse: Refuse, target: LogEntry | undefined, moved: number): RefuseVerdict {
  if (target === undefined || target.kind === 'task.refuse') return 'illegal_transition'
  // Who counted a message in a later one of their own has let it stand, receipts or not.
  if (moved >= target.n) return 'late_refuse'
  if (target.kind === 'task.invite' && target.n === 1 && ANSWERS.has(refuse.body.code)) return 'applied'
  return target.coverHead !== undefined && refuse.seq > target.coverHead ? 'late_refuse' : 'applied'
}

function isRefuse(entry: LogEntry): entry is Refuse {
  return entry.kind === 'task.refuse'
}
