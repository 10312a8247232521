import type { AgentId, TaskUid } from '../base/ids.js'
import type { Instant } from '../base/time.js'
import type { Subject } from '../policy/approval.js'
import { type Denial, type DenialWindow, closeWindow, countDenial, isOpen } from '../policy/denials.js'
import { record } from './audit.js'
import { grantsBehind } from './audit-tasks.js'
import { denialKey, dueKey } from './keys.js'
import type { Tx } from './ports.js'

/** Attempts that were refused, as the audit log tells of them (protocols/audit.md, "Denials"). */

/** A deed that was to be decided, as far as its denial names it. */
interface Attempt {
  readonly agent: AgentId
  readonly contact: AgentId
  readonly taskUid?: TaskUid
  readonly subject: Subject
  readonly task: 'known' | 'new'
}

/** The denial of a deed for these capabilities, with the rules that deny them. A task that would be new is not named. */
export function denialOf(tx: Pick<Tx, 'get'>, attempt: Attempt, capabilities: readonly string[]): Denial {
  const { agent, contact, taskUid, task, subject } = attempt
  const isAction = subject.kind === 'action'
  return {
    who: { kind: 'agent', id: agent },
    what: isAction ? 'action.denied' : 'disclosure.denied',
    about: {
      agent,
      contact,
      ...(taskUid === undefined || task === 'new' ? {} : { taskUid }),
      ...(isAction ? { action: subject.action } : {}),
      capabilities
    },
    under: grantsBehind(tx, { agent, peer: contact }, capabilities)
  }
}

/** Stages what is to be told of an attempt that is refused now. */
export function tellDenial(tx: Tx, denial: Denial, now: Instant): void {
  const key = denialKey(denial.who, denial.what)
  const before = tx.get('denials', key)
  const { window, drafts } = countDenial(before, denial, now)
  for (const draft of drafts) record(tx, draft)
  tx.put('denials', key, window)
  if (before?.until === window.until) return
  if (before !== undefined) tx.del('due', dueKey(before.until, 'denials', key))
  schedule(tx, key, window)
}

function schedule(tx: Tx, key: string, { until: at }: DenialWindow): void {
  tx.put('due', dueKey(at, 'denials', key), { at, kind: 'denials', key })
}

/** Stages the counts of a window whose time is over. */
export function closeDenials(tx: Tx, key: string, now: Instant): void {
  const window = tx.get('denials', key)
  if (window === undefined) return
  // The clock jumped back since its deadline was found to be over.
  if (isOpen(window, now)) return schedule(tx, key, window)
  for (const draft of closeWindow(window, now)) record(tx, draft)
  tx.del('denials', key)
}
