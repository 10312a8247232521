/** What was seen of each delegated task from outside, through one agent's door: later sights are held against earlier ones. */
import { canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'

const ENDS: readonly string[] = ['completed', 'failed', 'canceled', 'rejected']

/** The command of every contract; the proof of a completed task must be of it. */
export const COMMAND = 'node --test'

/** The sights of one agent, and what it remembers of its own calls. */
export class Delegations {
  readonly #sights = new Map<string, EnvelopeView>()
  readonly #wins = new Map<string, number>()
  /** Ids under which it submitted, or tried to. */
  readonly named: string[] = []

  /** Answers what is wrong with a sight, by itself and after the ones before. */
  look(view: EnvelopeView): readonly string[] {
    const before = this.#sights.get(view.taskUid)
    this.#sights.set(view.taskUid, view)
    const faults = [...inside(view), ...(before === undefined ? [] : since(before, view))]
    return faults.map((fault) => `envelope ${view.taskId}: ${fault}`)
  }

  view(uid: string): EnvelopeView | undefined {
    return this.#sights.get(uid)
  }

  all(): readonly EnvelopeView[] {
    return [...this.#sights.values()]
  }

  /** Notes a claim that was answered with yes. Answers how many there were of that task. */
  win(uid: string): number {
    const wins = (this.#wins.get(uid) ?? 0) + 1
    this.#wins.set(uid, wins)
    return wins
  }
}

export function isEnd(state: string): boolean {
  return ENDS.includes(state)
}

function since(before: EnvelopeView, now: EnvelopeView): string[] {
  const faults: string[] = []
  if (isEnd(before.state) && (before.state !== now.state || before.code !== now.code)) {
    faults.push(`reported ${before.state} ${before.code ?? ''}, then ${now.state} ${now.code ?? ''}`)
  }
  for (const member of ['taskId', 'participant', 'role', 'createdAt', 'expiresAt'] as const) {
    if (before[member] !== now[member]) faults.push(`${member} changed`)
  }
  for (const member of ['contract', 'result'] as const) {
    const [old, fresh] = [before[member], now[member]]
    if (old !== undefined && text(old) !== text(fresh ?? null)) faults.push(`${member} changed`)
  }
  return faults
}

/** What one sight must be in itself. */
function inside(view: EnvelopeView): string[] {
  const faults: string[] = []
  const ready = view.dependencies.every(({ outcome }) => outcome === 'completed')
  const isUnderWay = ['working', 'input_required', 'auth_required', 'completed'].includes(view.state)
  if (!ready && isUnderWay) faults.push(`${view.state} before what it depends on`)
  if (view.claimable && (!ready || view.state !== 'submitted')) faults.push('claimable, and it must not be')
  if (view.cancelRequested === true && isEnd(view.state)) faults.push(`${view.state} with a cancel under way`)
  if (view.role === 'recipient' && 'toolsAllowed' in view.contract) faults.push('the request for tools is shown')
  if (view.state === 'completed') faults.push(...unproved(view))
  return faults
}

interface Proof {
  readonly command: string
  readonly exitStatus: number
  readonly endToEnd: { readonly passed: boolean }
}

function unproved({ result }: EnvelopeView): string[] {
  const proof = result?.['evidence'] as unknown as Proof | undefined
  if (proof === undefined) return ['completed without a result']
  const isProved = proof.command === COMMAND && proof.exitStatus === 0 && proof.endToEnd.passed
  return isProved ? [] : [`completed on ${text(proof)}`]
}

function text(value: unknown): string {
  return canonicalText(value as Json)
}
