import type { MessageId } from '../../src/base/ids.js'
import type { Side, TaskEntry, TaskLog } from '../../src/tasks/log.js'

/**
 * A second, literal reading of protocols/tasks.md that shares no code with src/tasks: slow, and written to be compared
 * with the page line by line.
 */
export interface OracleState {
  status: string
  reason: string | undefined
  pending: string | undefined
  agreed: string | undefined
  proposals: [id: string, status: string][]
  applied: string[]
}

type Row = { entry: TaskEntry; side: Side }

const RANK: Record<string, number> = {
  accept: 0,
  reject: 1,
  confirm: 2,
  pay: 2,
  paid: 2,
  deliver: 2,
  complete: 2,
  propose: 3,
  invite: 3,
  unpaid: 3,
  cancel: 4
}

function rank(entry: TaskEntry): number {
  const word = entry.kind === 'task.respond' ? entry.body.decision : entry.kind.replace(/^(task|job)\./, '')
  return RANK[word] ?? 99
}

function refusedBy(log: TaskLog): { refused: Map<string, string>; inEffect: Set<string> } {
  const refused = new Map<string, string>()
  const inEffect = new Set<string>()
  const pairs: [readonly TaskEntry[], readonly TaskEntry[]][] = [
    [log.inviter, log.invitee],
    [log.invitee, log.inviter]
  ]
  for (const [refuser, other] of pairs) {
    refuser.forEach((entry, index) => {
      if (entry.kind !== 'task.refuse') return
      const target = other.find((candidate) => candidate.id === entry.body.of)
      if (!target || target.kind === 'task.refuse') return
      const before = refuser.slice(0, index).filter((earlier) => earlier.kind !== 'task.refuse')
      if (before.some((earlier) => earlier.seen >= target.n)) return
      const answer =
        target.n === 1 &&
        target.kind === 'task.invite' &&
        ['type_not_installed', 'type_mismatch', 'type_retired'].includes(entry.body.code)
      if (!answer && target.coverHead !== undefined && entry.seq > target.coverHead) return
      inEffect.add(entry.id)
      if (!refused.has(target.id)) refused.set(target.id, entry.body.code)
    })
  }
  return { refused, inEffect }
}

export function oracleMerge(log: TaskLog): Row[] {
  const { refused } = refusedBy(log)
  const stays = (entry: TaskEntry) => !['task.refuse', 'opaque'].includes(entry.kind) && !refused.has(entry.id)
  const queues = { inviter: log.inviter.filter(stays), invitee: log.invitee.filter(stays) }
  const lengths = { inviter: log.inviter.length, invitee: log.invitee.length }
  const taken = (side: Side) => (queues[side][0] ? queues[side][0].n - 1 : lengths[side])
  const out: Row[] = []
  while (queues.inviter.length + queues.invitee.length > 0) {
    const heads: Row[] = []
    for (const side of ['inviter', 'invitee'] as const)
      if (queues[side][0]) heads.push({ side, entry: queues[side][0] })
    const free = heads.filter(({ side, entry }) => entry.seen <= taken(side === 'inviter' ? 'invitee' : 'inviter'))
    const choice = free.length > 0 ? free : heads
    choice.sort((a, b) => rank(a.entry) - rank(b.entry) || (a.entry.id < b.entry.id ? -1 : 1))
    const first = choice[0]!
    out.push(first)
    queues[first.side].shift()
  }
  return out
}

function mayAnswer(proposal: Row, response: Row): boolean {
  return proposal.side !== response.side && response.entry.seen >= proposal.entry.n
}

export function oracleFold(log: TaskLog, now: number): OracleState {
  const { refused, inEffect } = refusedBy(log)
  const invite = log.inviter[0]!
  if (invite.kind !== 'task.invite') throw new Error('no invite')
  const props = new Map<string, string>()
  const by = new Map<string, Row>()
  const records = new Set<string>()
  const applied: string[] = [...inEffect]
  let st = 'open'
  let reason: string | undefined
  let pend: MessageId | undefined
  let agreed: MessageId | undefined
  const paidJob = invite.body.type.name === 'job.request' && invite.body.type.version === 1
  const references: string[] = []
  const end = refused.get(invite.id)
  if (end) {
    st = end === 'task_expired' ? 'expired' : 'cancelled'
    reason = end
  }
  for (const row of oracleMerge(log)) {
    const { entry: m, side } = row
    const live = st === 'open' || st === 'negotiating'
    let did = false
    if (live && (m.kind === 'task.propose' || (m.kind === 'task.invite' && m === invite))) {
      if (pend) props.set(pend, 'superseded')
      pend = m.id
      props.set(m.id, 'pending')
      by.set(m.id, row)
      st = props.size > 1 ? 'negotiating' : 'open'
      did = true
    } else if (
      live &&
      m.kind === 'task.respond' &&
      pend &&
      m.body.proposalId === pend &&
      mayAnswer(by.get(pend)!, row)
    ) {
      props.set(pend, m.body.decision === 'accept' ? 'accepted' : 'rejected')
      st = m.body.decision === 'accept' ? 'agreed' : 'negotiating'
      if (m.body.decision === 'accept') agreed = pend
      pend = undefined
      did = true
    } else if (m.kind === 'task.cancel' && (live || st === 'agreed')) {
      st = 'cancelled'
      reason = m.body.reason
      did = true
    } else if (m.kind.startsWith('job.')) {
      const next = paidJob ? oracleStep(row, st, { agreed, references }) : undefined
      did = next !== undefined
      st = next ?? st
    } else if (
      !paidJob &&
      m.kind === 'task.confirm' &&
      (st === 'agreed' || st === 'confirmed') &&
      m.body.proposalId === agreed
    ) {
      did = !records.has(side + m.body.recordId)
      records.add(side + m.body.recordId)
      st = 'confirmed'
    }
    if (did) applied.push(m.id)
  }
  if (
    (st === 'open' || st === 'negotiating' || (paidJob && st === 'agreed')) &&
    now > Date.parse(invite.body.expiresAt)
  )
    st = 'expired'
  if (st !== 'open' && st !== 'negotiating') pend = undefined
  return { status: st, reason, pending: pend, agreed, proposals: [...props], applied: applied.sort() }
}

/** The status after a step of a job, per protocols/jobs.md; undefined: no effect. */
function oracleStep(
  { entry: m, side }: Row,
  st: string,
  known: { readonly agreed: string | undefined; readonly references: string[] }
): string | undefined {
  const hirer = side === 'inviter'
  const { references } = known
  if (m.kind === 'job.pay' && hirer && st === 'agreed') {
    const { attempt, proposalId, reference } = m.body
    if (attempt !== references.length + 1 || proposalId !== known.agreed || references.includes(reference))
      return undefined
    references.push(reference)
    return 'paying'
  }
  if (m.kind === 'job.unpaid' && hirer && st === 'paying')
    return m.body.attempt === references.length ? 'agreed' : undefined
  if (m.kind === 'job.paid' && !hirer && (st === 'paying' || st === 'agreed')) {
    return m.body.attempt <= references.length ? 'paid' : undefined
  }
  if (m.kind === 'job.deliver' && !hirer && st === 'paid') return 'delivered'
  return m.kind === 'job.complete' && hirer && st === 'delivered' ? 'completed' : undefined
}
