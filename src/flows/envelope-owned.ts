import { toUtf8 } from '../base/bytes.js'
import { sha256Hex } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import type { Instant } from '../base/time.js'
import { anyOverlap, ownedBy } from '../tasks/envelope/ownership.js'
import type { Contract } from '../wire/envelope-bodies.js'
import { agentKey } from './keys.js'
import type { Tx } from './ports.js'
import type { EnvelopeRecord, OwnedRecord } from './records/envelopes.js'

/** What received tasks own of a context, across all agents of this node. Source: protocols/envelopes.md, "Ownership". */

/** The live task that owns something of what `contract` names, if there is one. */
export function ownerOf(tx: Pick<Tx, 'get'>, contract: Contract, now: Instant): OwnedRecord | undefined {
  const wanted = ownedBy(contract.filesAndInterfaces)
  return listOf(tx, contract.contextID).find(
    (owned) => owned.expiresAt >= now && anyOverlap(wanted, owned.paths.map(pathOf))
  )
}

/** How many received tasks of a sender have not ended at one of our agents. */
export function liveFrom(tx: Pick<Tx, 'get'>, agent: AgentId, peer: AgentId): number {
  return liveOf(tx, agent).filter((one) => one.peer === peer).length
}

/** Received tasks of an agent that have not ended. */
export function liveOf(tx: Pick<Tx, 'get'>, agent: AgentId): Array<LiveOf> {
  return [...(tx.get('liveEnvelopes', agentKey(agent)) ?? [])]
}
type LiveOf = { readonly peer: AgentId; readonly uid: EnvelopeRecord['uid']; readonly contextID: string }

/** What one task owns, in normal form; nothing when it owns nothing any more. */
export function ownedOf(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, contextID: string): readonly string[] {
  return listOf(tx, contextID).find((owned) => isOf(owned, record))?.paths ?? []
}

/** Stages that a received task lives and owns what its contract names. */
export function take(tx: Tx, record: EnvelopeRecord, contract: Contract): void {
  const { agent, peer, uid, taskId, expiresAt } = record
  const paths = ownedBy(contract.filesAndInterfaces).map((path) => path.join('/'))
  const { contextID } = contract
  tx.put('owned', contextKey(contextID), [...listOf(tx, contextID), { agent, peer, uid, taskId, expiresAt, paths }])
  tx.put('liveEnvelopes', agentKey(agent), [...liveOf(tx, agent), { peer, uid, contextID }])
}

/** Stages that it has ended: what it owned is free. */
export function release(tx: Tx, record: EnvelopeRecord, contextID: string): void {
  const kept = listOf(tx, contextID).filter((owned) => !isOf(owned, record))
  if (kept.length === 0) tx.del('owned', contextKey(contextID))
  else tx.put('owned', contextKey(contextID), kept)
  tx.put(
    'liveEnvelopes',
    agentKey(record.agent),
    liveOf(tx, record.agent).filter((one) => one.uid !== record.uid)
  )
}

function isOf(owned: OwnedRecord, record: EnvelopeRecord): boolean {
  return owned.uid === record.uid && owned.agent === record.agent
}

function listOf(tx: Pick<Tx, 'get'>, contextID: string): readonly OwnedRecord[] {
  return tx.get('owned', contextKey(contextID)) ?? []
}

/** Contexts are compared exactly, and a sender chooses their text: its digest is a key of one length. */
function contextKey(contextID: string): string {
  return sha256Hex(toUtf8(contextID))
}

function pathOf(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split('/')
}
