import type { AgentId } from '../base/ids.js'
import type { Grant } from '../policy/grants.js'
import { agentKey } from './keys.js'
import type { Tx } from './ports.js'

/** The owner's grants of one agent: one value, so that deciding is synchronous. */
export function grantsOfAgent(tx: Pick<Tx, 'get'>, agent: AgentId): readonly Grant[] {
  return tx.get('grants', agentKey(agent)) ?? []
}

/** Stages grants, each in place of an older one for the same contact and capability. */
export function applyGrants(tx: Tx, agent: AgentId, added: readonly Grant[]): void {
  if (added.length === 0) return
  const kept = grantsOfAgent(tx, agent).filter((old) => !added.some((grant) => sameSubject(old, grant)))
  tx.put('grants', agentKey(agent), [...kept, ...added])
}

/** Takes a grant back; answers it, or undefined when there was none. */
export function removeGrant(tx: Tx, agent: AgentId, subject: Pick<Grant, 'contact' | 'capability'>): Grant | undefined {
  const grants = grantsOfAgent(tx, agent)
  const removed = grants.find((grant) => sameSubject(grant, subject))
  if (removed !== undefined)
    tx.put(
      'grants',
      agentKey(agent),
      grants.filter((grant) => grant !== removed)
    )
  return removed
}

function sameSubject(a: Pick<Grant, 'contact' | 'capability'>, b: Pick<Grant, 'contact' | 'capability'>): boolean {
  return a.contact === b.contact && a.capability === b.capability
}
