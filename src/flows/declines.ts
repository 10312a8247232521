import type { AgentId, TypeHash } from '../base/ids.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Pair } from './chain.js'
import { declineKey } from './keys.js'
import type { Tx } from './ports.js'
import type { DeclineRecord } from './records/tasks.js'

/**
 * What was said no to between two agents, by definition: invites that the peer's node refused for their type are not sent
 * again, and those that our owner declined are not asked about again (protocols/types.md, "After a no").
 */

type Decline = Omit<DeclineRecord, 'agent' | 'peer'>

export function noteDecline(tx: Tx, { agent, peer }: Pair, decline: Decline): void {
  tx.put('declines', declineKey(agent, peer, decline.type.hash, decline.by), { agent, peer, ...decline })
}

export function declineOf(
  tx: Pick<Tx, 'get'>,
  { agent, peer }: Pair,
  hash: TypeHash,
  by: DeclineRecord['by']
): DeclineRecord | undefined {
  return tx.get('declines', declineKey(agent, peer, hash, by))
}

/** Stages that the peer's no is forgotten: it uses the type itself. */
export function forgiveDecline(tx: Tx, { agent, peer }: Pair, hash: TypeHash): void {
  if (declineOf(tx, { agent, peer }, hash, 'peer') !== undefined)
    tx.del('declines', declineKey(agent, peer, hash, 'peer'))
}

/** Stages that nothing is declined any more between the two for this type; answers what was. */
export function liftDeclines(tx: Tx, agent: AgentId, peer: AgentId, hash: TypeHash): readonly DeclineRecord[] {
  const found = (['peer', 'owner'] as const).flatMap((by) => declineOf(tx, { agent, peer }, hash, by) ?? [])
  for (const { by } of found) tx.del('declines', declineKey(agent, peer, hash, by))
  return found
}

/** Whether an invite of this type may go to the peer. Refuses with `invite_refused` when its node said no before. */
export function mayInvite(tx: Pick<Tx, 'get'>, pair: Pair, hash: TypeHash): Result<void> {
  const decline = declineOf(tx, pair, hash, 'peer')
  if (decline === undefined) return ok()
  const message =
    'The node of this contact refused an invite of this type. Do not send it again, nor the same under another type; tell your owner, who can lift this with `agentlink type lift`.'
  return fail(conflict('invite_refused', message, { reason: decline.code, hash }))
}
