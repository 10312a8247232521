import type { EnvelopeEntry, EnvelopeLog } from '../../../src/tasks/envelope/log.js'

/**
 * A second, literal reading of protocols/envelopes.md that shares no code with src/: the merged order is found by trying
 * every order that the counts allow, in the order of ranks and ids, and the lifecycle is the seed's list of edges.
 */
export interface OracleEnvelope {
  state: string
  applied: string[]
}

const EDGES = new Set([
  'submitted>working',
  'submitted>failed',
  'submitted>canceled',
  'submitted>rejected',
  'working>input_required',
  'working>auth_required',
  'working>completed',
  'working>failed',
  'working>canceled',
  'input_required>working',
  'input_required>failed',
  'input_required>canceled',
  'auth_required>working',
  'auth_required>failed',
  'auth_required>canceled'
])
const BY_SENDER = ['submit', 'answer', 'resolve', 'verdict', 'cancel']
const BY_RECIPIENT = ['claim', 'status', 'result', 'reject']

interface Step {
  from: 'S' | 'R'
  m: EnvelopeEntry
}

const wordOf = (m: EnvelopeEntry): string => m.kind.replace('envelope.', '')

function rank(m: EnvelopeEntry): number {
  if (m.kind === 'envelope.cancel') return 4
  return BY_RECIPIENT.includes(wordOf(m)) ? 3 : 2
}

function refusals(log: EnvelopeLog): { refused: Set<string>; inEffect: string[] } {
  const refused = new Set<string>()
  const inEffect: string[] = []
  for (const [mine, theirs] of [
    [log.inviter, log.invitee],
    [log.invitee, log.inviter]
  ] as const) {
    for (const [at, refuse] of mine.entries()) {
      if (refuse.kind !== 'task.refuse') continue
      const target = theirs.find((one) => one.id === refuse.body.of && one.kind !== 'task.refuse')
      if (target === undefined) continue
      const counted = mine.slice(0, at).some((one) => one.kind !== 'task.refuse' && one.seen >= target.n)
      const late = target.coverHead !== undefined && refuse.seq > target.coverHead
      if (counted || late) continue
      refused.add(target.id)
      inEffect.push(refuse.id)
    }
  }
  return { refused, inEffect }
}

function oracleOrder(log: EnvelopeLog): Step[] {
  const { refused } = refusals(log)
  const stays = (m: EnvelopeEntry) => m.kind !== 'task.refuse' && m.kind !== 'opaque' && !refused.has(m.id)
  const left: Step[] = [
    ...log.inviter.filter(stays).map((m) => ({ from: 'S' as const, m })),
    ...log.invitee.filter(stays).map((m) => ({ from: 'R' as const, m }))
  ]
  const order: Step[] = []
  while (left.length > 0) {
    const firsts = left.filter((step) => !left.some((other) => other.from === step.from && other.m.n < step.m.n))
    const free = firsts.filter((step) => !left.some((other) => other.from !== step.from && other.m.n <= step.m.seen))
    const among = free.length === 0 ? firsts : free
    among.sort((a, b) => rank(a.m) - rank(b.m) || (a.m.id < b.m.id ? -1 : 1))
    const next = among[0] as Step
    order.push(next)
    left.splice(left.indexOf(next), 1)
  }
  return order
}

export function oracleEnvelope(log: EnvelopeLog): OracleEnvelope {
  const opening = log.inviter[0]
  if (opening?.kind !== 'envelope.submit') throw new Error('no submit')
  const { contract } = opening.body
  const { refused, inEffect } = refusals(log)
  let state = refused.has(opening.id) ? 'rejected' : 'submitted'
  const applied = [...inEffect]
  const done = new Map<string, { outcome: string; n: number }>()
  const questions = new Map<string, boolean>()
  let result: string | undefined
  const go = (to: string): boolean => {
    if (!EDGES.has(`${state}>${to}`)) return false
    state = to
    return true
  }
  const over = (): boolean => ['completed', 'failed', 'canceled', 'rejected'].includes(state)
  const step = ({ from, m }: Step): boolean => {
    const word = wordOf(m)
    if (!(from === 'S' ? BY_SENDER : BY_RECIPIENT).includes(word)) return false
    switch (m.kind) {
      case 'envelope.submit':
        return m.n === 1
      case 'envelope.resolve': {
        if (over() || !(contract.dependsOn ?? []).includes(m.body.taskId) || done.has(m.body.taskId)) return false
        done.set(m.body.taskId, { outcome: m.body.outcome, n: m.n })
        return true
      }
      case 'envelope.claim': {
        const waits = (contract.dependsOn ?? []).filter(
          (id) => done.get(id)?.outcome !== 'completed' || (done.get(id)?.n ?? 0) > m.seen
        )
        return state === 'submitted' && waits.length === 0 && go('working')
      }
      case 'envelope.status': {
        if (m.body.state === 'working' && state === 'submitted') return false
        if (!go(m.body.state)) return false
        if (m.body.state.endsWith('_required')) questions.set(m.id, false)
        return true
      }
      case 'envelope.answer': {
        if (over() || questions.get(m.body.of) !== false) return false
        questions.set(m.body.of, true)
        return true
      }
      case 'envelope.result': {
        const { evidence: e } = m.body
        const proves = e.command === contract.acceptanceCheck.passFailCommand && e.exitStatus === 0 && e.endToEnd.passed
        if (!proves || !go('completed')) return false
        result = m.id
        return true
      }
      case 'envelope.verdict': {
        const { run } = m.body
        if (m.body.of !== result) return false
        if (run === undefined) return true
        return run.command === contract.acceptanceCheck.passFailCommand && !(m.body.passed && run.exitStatus !== 0)
      }
      case 'envelope.reject':
        return go('rejected')
      case 'envelope.cancel':
        return go('canceled')
      default:
        return false
    }
  }
  for (const one of oracleOrder(log)) if (step(one)) applied.push(one.m.id)
  return { state, applied: applied.sort() }
}
