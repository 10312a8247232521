/** What was seen of each task from outside, through the agent's door: later sights are held against earlier ones. */
import { canonicalText } from '../../src/base/canonical.js'
import type { TaskView } from '../../src/flows/views/tasks.js'

const ENDS: readonly string[] = ['cancelled', 'expired', 'confirmed']

interface Sight {
  view: TaskView
  /** Set once the peer's acceptance of a proposal of ours was reported: from then on it stands. */
  settled?: string
}

/** All sights of one node. Each `look` answers what is wrong, if something is. */
export class Observed {
  readonly #sights = new Map<string, Sight>()

  look(view: TaskView): readonly string[] {
    const before = this.#sights.get(view.taskUid)
    const sight: Sight = { ...before, view }
    this.#sights.set(view.taskUid, sight)
    const faults = before === undefined ? [] : [...ended(before.view, view), ...changed(before.view, view)]
    if (sight.settled !== undefined && view.agreedProposalId !== sight.settled) {
      faults.push(`settled on ${sight.settled}, now on ${view.agreedProposalId ?? 'nothing'}`)
    }
    const settled = settledOn(view)
    if (settled !== undefined) sight.settled ??= settled
    return [...faults, ...inside(view)].map((fault) => `task ${view.taskUid}: ${fault}`)
  }

  uids(): readonly string[] {
    return [...this.#sights.keys()]
  }

  view(uid: string): TaskView | undefined {
    return this.#sights.get(uid)?.view
  }
}

/** An agreement on our own proposal is the peer's acceptance, which we hold: nothing can change it. */
function settledOn(view: TaskView): string | undefined {
  const agreed = view.proposals.find((proposal) => proposal.proposalId === view.agreedProposalId)
  return agreed?.by === 'self' ? agreed.proposalId : undefined
}

function ended(before: TaskView, now: TaskView): string[] {
  return ENDS.includes(before.status) && now.status !== before.status
    ? [`reported ${before.status}, then ${now.status}`]
    : []
}

/** What never changes: the type, the roles and times, a proposal's content, and an answer once it is recorded. */
function changed(before: TaskView, now: TaskView): string[] {
  const faults: string[] = []
  for (const member of ['participant', 'role', 'createdAt', 'expiresAt'] as const) {
    if (before[member] !== now[member]) faults.push(`${member} changed`)
  }
  if (before.type.hash !== now.type.hash) faults.push('the type changed')
  for (const old of before.proposals) {
    const same = now.proposals.find((proposal) => proposal.proposalId === old.proposalId)
    if (same === undefined) continue
    if (canonicalText(same.proposal) !== canonicalText(old.proposal)) faults.push(`${old.proposalId} changed`)
    const flipped = [old.status, same.status].sort().join() === 'accepted,rejected'
    if (flipped) faults.push(`${old.proposalId} was ${old.status}, now ${same.status}`)
  }
  return faults
}

/** What one sight must be in itself. */
function inside(view: TaskView): string[] {
  const faults: string[] = []
  const pending = view.proposals.filter((proposal) => proposal.status === 'pending')
  if (pending.length > 1) faults.push('two proposals are pending')
  const versions = view.proposals.map((proposal) => proposal.version).join()
  if (versions !== view.proposals.map((_, index) => index + 1).join()) faults.push(`versions ${versions}`)
  const agreed = ['agreed', 'awaiting_approval', 'confirmed'].includes(view.status)
  if (agreed && view.agreedProposalId === undefined) faults.push(`${view.status} without a plan`)
  if (view.cancelRequested === true && ENDS.includes(view.status)) faults.push(`${view.status} with a cancel under way`)
  if ((view.delivery.state === 'delivered') !== (view.delivery.pending === 0) && view.delivery.state !== 'refused') {
    faults.push(`delivery ${view.delivery.state} with ${view.delivery.pending} pending`)
  }
  return faults
}
