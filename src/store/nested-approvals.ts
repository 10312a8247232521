import { agentKey } from '../flows/keys.js'
import type { Tables } from '../flows/records/tables.js'
import type { DisclosureSubject } from '../policy/approval.js'
import type { KeyValue, KvOp } from './key-value.js'
import { TABLES, placeOf } from './tables.js'

/**
 * From store version 1 to 2: what an approval is about moved into its `subject`, and those of an agent that still wait
 * are listed in `live`.
 */
export async function nestApprovals(kv: KeyValue): Promise<readonly KvOp[]> {
  const from = placeOf('approvals', '')
  const places = await kv.keys({ gte: from, lt: `${from}~` })
  const ops: KvOp[] = []
  const live = new Map<string, string[]>()
  for (const place of places) {
    const bytes = kv.getSync(place)
    if (bytes === undefined) continue
    const approval = nested(TABLES.approvals.decode(bytes) as unknown as Flat)
    ops.push({ key: place, value: TABLES.approvals.encode(approval) })
    const waits = approval.status === 'pending' || approval.status === 'approved'
    if (waits) live.set(approval.agent, [...(live.get(approval.agent) ?? []), approval.id])
  }
  for (const [agent, ids] of live) {
    const key = placeOf('live', agentKey(agent as Tables['approvals']['agent']))
    ops.push({ key, value: TABLES.live.encode(ids as unknown as Tables['live']) })
  }
  return ops
}

type Approval = Tables['approvals']
type Subject = DisclosureSubject

/** An approval of version 1: every one was a disclosure. */
type Flat = Omit<Approval, 'subject'> & Subject

function nested(flat: Flat): Approval {
  const { kind, action, type, baseProposalId, title, taskExpiresAt, ...common } = flat
  const subject: Subject = {
    kind,
    action,
    type,
    ...(baseProposalId === undefined ? {} : { baseProposalId }),
    ...(title === undefined ? {} : { title }),
    ...(taskExpiresAt === undefined ? {} : { taskExpiresAt })
  }
  return { ...common, subject }
}
