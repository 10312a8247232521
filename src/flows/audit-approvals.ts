import type { Instant } from '../base/time.js'
import { type Approval, raisedBy } from '../policy/approval.js'
import type { AuditAbout, AuditCode, AuditWho } from '../policy/audit.js'
import { record } from './audit.js'
import type { Tx } from './ports.js'

/** Tells what became of an approval, from how it stood before; undefined when it is new. */
export function auditApproval(
  tx: Pick<Tx, 'get' | 'put'>,
  before: Approval | undefined,
  after: Approval,
  now: Instant
): void {
  const tell = (who: AuditWho, what: AuditCode, more: AuditAbout = {}): void =>
    record(tx, { at: now, who, what, about: { ...aboutOf(after), ...more } })
  if (before === undefined) return tell(raiserOf(after), 'approval.asked')
  const { decision, scope } = after
  const isAnswered = before.decision === undefined && decision !== undefined
  if (isAnswered) tell({ kind: 'owner' }, 'approval.answered', { decision, ...(scope === undefined ? {} : { scope }) })
  if (before.status === after.status) return
  if (after.status === 'used') tell(spenderOf(after), 'approval.used')
  if (after.status === 'stale') tell({ kind: 'node' }, 'approval.stale')
  if (after.status === 'expired') tell({ kind: 'node' }, 'approval.expired')
}

function raiserOf({ agent, contact, subject }: Approval): AuditWho {
  return raisedBy({ subject }) === 'peer' ? { kind: 'peer', id: contact } : { kind: 'agent', id: agent }
}

/** Of what its peers gave rise to the agent knows nothing: the owner's answer itself does it. */
function spenderOf({ agent, subject }: Approval): AuditWho {
  return raisedBy({ subject }) === 'peer' ? { kind: 'owner' } : { kind: 'agent', id: agent }
}

function aboutOf({ agent, contact, taskUid, id, subject, capabilities }: Approval): AuditAbout {
  return {
    agent,
    contact,
    ...(taskUid === undefined ? {} : { taskUid }),
    approvalId: id,
    kind: subject.kind,
    capabilities: capabilities.map(({ capability }) => capability)
  }
}
