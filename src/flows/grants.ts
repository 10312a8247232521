import type { AgentId } from '../base/ids.js'
import type { Instant } from '../base/time.js'
import type { AuditUnder } from '../policy/audit.js'
import type { Grant } from '../policy/grants.js'
import { record } from './audit.js'
import { agentKey } from './keys.js'
import type { Tx } from './ports.js'

/** The owner's grants of one agent: one value, so that deciding is synchronous. */
export function grantsOfAgent(tx: Pick<Tx, 'get'>, agent: AgentId): readonly Grant[] {
  return tx.get('grants', agentKey(agent)) ?? []
}

/** Stages the owner's grants, each in place of an older one for the same contact and capability, and tells of each. */
export function applyGrants(
  tx: Tx,
  agent: AgentId,
  added: readonly Grant[],
  by: { readonly at: Instant; readonly under?: AuditUnder }
): void {
  if (added.length === 0) return
  for (const grant of added) {
    const before = grantsOfAgent(tx, agent).find((old) => sameSubject(old, grant))
    const was = before === undefined ? {} : { was: before.effect }
    record(tx, { ...by, who: { kind: 'owner' }, what: 'grant.set', about: { agent, ...grant, ...was } })
  }
  const kept = grantsOfAgent(tx, agent).filter((old) => !added.some((grant) => sameSubject(old, grant)))
  tx.put('grants', agentKey(agent), [...kept, ...added])
}

/** Takes a grant back; answers it, or undefined when there was none. */
export function removeGrant(
  tx: Tx,
  agent: AgentId,
  subject: Pick<Grant, 'contact' | 'capability'>,
  at: Instant
): Grant | undefined {
  const grants = grantsOfAgent(tx, agent)
  const removed = grants.find((grant) => sameSubject(grant, subject))
  if (removed === undefined) return undefined
  record(tx, { at, who: { kind: 'owner' }, what: 'grant.deleted', about: { agent, ...removed } })
  const others = grants.filter((grant) => grant !== removed)
  tx.put('grants', agentKey(agent), others)
  return removed
}

function sameSubject(a: Pick<Grant, 'contact' | 'capability'>, b: Pick<Grant, 'contact' | 'capability'>): boolean {
  return a.contact === b.contact && a.capability === b.capability
}
